import { MOVED_IN, type MovedInDocument } from '../../../../../projections/messages/message-moves.js';
import { messages } from '../../../../../projections/messages/messages.projection.js';
import type { Directory } from '../../../../directory/directory.js';
import type { PositionInterval, UserRecord } from '../../../../directory/directory.records.js';
import { ALL, channelReach, type Reach, subscribedIntervals } from '../../../../directory/readable-messages.js';
import type { ReadModels } from '../../../../platform/read-models/read-models.js';

/** The pairs of channels between which messages have moved. They are few: each request reads all of them. */
export type MovedInPairs = readonly MovedInDocument[];

/** An index scan of a view. */
interface MovedInScan {
  readonly field: 'firstChannelId';
  readonly value: number;
  readonly reach: Reach;
}

const MOST = 100_000;

/** @throws UnavailableError, DocumentStoreUnavailable */
export function readMovedIn(readModels: ReadModels): Promise<MovedInPairs> {
  return readModels.collection<MovedInDocument>(messages, MOVED_IN).find({}, { sort: { _id: 1 }, limit: MOST });
}

/**
 * Scans for messages that scans by channel and time of sending may miss: those that moved into a channel from another
 * one. Subscribers of the channel that a message was sent to have received it; if only a part of the new channel's
 * history may be read, its subscribers at the time of the move may read it.
 *
 * @param isWanted selects the channels that are searched
 */
export function movedInScans(
  movedIn: MovedInPairs,
  isWanted: (channelId: number) => boolean,
  ofHistory: boolean,
  reader: UserRecord,
  directory: Directory,
): MovedInScan[] {
  const bounds = new Map<number, PositionInterval>();
  for (const { channelId, firstChannelId, oldest, newest } of movedIn) {
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
