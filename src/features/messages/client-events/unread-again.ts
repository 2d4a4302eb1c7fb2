import { type ClientEventDocument, positionOf } from '../../../../projections/client-events/client-events.documents.js';
import { movedFlags } from '../../../../projections/client-events/moves.js';
import type { MessageDocument } from '../../../../projections/messages/messages.projection.js';
import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import type { Position } from '../../../platform/kernel/position.js';
import { mentionFlags } from '../../message-flags/queries/content-flags.js';
import { OwnFlags } from '../../message-flags/queries/own-flags.js';
import type { ReadState } from '../../message-flags/queries/read-state.js';
import type { MessageRows } from '../services/message-rows.js';
import type { MessageDocuments } from './message-documents.js';
import type { MovedMessages } from './moved-messages.js';

interface UnreadAgainFacts {
  readonly moved: ReadonlyMap<Position, MovedMessages>;
  readonly readState: ReadState;
  readonly directory: Directory;
  readonly rows: MessageRows;
  readonly documents: MessageDocuments;
}

/**
 * Messages that come back to a reader by a move and are unread still. The reader's clients took them for read: nothing is
 * unread in a channel that the reader is not in, or that was in the channel before the reader.
 *
 * @returns the messages of each move by its position, ascending
 */
export async function unreadAgain(
  events: readonly ClientEventDocument[],
  reader: UserRecord,
  { moved, readState, directory, rows, documents }: UnreadAgainFacts,
): Promise<ReadonlyMap<Position, readonly MessageDocument[]>> {
  const own = new OwnFlags(reader, readState, directory);
  const found = new Map<Position, readonly MessageDocument[]>();
  for (const event of events) {
    if (!movedFlags.is(event)) continue;
    const position = positionOf(event._id);
    const { from, to } = event.payload;
    if (!directory.wasSubscribed(reader._id, to.channelId, position)) continue;
    const since = directory.subscribedSince(reader._id, from.channelId, position);
    const { ids = [] } = moved.get(position) ?? {};
    // What was sent to the reader in that time was unread in the channel, too. Ids ascend with positions.
    const isOlder = ({ sentPosition }: { readonly sentPosition: Position }) => since === null || sentPosition <= since;
    if (!(await rows.byIds(ids.slice(0, 1))).some(isOlder)) continue;
    const unread = (await rows.byIds(ids)).filter((row) => isOlder(row) && !own.isRead(row));
    if (unread.length === 0) continue;
    const byId = await documents.byIds(unread.map(({ _id }) => _id));
    found.set(
      position,
      [...byId.values()].sort((one, other) => one._id - other._id),
    );
  }
  return found;
}

/** Where the messages are, as clients learn it of those that become unread. */
export const placesOfUnread = (
  messages: readonly MessageDocument[],
  place: { readonly stream_id: number; readonly topic: string },
  reader: UserRecord,
  directory: Directory,
): ReadonlyMap<number, object> =>
  new Map(
    messages.map((message) => [
      message._id,
      { type: 'stream', ...place, ...(mentionFlags(reader, message, directory).length > 0 && { mentioned: true }) },
    ]),
  );
