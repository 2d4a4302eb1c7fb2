import type { MessageDocument } from '../../../../../projections/messages/messages.projection.js';
import { START } from '../../../../platform/kernel/position.js';
import type { MessageView } from './message-view.js';
import type { Messages } from './messages-for.js';
import { PageBudget, type PageRoom, UNBOUNDED } from './page-budget.js';
import { scanMessages } from './scan-messages.js';

/** The anchor "after every message": clients send it, and get it as the anchor if all messages are read. */
export const NEWEST = 10_000_000_000_000_000;
export const OLDEST = 0;

export interface PageRequest {
  /** A message id, of an existing message or not; OLDEST; NEWEST. */
  readonly anchor: number;
  readonly numBefore: number;
  readonly numAfter: number;
  readonly includeAnchor: boolean;
}

export interface MessagePage {
  /** By id. */
  readonly messages: readonly MessageDocument[];
  /** Whether the message with the anchor's id is among them. */
  readonly foundAnchor: boolean;
  /** Whether no message of the view is older, or newer. */
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
}

/**
 * Reads up to `numBefore` messages of the view before the anchor, the anchor, and up to `numAfter` after it; fewer if
 * the room ends before, but at least one on each side.
 */
export async function readPage(
  collection: Messages,
  view: MessageView,
  { anchor, numBefore, numAfter, includeAnchor }: PageRequest,
  room: PageRoom = UNBOUNDED,
): Promise<MessagePage> {
  const fromOldest = anchor <= OLDEST;
  const fromNewest = anchor >= NEWEST;
  const at = fromOldest || fromNewest ? null : await collection.findOne({ _id: anchor });
  const edge = fromOldest ? START : at ? at[view.order] : await edgeAfter(collection, view, anchor);
  const anchored = at && includeAnchor && view.includes(at) ? [at] : [];
  const budget = new PageBudget(room);
  for (const message of anchored) budget.anchored(message);
  // One more than asked for tells whether there are more.
  const older = budget.side(numAfter === 0 || edge === null);
  const before = fromOldest
    ? []
    : await scanMessages(collection, view, {
        window: { from: START, to: edge },
        direction: -1,
        limit: numBefore + 1,
        until: older,
        retained: room.retained,
      });
  const newer = budget.side(true);
  const after =
    edge === null
      ? []
      : await scanMessages(collection, view, {
          window: { from: at ? edge : edge - 1, to: null },
          direction: 1,
          limit: numAfter + 1,
          until: newer,
          retained: room.retained,
        });
  return {
    messages: [...before.slice(0, numBefore).reverse(), ...anchored, ...after.slice(0, numAfter)],
    foundAnchor: anchored.length > 0,
    foundOldest: before.length <= numBefore && !older.isSpent,
    foundNewest: after.length <= numAfter && !newer.isSpent,
  };
}

/** The value that the first message with a higher id is ordered by; null if there is no such message. */
async function edgeAfter(collection: Messages, { order }: MessageView, id: number): Promise<number | null> {
  if (id >= NEWEST) return null;
  const [next] = await collection.find({ _id: { $gt: id } }, { sort: { _id: 1 }, limit: 1 });
  return next?.[order] ?? null;
}
