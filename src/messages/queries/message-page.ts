import type { MessageDocument } from '../../../projections/messages.projection.js';
import { START } from '../../kernel/position.js';
import type { MessageView } from './message-view.js';
import { type Messages, scanMessages } from './scan-messages.js';

/** Stands for "after every message": clients send it, and it is the anchor told where all is read. */
export const NEWEST = 10_000_000_000_000_000;
export const OLDEST = 0;

export interface PageRequest {
  /** A message id, whether or not there is such a message; OLDEST; NEWEST. */
  readonly anchor: number;
  readonly numBefore: number;
  readonly numAfter: number;
  readonly includeAnchor: boolean;
}

export interface MessagePage {
  /** By id. */
  readonly messages: readonly MessageDocument[];
  /** The message with the anchor's id is among them. */
  readonly foundAnchor: boolean;
  /** It is certain that nothing of the view is older, or newer. */
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
}

/** Up to `numBefore` messages of the view before the anchor, the anchor, and up to `numAfter` after it. */
export async function readPage(
  collection: Messages,
  view: MessageView,
  { anchor, numBefore, numAfter, includeAnchor }: PageRequest,
): Promise<MessagePage> {
  const fromOldest = anchor <= OLDEST;
  const fromNewest = anchor >= NEWEST;
  const at = fromOldest || fromNewest ? null : await collection.findOne({ _id: anchor });
  const edge = fromOldest ? START : at ? at[view.order] : await edgeAfter(collection, view, anchor);
  const before =
    fromOldest || numBefore === 0
      ? []
      : await scanMessages(collection, view, { window: { from: START, to: edge }, direction: -1, limit: numBefore });
  const after =
    edge === null || numAfter === 0
      ? []
      : await scanMessages(collection, view, {
          window: { from: at ? edge : edge - 1, to: null },
          direction: 1,
          limit: numAfter,
        });
  const anchored = at && includeAnchor && view.includes(at) ? [at] : [];
  return {
    messages: [...before.reverse(), ...anchored, ...after],
    foundAnchor: anchored.length > 0,
    foundOldest: fromOldest || before.length < numBefore,
    foundNewest: fromNewest || after.length < numAfter,
  };
}

/** What the first message with an id above this one is ordered by; null where there is none. */
async function edgeAfter(collection: Messages, { order }: MessageView, id: number): Promise<number | null> {
  if (id >= NEWEST) return null;
  const [next] = await collection.find({ _id: { $gt: id } }, { sort: { _id: 1 }, limit: 1 });
  return next?.[order] ?? null;
}
