import type { MessageDocument } from '../../../../../projections/messages/messages.projection.js';
import { ByteBudget, type PartSize, PartSizes, sizeOfBytes } from '../../../../platform/kernel/byte-budget.js';
import type { ScanLimit } from './scan-messages.js';

/** The room of a page. */
export interface PageRoom {
  /** Bytes of all its messages. */
  readonly bytes: number;
  readonly sizeOf: (message: MessageDocument) => PartSize;
  /** The part of a message that is kept; absent: all of it. */
  readonly retained?: (message: MessageDocument) => MessageDocument;
}

/** Room for any page. */
export const UNBOUNDED: PageRoom = { bytes: Number.POSITIVE_INFINITY, sizeOf: () => sizeOfBytes(0) };

/** Gives each side of the anchor half of the room, and the newer side the room that the older one has left. */
export class PageBudget {
  private readonly taken = new PartSizes();

  constructor(private readonly room: PageRoom) {}

  /** Takes room for the anchor. */
  anchored(message: MessageDocument): void {
    this.taken.add(this.room.sizeOf(message));
  }

  /** @param isLast whether no other side follows */
  side(isLast: boolean): ScanLimit & { readonly isSpent: boolean } {
    const { bytes, sizeOf } = this.room;
    const budget = new ByteBudget(isLast ? bytes : (bytes + this.taken.bytes) / 2, this.taken);
    return {
      admits: (message) => budget.admits(sizeOf(message)),
      get isSpent() {
        return budget.isSpent;
      },
    };
  }
}
