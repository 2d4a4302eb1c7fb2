import {
  CHUNK_SIZE,
  type ChunkBits,
  chunkOf,
  decodeChunk,
  setRange,
} from '../../../../projections/read-state/id-chunk.js';
import type { FlagDocument, FlagMark } from '../../../../projections/read-state/read-state.projection.js';
import { idsIn, type OwnFlag } from '../../../events/read-state/read-state.events.js';
import { type Position, START } from '../../../platform/kernel/position.js';
import { arrivedMuted, type MuteHistory, NO_MUTES } from './muted-senders.js';

/** Ascending or descending. */
type Direction = 1 | -1;

type Chunks = ReadonlyMap<number, ChunkBits>;

/** A user's flags, decoded, as of a position. */
export class ReadState {
  private constructor(
    readonly userId: number,
    private readonly sets: ReadonlyMap<OwnFlag, Chunks>,
    /** By chunk: ranges marked as unread; for `stars`, ranges of starred messages with the position of the star. */
    private readonly marks: ReadonlyMap<number, readonly FlagMark[]>,
    private readonly stars: ReadonlyMap<number, readonly FlagMark[]>,
    /** Messages sent before this position count as read, unless they are marked as unread. */
    readonly allReadAt: Position,
    /** Id of a message that was sent before `allReadAt`; all lower ids were, too. 0: none is known. */
    readonly allReadThroughId: number,
    private readonly mutes: MuteHistory,
  ) {}

  static none(userId: number): ReadState {
    return new ReadState(userId, new Map(), new Map(), new Map(), START, 0, NO_MUTES);
  }

  /** @param changed all documents that have changed since this state */
  with(changed: readonly FlagDocument[]): ReadState {
    const allReadAt = Math.max(this.allReadAt, ...changed.flatMap((one) => (one.set === 'all' ? [one.position] : [])));
    const isCleared = allReadAt > this.allReadAt;
    const sets = new Map<OwnFlag, Map<number, ChunkBits>>();
    for (const [set, chunks] of this.sets) {
      if (isCleared && set === 'read') continue;
      sets.set(set, new Map(chunks));
    }
    const marks = new Map(isCleared ? [] : this.marks);
    const stars = new Map(this.stars);
    for (const document of changed) {
      if (document.set === 'all') continue;
      if (document.set === 'unread') {
        marks.set(document.chunk, document.marks);
        continue;
      }
      if (document.set === 'starred') stars.set(document.chunk, document.since ?? []);
      const chunks = sets.get(document.set) ?? new Map<number, ChunkBits>();
      chunks.set(document.chunk, decodeChunk(document.ids));
      sets.set(document.set, chunks);
    }
    const through = isCleared ? 0 : this.allReadThroughId;
    return new ReadState(this.userId, sets, marks, stars, allReadAt, through, this.mutes);
  }

  withAllReadThrough(allReadThroughId: number): ReadState {
    return new ReadState(this.userId, this.sets, this.marks, this.stars, this.allReadAt, allReadThroughId, this.mutes);
  }

  withMutes(mutes: MuteHistory): ReadState {
    return new ReadState(this.userId, this.sets, this.marks, this.stars, this.allReadAt, this.allReadThroughId, mutes);
  }

  /** Whether the message arrived read because the user had its sender muted. An end of the mute makes no difference. */
  arrivedRead(message: { readonly senderId: number; readonly sentPosition: Position }): boolean {
    return arrivedMuted(this.mutes, message);
  }

  has(set: OwnFlag, id: number): boolean {
    const bits = this.sets.get(set)?.get(chunkOf(id));
    if (!bits) return false;
    const offset = id % CHUNK_SIZE;
    return (((bits[offset >>> 5] ?? 0) >>> (offset & 31)) & 1) === 1;
  }

  get hasMarks(): boolean {
    return [...this.marks.values()].some((marks) => marks.length > 0);
  }

  /** The position at which a message was marked as unread; null if it is not. */
  markedUnreadAt(id: number): Position | null {
    return markedAt(this.marks, id);
  }

