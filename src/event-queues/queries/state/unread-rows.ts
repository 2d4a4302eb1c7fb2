import type { MessageDocument } from '../../../../projections/messages.projection.js';
import type { PositionInterval, UserRecord } from '../../../directory/directory.records.js';
import { type Position, START } from '../../../kernel/position.js';
import { startedRead } from '../../../read-state/queries/own-flags.js';
import type { ReadState } from '../../../read-state/queries/read-state.js';
import {
  type ChannelMessageRow,
  channelMessages,
  type DirectMessageRow,
  directMessages,
  type Messages,
  type Subscriptions,
} from './received-messages.js';

export type UnreadRow = ChannelMessageRow | DirectMessageRow;

export interface UnreadRows {
  /** The newest, in no order. */
  readonly rows: readonly UnreadRow[];
  /** There are more, older ones. */
  readonly more: boolean;
}

/** Ids asked for at once. */
const PAGE = 500;

/** Below so many messages, finding where to go on costs more than a look at those in between. */
const WORTH_A_LEAP = 256;

/**
 * What a reader has not read, at most so much of it: what was sent to them since they took part, minus what they have
 * read; and what they have marked as unread though it was not sent to them, or is older than that.
 *
 * @param subscriptions those that last, as of `through`
 */
export async function unreadRows(
  messages: Messages,
  reader: UserRecord,
  state: ReadState,
  subscriptions: Subscriptions,
  through: Position,
  limit: number,
): Promise<UnreadRows> {
  const leap = (id: number): Promise<Position | null> => positionOfNext(messages, state, id);
  const inChannels = await taken(
    messages,
    reader,
    state,
    channelMessages(messages, subscriptions, through, leap),
    limit,
  );
  const direct = await taken(messages, reader, state, directMessages(messages, reader._id, through, leap), limit);
  const rows = [...inChannels.rows, ...direct.rows];
  const marked = await markedRows(messages, reader, state, subscriptions, through, rows, limit);
  return { rows: [...rows, ...marked], more: inChannels.more || direct.more };
}

/** What was unread of a channel when its reader left it. @param ended how long they had been there */
export async function unreadLeftIn(
  messages: Messages,
  reader: UserRecord,
  state: ReadState,
  channelId: number,
  ended: PositionInterval,
  through: Position,
  limit: number,
): Promise<readonly UnreadRow[]> {
  const there: Subscriptions = new Map([[channelId, [ended]]]);
  const leap = (id: number): Promise<Position | null> => positionOfNext(messages, state, id);
  const { rows } = await taken(messages, reader, state, channelMessages(messages, there, through, leap), limit);
  const marked = await markedRows(messages, reader, state, there, through, rows, limit);
  return [...rows, ...marked.filter((row) => 'channelId' in row)];
}

async function taken<Row extends UnreadRow>(
  messages: Messages,
  reader: UserRecord,
  state: ReadState,
  pages: AsyncIterable<readonly Row[]>,
  limit: number,
): Promise<{ readonly rows: Row[]; readonly more: boolean }> {
  const rows: Row[] = [];
  for await (const page of pages) {
    const left = page.filter((row) => state.isMarkedRead(row) !== true);
    const read = await ownThatStartedRead(messages, reader, state, left);
    for (const row of left) {
      if (read.has(row._id)) continue;
      if (rows.length === limit) return { rows, more: true };
      rows.push(row);
    }
  }
  return { rows, more: false };
}

/** Only of what the reader sent themselves does the document have to be looked at. */
async function ownThatStartedRead(
  messages: Messages,
  reader: UserRecord,
  state: ReadState,
  rows: readonly UnreadRow[],
): Promise<ReadonlySet<number>> {
  const own = rows.filter((row) => row.senderId === reader._id && state.isMarkedRead(row) === null);
  const ids = own.map(({ _id }) => _id);
  const documents = await byIds<Pick<MessageDocument, '_id' | 'senderId' | 'readBySender'>>(messages, ids, {
    senderId: 1,
    readBySender: 1,
  });
  return new Set(documents.filter((message) => startedRead(reader, message)).map(({ _id }) => _id));
}

/** What is unread by a mark alone. */
async function markedRows(
  messages: Messages,
  reader: UserRecord,
  state: ReadState,
  subscriptions: Subscriptions,
  through: Position,
  known: readonly UnreadRow[],
  limit: number,
): Promise<UnreadRow[]> {
  const listed = new Set(known.map(({ _id }) => _id));
  const ids = state.markedIds().filter((id) => !listed.has(id));
  const fields = {
    type: 1,
    sentPosition: 1,
    senderId: 1,
    channelId: 1,
    topicKey: 1,
    dmKey: 1,
    participants: 1,
  } as const;
  const found = await byIds<MessageDocument>(messages, ids.slice(-limit), fields);
  return found.flatMap((message): UnreadRow[] => {
    if (message.sentPosition > through) return [];
    const since = message.type === 'channel' ? subscriptions.get(message.channelId)?.at(-1)?.from : START;
    if (since === undefined || (state.markedUnreadAt(message._id) ?? START) <= since) return [];
    if (message.type === 'channel') return [message];
    return message.participants.includes(reader._id) ? [message] : [];
  });
}

/** Where the next message below an id stands that the flags do not say is read; null where there is none. */
async function positionOfNext(messages: Messages, state: ReadState, id: number): Promise<Position | null> {
  const next = state.nextUnread(id - 1, -1);
  if (next === null) return null;
  if (id - next < WORTH_A_LEAP) return Number.MAX_SAFE_INTEGER;
  const [message] = await messages.find(
    { _id: { $lte: next } },
    { sort: { _id: -1 }, limit: 1, projection: { sentPosition: 1 } },
  );
  return message?.sentPosition ?? null;
}

export async function byIds<Found>(
  messages: Messages,
  ids: readonly number[],
  projection: Readonly<Record<string, 1>>,
): Promise<Found[]> {
  const found: object[] = [];
  for (let at = 0; at < ids.length; at += PAGE)
    found.push(...(await messages.find({ _id: { $in: ids.slice(at, at + PAGE) } }, { projection })));
  return found as Found[];
}
