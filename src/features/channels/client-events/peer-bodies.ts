import { channelCreate, channelSubscribers, subscriptionAdd } from '../../../../projections/client-events/channels.js';
import type { ClientEventOf } from '../../../../projections/client-events/client-event.js';
import { type ClientEventDocument, positionOf } from '../../../../projections/client-events/client-events.documents.js';
import {
  peerAdd,
  peerRemove,
  type subscriberActivated,
  type subscriberDeactivated,
} from '../../../../projections/client-events/subscriptions.js';
import type { EventQueueDocument } from '../../../../projections/event-queues/event-queues.projection.js';
import type { Directory } from '../../../directory/directory.js';
import type { ChannelRecord, UserRecord, VisibilityInterval } from '../../../directory/directory.records.js';
import { covers } from '../../../directory/intervals.js';
import type { Position } from '../../../platform/kernel/position.js';
import { isNamed } from '../../event-queues/queries/audience.js';

/** Whether a user saw a channel, subscribed or not, as of the event at `position`. Nobody sees one before its creation. */
export function sawChannel(userId: number, channel: ChannelRecord, position: Position, directory: Directory): boolean {
  const interval = visibilityAt(channel, position);
  return !!interval && isNamed(userId, { ...interval.seers, subscribersOf: channel._id }, position, directory);
}

/** Whether the channel was archived once the event at `position` had happened. */
export const wasArchived = (channel: ChannelRecord, position: Position): boolean =>
  visibilityAt(channel, position)?.isArchived ?? false;

const visibilityAt = ({ sightIntervals }: ChannelRecord, position: Position): VisibilityInterval | undefined =>
  sightIntervals.find((interval) => covers([interval], position));

export type Capabilities = EventQueueDocument['clientCapabilities'];

/** Clients without this capability get no archived channel and no event of one. */
export const knowsArchived = (capabilities: Capabilities): boolean => capabilities.archived_channels ?? false;

export function isOfUnknownChannel(event: ClientEventDocument, capabilities: Capabilities): boolean {
  if (channelCreate.is(event) || subscriptionAdd.is(event))
    return event.payload.channel.isArchived && !knowsArchived(capabilities);
  if (channelSubscribers.is(event) || peerAdd.is(event) || peerRemove.is(event))
    return event.payload.isArchived && !knowsArchived(capabilities);
  return false;
}

/**
 * The peer event for a deactivated or reactivated account: its channels that the reader saw as of the event. null if the
 * reader saw none of them.
 */
export function peersBody(
  event: ClientEventOf<typeof subscriberActivated | typeof subscriberDeactivated>,
  reader: UserRecord,
  capabilities: Capabilities,
  directory: Directory,
): string | null {
  const { userId } = event.payload;
  const position = positionOf(event._id);
  const isSeen = (channelId: number): boolean => {
    const channel = directory.channel(channelId);
    if (!channel || (wasArchived(channel, position) && !knowsArchived(capabilities))) return false;
    return sawChannel(reader._id, channel, position, directory);
  };
  const channelIds = [...directory.subscriptionsOf(userId).keys()]
    .filter((channelId) => directory.wasSubscribed(userId, channelId, position) && isSeen(channelId))
    .sort((a, b) => a - b);
  if (channelIds.length === 0) return null;
  const op = event.kind === 'subscription/back' ? 'peer_add' : 'peer_remove';
  return JSON.stringify({ type: 'subscription', op, stream_ids: channelIds, user_ids: [userId] });
}

/** The peer event for the subscribers after the event; empty if there are none. */
export function subscribersBody(event: ClientEventOf<typeof channelSubscribers>, directory: Directory): string {
  const { channelId } = event.payload;
  const subscriberIds = directory.subscriberIdsAfter(channelId, positionOf(event._id));
  if (subscriberIds.length === 0) return '';
  return JSON.stringify({ type: 'subscription', op: 'peer_add', stream_ids: [channelId], user_ids: subscriberIds });
}
