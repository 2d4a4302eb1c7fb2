import type { Directory } from '../../../directory/directory.js';
import type { ChannelRecord, VisibilityInterval } from '../../../directory/directory.records.js';
import { covers } from '../../../directory/intervals.js';
import type { Position } from '../../../platform/kernel/position.js';
import { isNamed } from '../../event-queues/queries/audience.js';

/** Whether a user saw a channel, subscribed or not, as of the event at `position`. Nobody sees a channel before its creation. */
export function sawChannel(userId: number, channel: ChannelRecord, position: Position, directory: Directory): boolean {
  const interval = visibilityAt(channel, position);
  return !!interval && isNamed(userId, { ...interval.seers, subscribersOf: channel._id }, position, directory);
}

/** Whether the channel was archived once the event at `position` had happened. */
export const wasArchived = (channel: ChannelRecord, position: Position): boolean =>
  visibilityAt(channel, position)?.isArchived ?? false;

const visibilityAt = ({ sightIntervals }: ChannelRecord, position: Position): VisibilityInterval | undefined =>
  sightIntervals.find((interval) => covers([interval], position));
