import { type Position, START } from '../kernel/position.js';
import { BATCH_BYTES, type Batch, type EventFilter, passes, type StoredEvent } from './event-store.js';

/** The most that is kept in memory. */
interface MemoryLimits {
  readonly events: number;
  /** Sum of the weights that events are added with: bytes, or characters of JSON. */
  readonly weight: number;
}

/**
 * Keeps the newest events of the log in memory for followers, without a gap: every event of ours between `floor` and
 * `head`. Followers share the events, so they are frozen.
 */
export class RecentEvents {
  private end: Position = START;
  private start: Position = START;
  private events: StoredEvent[] = [];
  private weights: number[] = [];
  private weight = 0;

  constructor(private readonly limits: MemoryLimits) {}

  /** The position up to which events are known. */
  get head(): Position {
    return this.end;
  }

  /** Every event after this position, up to the head, is in memory. */
  get floor(): Position {
    return this.start;
  }

  /** Begins anew after a position: forgets everything before it. */
  startAt(position: Position): void {
    this.drop(this.events.length);
    this.end = position;
    this.start = position;
  }

  /** Adds the log's next event. The older half is dropped when there are too many, or they are too large. */
  add(event: StoredEvent, weight: number): void {
    this.events.push(event);
    this.weights.push(weight);
    this.weight += weight;
    this.end = event.position;
    while (this.weight > this.limits.weight || this.events.length > this.limits.events)
      this.drop(Math.ceil(this.events.length / 2));
  }

  covers(position: Position): boolean {
    return position >= this.start;
  }

  /** Reads events after a position. The memory must cover it. */
  read(after: Position, limit: number, filter: EventFilter | undefined): Batch {
    const events: StoredEvent[] = [];
    let weight = 0;
    const isFull = () => events.length >= limit || weight >= BATCH_BYTES;
    for (let index = this.firstAfter(after); index < this.events.length && !isFull(); index += 1) {
      const event = this.events[index];
      if (!event || !passes(event, filter)) continue;
      events.push(event);
      weight += this.weights[index] ?? 0;
    }
    const considered = isFull() ? (events.at(-1)?.position ?? after) : this.head;
    const position = Math.max(after, considered);
    return { events, position, caughtUp: position >= this.head };
  }

  /** Called for each event that is dropped. */
  protected dropped(_event: StoredEvent): void {}

  private drop(count: number): void {
    for (const event of this.events.splice(0, count)) {
      this.start = event.position;
      this.dropped(event);
    }
    for (const weight of this.weights.splice(0, count)) this.weight -= weight;
  }

  private firstAfter(after: Position): number {
    let [low, high] = [0, this.events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.events[middle]?.position ?? 0) > after) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
