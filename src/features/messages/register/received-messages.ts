import type { Directory } from '../../../directory/directory.js';
import type { PositionInterval, UserRecord } from '../../../directory/directory.records.js';
import { type Position, START } from '../../../platform/kernel/position.js';
import { nextSlice } from '../../../platform/kernel/slices.js';
import type { Messages } from '../queries/reading/messages-for.js';

/** Intervals in which a user was subscribed to each channel, as of the newest position that messages are read up to. */
export type Subscriptions = ReadonlyMap<number, readonly PositionInterval[]>;

export const subscriptionsOf = (reader: UserRecord, directory: Directory): Subscriptions =>
  new Map([...directory.subscriptionsOf(reader._id)].map(([channelId, { intervals }]) => [channelId, intervals]));

interface ChannelMessageRow {
  readonly _id: number;
  readonly sentPosition: Position;
  readonly channelId: number;
  /** The channel that the message was sent to; set if it has changed channel. */
  readonly firstChannelId?: number;
}

/** Fields of a message that indexes hold: its document is not read. */
interface DirectMessageRow {
  readonly _id: number;
  readonly sentPosition: Position;
  readonly dmKey: string;
  readonly senderId: number;
}

const FIRST_PAGE = 64;
/** Rows that one turn of the event loop can take. */
const LARGEST_PAGE = 1024;

/**
 * Pages of the channel messages that were sent while the user was subscribed, newest first. Pages may be empty. A
 * channel is left out once all its subscriptions began after the position reached.
 * @param indexedField `firstChannelId`: messages that have changed channel since; `channelId`: the others
 */
export async function* channelMessages(
  messages: Messages,
  subscriptions: Subscriptions,
  through: Position,
  indexedField: 'channelId' | 'firstChannelId',
): AsyncGenerator<readonly ChannelMessageRow[], void> {
  const beginnings = [...subscriptions].flatMap(([channelId, [first]]) =>
    first ? [{ channelId, from: first.from }] : [],
  );
  const wasSentTo = ({ sentPosition, ...row }: ChannelMessageRow): boolean =>
    (indexedField === 'firstChannelId' || row.firstChannelId === undefined) &&
    (subscriptions.get(row[indexedField] ?? -1) ?? []).some(
      ({ from, to }) => from < sentPosition && (to === null || sentPosition < to),
    );
  let before = through + 1;
  for (let size = FIRST_PAGE; ; size = Math.min(size * 4, LARGEST_PAGE)) {
    const open = beginnings.filter(({ from }) => from < before - 1);
    if (open.length === 0) return;
    const from = Math.min(...open.map((beginning) => beginning.from));
    const filter = {
      [indexedField]: { $in: open.map(({ channelId }) => channelId) },
      sentPosition: { $gt: from, $lt: before },
    };
    const rows = await rowsOf<ChannelMessageRow>(messages, filter, size, {
      sentPosition: 1,
      channelId: 1,
      firstChannelId: 1,
    });
    yield rows.filter(wasSentTo);
    const next = await continuation(rows, size);
    if (next === null) return;
    before = next;
  }
}

/** Pages of the direct messages of the user's conversations, newest first. */
export async function* directMessages(
  messages: Messages,
  userId: number,
  through: Position,
): AsyncGenerator<readonly DirectMessageRow[], void> {
  let before = through + 1;
  for (let size = FIRST_PAGE; ; size = Math.min(size * 4, LARGEST_PAGE)) {
    const filter = { participants: userId, sentPosition: { $gt: START, $lt: before } };
    const rows = await rowsOf<DirectMessageRow>(messages, filter, size, { sentPosition: 1, dmKey: 1, senderId: 1 });
    yield rows;
    const next = await continuation(rows, size);
    if (next === null) return;
    before = next;
  }
}

/** Position below which the next page begins; null if this page is the last. */
async function continuation(
  rows: readonly { readonly _id: number; readonly sentPosition: Position }[],
  size: number,
): Promise<Position | null> {
  const last = rows.at(-1);
  if (!last || rows.length < size) return null;
  await nextSlice();
  return last.sentPosition;
}

/** The first rows of the pages, at most `limit`; `more` is set if the pages have more. */
export async function take<Row>(
  pages: AsyncIterable<readonly Row[]>,
  limit: number,
  isWanted: (row: Row) => boolean = () => true,
): Promise<{ readonly rows: Row[]; readonly more: boolean }> {
  const rows: Row[] = [];
  for await (const page of pages) {
    for (const row of page) {
      if (!isWanted(row)) continue;
      if (rows.length === limit) return { rows, more: true };
      rows.push(row);
    }
  }
  return { rows, more: false };
}

async function rowsOf<Row>(
  messages: Messages,
  filter: Readonly<Record<string, unknown>>,
  limit: number,
  projection: Readonly<Record<string, 1>>,
): Promise<readonly Row[]> {
  const found: readonly object[] = await messages.find(filter, { sort: { sentPosition: -1 }, limit, projection });
  return found as readonly Row[];
}
