import { NEWEST, OLDEST, type PageRequest } from '../message-page.js';
import type { MessageRow } from './message-block.js';
import type { NarrowedRows } from './narrowed-rows.js';

export interface RowPage {
  /** By id. */
  readonly rows: readonly MessageRow[];
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
}

/** The same page as of messages, of their rows. */
export async function readRowPage(
  narrowed: NarrowedRows,
  { anchor, numBefore, numAfter, includeAnchor }: PageRequest,
): Promise<RowPage> {
  const fromOldest = anchor <= OLDEST;
  const fromNewest = anchor >= NEWEST;
  const before = fromOldest ? [] : await narrowed.take(numBefore, -1, { from: 0, to: anchor - 1 });
  const after = fromNewest ? [] : await narrowed.take(numAfter, 1, { from: anchor + 1, to: NEWEST });
  const isAnchored = includeAnchor && !fromOldest && !fromNewest;
  const anchored = isAnchored ? await narrowed.take(1, 1, { from: anchor, to: anchor }) : [];
  return {
    rows: [...before.reverse(), ...anchored, ...after],
    foundOldest: fromOldest || before.length < numBefore,
    foundNewest: fromNewest || after.length < numAfter,
  };
}

/** Id of the oldest, NEWEST where there is none. @param unread of what the reader has not read */
export async function firstUnreadRow(unread: NarrowedRows): Promise<number> {
  const [first] = await unread.take(1, 1);
  return first?._id ?? NEWEST;
}
