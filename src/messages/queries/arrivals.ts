import { ARRIVALS, type ArrivalsDocument } from '../../../projections/message-moves.js';
import { messages } from '../../../projections/messages.projection.js';
import type { ReadModels } from '../../../projections/runner/read-models.js';
import type { Directory } from '../../directory/directory.js';
import type { PositionInterval, UserRecord } from '../../directory/directory.records.js';
import { ALL, channelReach, type Reach, subscribedIntervals } from './readable-messages.js';

/** Which channels hold messages that were sent to others. Few: what a request asks of them is all of them. */
export type Arrivals = readonly ArrivalsDocument[];

export const NO_ARRIVALS: Arrivals = [];

/** A lane of a view. */
interface ArrivalLane {
  readonly field: 'firstChannelId';
  readonly value: number;
  readonly reach: Reach;
}

const MOST = 100_000;

/** @throws UnavailableError, DocumentStoreUnavailable */
export function arrivalsIn(readModels: ReadModels): Promise<Arrivals> {
  return readModels.collection<ArrivalsDocument>(messages, ARRIVALS).find({}, { sort: { _id: 1 }, limit: MOST });
}

/**
 * Where messages are that lanes by channel and time of sending may miss: those that came to a channel from another one.
 * Who received them is who was in the channel where they were sent; who may read them, where only a part is read, is
 * who was there when they came.
 *
 * @param isWanted which channels are searched
 */
export function arrivalLanes(
  arrivals: Arrivals,
  isWanted: (channelId: number) => boolean,
  ofHistory: boolean,
  reader: UserRecord,
  directory: Directory,
): ArrivalLane[] {
  const bounds = new Map<number, PositionInterval>();
  for (const { channelId, firstChannelId, oldest, newest } of arrivals) {
    if (!isWanted(channelId)) continue;
    const reach = channelReach(reader, channelId, directory);
    if (reach.length === 0 || (!ofHistory && reach === ALL)) continue;
    const { from = oldest, to = newest } = bounds.get(firstChannelId) ?? {};
    bounds.set(firstChannelId, { from: Math.min(from, oldest - 1), to: Math.max(to ?? newest, newest + 1) });
  }
  return [...bounds].map(([firstChannelId, within]) => {
    const reach = ofHistory ? cut(subscribedIntervals(reader, firstChannelId, directory), within) : [within];
    return { field: 'firstChannelId', value: firstChannelId, reach };
  });
}

function cut(reach: Reach, within: PositionInterval): Reach {
  return reach.flatMap(({ from, to }) => {
    const low = Math.max(from, within.from);
    const high = Math.min(to ?? Number.MAX_SAFE_INTEGER, within.to ?? Number.MAX_SAFE_INTEGER);
    return low < high ? [{ from: low, to: high }] : [];
  });
}
