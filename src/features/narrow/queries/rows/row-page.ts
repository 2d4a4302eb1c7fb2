import type { MessageDocument } from '../../../../../projections/messages/messages.projection.js';
import { type MessagePage, NEWEST, OLDEST, type PageRequest } from '../message-page.js';
import type { MessageView } from '../message-view.js';
import type { Messages } from '../scan-messages.js';
import type { MessageRow } from './message-block.js';
import type { NarrowedRows } from './narrowed-rows.js';

export interface RowPage {
  /** By id. */
  readonly rows: readonly MessageRow[];
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
}

/** Reads a page of rows, as `readPage` reads one of messages. */
export async function readRowPage(
  narrowed: NarrowedRows,
  { anchor, numBefore, numAfter, includeAnchor }: PageRequest,
): Promise<RowPage> {
  const fromOldest = anchor <= OLDEST;
  const fromNewest = anchor >= NEWEST;
  // One more than asked for tells whether there are more.
  const before = fromOldest ? [] : await narrowed.take(numBefore + 1, -1, { from: 0, to: anchor - 1 });
  const after = fromNewest ? [] : await narrowed.take(numAfter + 1, 1, { from: anchor + 1, to: NEWEST });
  const isAnchored = includeAnchor && !fromOldest && !fromNewest;
  const anchored = isAnchored ? await narrowed.take(1, 1, { from: anchor, to: anchor }) : [];
  return {
    rows: [...before.slice(0, numBefore).reverse(), ...anchored, ...after.slice(0, numAfter)],
    foundOldest: before.length <= numBefore,
    foundNewest: after.length <= numAfter,
  };
}

/** Id of the oldest row; NEWEST if there is none. @param unread the rows of unread messages */
export async function firstUnreadRow(unread: NarrowedRows): Promise<number> {
  const [first] = await unread.take(1, 1);
  return first?._id ?? NEWEST;
}

/** Documents read at once. */
const AT_ONCE = 500;

/** A page of messages that are found by their rows. @param view the view of the same narrow, which decides */
export async function readPageByRows(
  collection: Messages,
  narrowed: NarrowedRows,
  view: MessageView,
  request: PageRequest,
): Promise<MessagePage> {
  const { rows, foundOldest, foundNewest } = await readRowPage(narrowed, request);
  const found: MessageDocument[] = [];
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const $in = rows.slice(at, at + AT_ONCE).map(({ _id }) => _id);
    found.push(...(await collection.find({ _id: { $in } }, { sort: { _id: 1 } })));
  }
  const messages = found.filter((message) => view.includes(message));
  return { messages, foundAnchor: messages.some(({ _id }) => _id === request.anchor), foundOldest, foundNewest };
}
