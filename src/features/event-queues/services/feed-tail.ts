import type { ClientEventDocument } from '../../../../projections/client-events/client-events.documents.js';

export interface FeedPage {
  readonly events: readonly ClientEventDocument[];
  /** No event between the last of `events` and this id is left out. */
  readonly through: number;
}

/** The newest client events, in memory: all of them between two ids, at most `size`. */
export class FeedTail {
  private events: ClientEventDocument[] = [];
  /** The tail has every event after this id, up to `end`. */
  private start = 0;
  private last = 0;

  constructor(private readonly size: number) {}

  get end(): number {
    return this.last;
  }

  append({ events, through }: FeedPage): void {
    this.events.push(...events);
    this.last = through;
    if (this.events.length <= this.size) return;
    // Drops half at once: the rest is moved once for many appends.
    const dropped = this.events.splice(0, this.events.length - Math.ceil(this.size / 2));
    this.start = dropped.at(-1)?._id ?? this.start;
  }

  /** Empties the tail and begins again at `end`. */
  restart(end: number): void {
    this.events = [];
    this.start = end;
    this.last = end;
  }

  reachesBackTo(id: number): boolean {
    return id >= this.start;
  }

  /** null: some events after `id` have been dropped. */
  after(id: number, limit: number): FeedPage | null {
    if (!this.reachesBackTo(id)) return null;
    const from = this.indexAfter(id);
    const events = this.events.slice(from, from + limit);
    const through = from + limit < this.events.length ? (events.at(-1)?._id ?? this.last) : this.last;
    return { events, through: Math.max(id, through) };
  }

  private indexAfter(id: number): number {
    let low = 0;
    let high = this.events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.events[middle]?._id ?? 0) <= id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
