import type { MessageDocument } from '../../../../projections/messages/messages.projection.js';
import { ByteBudget } from '../../../platform/kernel/byte-budget.js';
import type { ScanLimit } from './scan-messages.js';

/** The room of a page. */
export interface PageRoom {
  /** Bytes of all its messages. */
  readonly bytes: number;
  readonly sizeOf: (message: MessageDocument) => number;
  /** The part of a message that is kept; absent: all of it. */
  readonly retained?: (message: MessageDocument) => MessageDocument;
}

/** Room for any page. */
export const UNBOUNDED: PageRoom = { bytes: Number.POSITIVE_INFINITY, sizeOf: () => 0 };

/** Gives each side of the anchor half of the room, and the newer side the room that the older one has left. */
export class PageBudget {
  private used = 0;

  constructor(private readonly room: PageRoom) {}

  /** Takes room for the anchor. */
  anchored(message: MessageDocument): void {
    this.used += this.room.sizeOf(message);
  }

  /** @param isLast whether no other side follows */
  side(isLast: boolean): ScanLimit & { readonly isSpent: boolean } {
    const { bytes, sizeOf } = this.room;
    const left = bytes - this.used;
    const budget = new ByteBudget(isLast ? left : left / 2);
    const admits = (message: MessageDocument): boolean => {
      const size = sizeOf(message);
      if (!budget.admits(size)) return false;
      this.used += size;
      return true;
    };
    return {
      admits,
      get isSpent() {
        return budget.isSpent;
      },
    };
  }
}
