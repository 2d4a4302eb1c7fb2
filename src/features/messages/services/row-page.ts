import type { MessageDocument } from '../../../../projections/messages/messages.projection.js';
import type { Direction } from '../queries/reading/index-scan-filters.js';
import { type MessagePage, NEWEST, OLDEST, type PageRequest } from '../queries/reading/message-page.js';
import type { MessageView } from '../queries/reading/message-view.js';
import type { Messages } from '../queries/reading/messages-for.js';
import { PageBudget, type PageRoom } from '../queries/reading/page-budget.js';
import { readByIds } from '../queries/reading/read-in-batches.js';
import type { ScanLimit } from '../queries/reading/scan-messages.js';
import { withShownPast } from '../queries/records/past-contents.js';
import type { MessageRow } from './message-block.js';
import type { NarrowedRows } from './narrowed-rows.js';

interface RowPage {
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

/** A page of messages that are found by their rows. @param view the view of the same narrow, which decides */
export async function readPageByRows(
  collection: Messages,
  narrowed: NarrowedRows,
  view: MessageView,
  request: PageRequest,
  room: PageRoom,
): Promise<MessagePage> {
  const { rows, foundOldest, foundNewest } = await readRowPage(narrowed, request);
  const ids = rows.map(({ _id }) => _id);
  const { anchor } = request;
  const [at] = ids.includes(anchor) ? await collection.find({ _id: { $in: [anchor] } }) : [];
  const anchored = at && view.includes(at) ? [at] : [];
  const budget = new PageBudget(room);
  for (const message of anchored) budget.anchored(message);
  const [olderIds, newerIds] = [ids.filter((id) => id < anchor).reverse(), ids.filter((id) => id > anchor)];
  const older = budget.side(newerIds.length === 0);
  const before = await documentsOf(collection, view, olderIds, -1, older);
  const newer = budget.side(true);
  const after = await documentsOf(collection, view, newerIds, 1, newer);
  return {
    messages: [...before.reverse(), ...anchored, ...after],
    foundAnchor: anchored.length > 0,
    foundOldest: foundOldest && !older.isSpent,
    foundNewest: foundNewest && !newer.isSpent,
  };
}

/** The messages among `ids`, in their order, until a limit. */
async function documentsOf(
  collection: Messages,
  view: MessageView,
  ids: readonly number[],
  direction: Direction,
  until: ScanLimit,
): Promise<MessageDocument[]> {
  const found: MessageDocument[] = [];
  for await (const batch of readByIds(collection, ids, direction)) {
    const included = batch.filter((message) => view.includes(message));
    for (const message of await withShownPast(collection, included)) {
      if (!until.admits(message)) return found;
      found.push(message);
    }
  }
  return found;
}
