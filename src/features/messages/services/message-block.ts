import {
  BLOCK_SIZE,
  type BlockDocument,
  DIRECT,
  type MovedIn,
  NONE,
  ROW_LENGTH,
} from '../../../../projections/messages/message-blocks.js';
import type { Position } from '../../../platform/kernel/position.js';

/** The facts about a message that are known without its document. */
export type MessageRow = {
  readonly _id: number;
  readonly sentPosition: Position;
  readonly senderId: number;
  readonly readBySender: boolean;
  /** Number of its topic's spelling, or of its conversation. */
  readonly place: number;
} & ({ readonly type: 'direct' } | ({ readonly type: 'channel'; readonly channelId: number } & Partial<MovedIn>));

/** The rows of a block, as columns. */
export class MessageBlock {
  readonly first: number;
  readonly count: number;
  readonly channels: Int32Array;
  readonly places: Int32Array;
  private readonly senders: Float64Array;
  private readonly positions: Float64Array;
  private readonly movedIn: BlockDocument['arrivals'];

  constructor({ _id, base, columns, arrivals }: BlockDocument) {
    this.first = _id * BLOCK_SIZE;
    this.count = columns.length / ROW_LENGTH;
    this.channels = new Int32Array(this.count);
    this.places = new Int32Array(this.count);
    this.senders = new Float64Array(this.count);
    this.positions = new Float64Array(this.count);
    this.movedIn = arrivals;
    for (let at = 0, from = 0; at < this.count; at++, from += ROW_LENGTH) {
      this.channels[at] = columns[from] ?? NONE;
      this.places[at] = columns[from + 1] ?? 0;
      this.senders[at] = columns[from + 2] ?? 0;
      this.positions[at] = base + (columns[from + 3] ?? 0);
    }
  }

  /** The row at an index of the block, which must have a message. */
  row(at: number): MessageRow {
    const _id = this.first + at;
    const sender = this.senders[at] ?? 0;
    const sentPosition = this.positions[at] ?? 0;
    const senderId = Math.floor(sender / 2);
    const readBySender = sender % 2 === 1;
    const place = this.places[at] ?? 0;
    const channelId = this.channels[at] ?? NONE;
    if (channelId === DIRECT) return { _id, sentPosition, senderId, readBySender, place, type: 'direct' };
    const movedIn = this.movedIn?.[_id];
    // Written field by field: a hundred thousand rows are made at once.
    if (!movedIn) return { _id, sentPosition, senderId, readBySender, place, type: 'channel', channelId };
    return { _id, sentPosition, senderId, readBySender, place, type: 'channel', channelId, ...movedIn };
  }
}
