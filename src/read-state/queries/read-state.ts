import { CHUNK_SIZE, type ChunkBits, chunkOf, decodeChunk } from '../../../projections/id-chunk.js';
import type { FlagDocument, FlagSet } from '../../../projections/read-state.projection.js';
import { type Position, START } from '../../kernel/position.js';

/** Ascending or descending. */
type Direction = 1 | -1;

type Chunks = ReadonlyMap<number, ChunkBits>;

/** What one user has flagged, decoded, as of a position. */
export class ReadState {
  private constructor(
    readonly userId: number,
    private readonly sets: ReadonlyMap<FlagSet, Chunks>,
    /** Messages before it count as read, unless they are marked as unread. */
    readonly allReadAt: Position,
    /** A message that was sent before then: everything with a lower id was, too; 0 where none is known. */
    readonly allReadThroughId: number,
  ) {}

  static none(userId: number): ReadState {
    return new ReadState(userId, new Map(), START, 0);
  }

  /** @param changed all that has changed since this was so */
  with(changed: readonly FlagDocument[]): ReadState {
    const allReadAt = Math.max(this.allReadAt, ...changed.flatMap((one) => (one.set === 'all' ? [one.position] : [])));
    const isCleared = allReadAt > this.allReadAt;
    const sets = new Map<FlagSet, Map<number, ChunkBits>>();
    for (const [set, chunks] of this.sets) {
      if (isCleared && (set === 'read' || set === 'unread')) continue;
      sets.set(set, new Map(chunks));
    }
    for (const document of changed) {
      if (document.set === 'all') continue;
      const chunks = sets.get(document.set) ?? new Map<number, ChunkBits>();
      chunks.set(document.chunk, decodeChunk(document.ids));
      sets.set(document.set, chunks);
    }
    return new ReadState(this.userId, sets, allReadAt, isCleared ? 0 : this.allReadThroughId);
  }

  knowing(allReadThroughId: number): ReadState {
    return new ReadState(this.userId, this.sets, this.allReadAt, allReadThroughId);
  }

  has(set: FlagSet, id: number): boolean {
    const bits = this.sets.get(set)?.get(chunkOf(id));
    if (!bits) return false;
    const offset = id % CHUNK_SIZE;
    return (((bits[offset >>> 5] ?? 0) >>> (offset & 31)) & 1) === 1;
  }

  hasAny(set: FlagSet): boolean {
    return [...(this.sets.get(set)?.values() ?? [])].some((bits) => bits.some((word) => word !== 0));
  }

  /** Ascending. */
  ids(set: FlagSet): number[] {
    const ids: number[] = [];
    for (const [chunk, bits] of [...(this.sets.get(set) ?? [])].sort(([a], [b]) => a - b)) {
      bits.forEach((word, index) => {
        for (let rest = word; rest !== 0; rest &= rest - 1)
          ids.push(chunk * CHUNK_SIZE + index * 32 + (31 - Math.clz32(rest & -rest)));
      });
    }
    return ids;
  }

  /** Whether the flags alone say that it is read, or unread; null: that is for others to say. */
  isMarkedRead({ _id, sentPosition }: { readonly _id: number; readonly sentPosition: Position }): boolean | null {
    if (this.has('unread', _id)) return false;
    return sentPosition < this.allReadAt || this.has('read', _id) ? true : null;
  }

  /** The nearest id, from this one on, that the flags do not say is read; null where there is none that way. */
  nextUnread(id: number, direction: Direction): number | null {
    const { allReadThroughId } = this;
    const inBetween = Math.min(id, allReadThroughId);
    if (direction === -1) {
      const next = id > allReadThroughId ? this.nextNotIn(id, -1) : 0;
      if (next > allReadThroughId) return next;
      return this.ids('unread').findLast((one) => one <= inBetween) ?? null;
    }
    if (id > allReadThroughId) return this.nextNotIn(id, 1);
    const marked = this.ids('unread').find((one) => one >= id) ?? Number.MAX_SAFE_INTEGER;
    return Math.min(marked, this.nextNotIn(allReadThroughId + 1, 1));
  }

  /** The nearest id that is not in `read`; whole words of read ids are passed over at once. */
  private nextNotIn(id: number, direction: Direction): number {
    const chunks = this.sets.get('read');
    for (let at = id; at > 0; ) {
      const bits = chunks?.get(chunkOf(at));
      if (!bits) return at;
      const offset = at % CHUNK_SIZE;
      const word = bits[offset >>> 5] ?? 0;
      if (word !== 0xffffffff) {
        if (((word >>> (offset & 31)) & 1) === 0) return at;
        at += direction;
      } else at += direction === 1 ? 32 - (offset & 31) : -(offset & 31) - 1;
    }
    return 0;
  }
}