  /** The position at which a message was starred; null if it is not. */
  starredAt(id: number): Position | null {
    return markedAt(this.stars, id);
  }

  /** Ids of messages marked as unread, ascending. */
  markedIds(): number[] {
    const chunks = [...this.marks].sort(([a], [b]) => a - b);
    return chunks.flatMap(([, marks]) => idsIn(marks.map(([from, to]) => [from, to])));
  }

  /** Ids of the messages in a set, ascending. */
  ids(set: OwnFlag): number[] {
    const ids: number[] = [];
    for (const [chunk, bits] of [...(this.sets.get(set) ?? [])].sort(([a], [b]) => a - b)) {
      bits.forEach((word, index) => {
        for (let rest = word; rest !== 0; rest &= rest - 1)
          ids.push(chunk * CHUNK_SIZE + index * 32 + (31 - Math.clz32(rest & -rest)));
      });
    }
    return ids;
  }

  /**
   * Whether the flags alone say that the message is read, or unread; null: they do not decide.
   * @param since older marks do not count
   */
  isMarkedRead(
    { _id, sentPosition }: { readonly _id: number; readonly sentPosition: Position },
    since: Position = START,
  ): boolean | null {
    const markedAt = this.markedUnreadAt(_id);
    if (markedAt !== null) return markedAt > since ? false : null;
    return sentPosition < this.allReadAt || this.has('read', _id) ? true : null;
  }

  /**
   * Sets a bit for each id, from `first` on, that the flags do not say is read. The number of ids is a multiple of 32
   * that divides CHUNK_SIZE; `first` is a multiple of that number.
   * @returns false if no bit is set
   */
  maybeUnread(first: number, into: Uint32Array): boolean {
    const { allReadThroughId } = this;
    const read = this.sets.get('read')?.get(chunkOf(first));
    const word = (first % CHUNK_SIZE) >>> 5;
    let any = 0;
    for (let at = 0; at < into.length; at++) {
      const id = first + at * 32;
      const open = allReadThroughId < id ? 0xffffffff : allReadThroughId >= id + 31 ? 0 : -2 << (allReadThroughId - id);
      const bits = open & ~(read?.[word + at] ?? 0);
      into[at] = bits;
      any |= bits;
    }
    const last = first + into.length * 32 - 1;
    const marks = this.marks.get(chunkOf(first)) ?? [];
    for (let at = firstReaching(marks, first); at < marks.length; at++) {
      const [from, to] = marks[at] as FlagMark;
      if (from > last) break;
      setRange(into, Math.max(from, first) - first, Math.min(to, last) - first, true);
      any = 1;
    }
    return any !== 0;
  }

  /** The nearest id, from this one on, that the flags do not say is read; null if there is none in that direction. */
  nextUnread(id: number, direction: Direction): number | null {
    const { allReadThroughId } = this;
    const inBetween = Math.min(id, allReadThroughId);
    if (direction === -1) {
      const next = id > allReadThroughId ? this.nextNotIn(id, -1) : 0;
      if (next > allReadThroughId) return next;
      return this.markedIds().findLast((one) => one <= inBetween) ?? null;
    }
    if (id > allReadThroughId) return this.nextNotIn(id, 1);
    const marked = this.markedIds().find((one) => one >= id) ?? Number.MAX_SAFE_INTEGER;
    return Math.min(marked, this.nextNotIn(allReadThroughId + 1, 1));
  }

  /** The nearest id that is not in `read`. Passes whole words of read ids at once. */
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

function markedAt(all: ReadonlyMap<number, readonly FlagMark[]>, id: number): Position | null {
  const marks = all.get(chunkOf(id)) ?? [];
  const mark = marks[firstReaching(marks, id)];
  return mark && mark[0] <= id ? mark[2] : null;
}

/** Index of the first mark that ends at an id or beyond it. */
function firstReaching(marks: readonly FlagMark[], id: number): number {
  let [low, high] = [0, marks.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((marks[middle]?.[1] ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
