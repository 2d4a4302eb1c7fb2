import { type Position, START } from '../../kernel/position.js';
import type { Batch, EventFilter, StoredEvent } from '../event-store.js';
import { freezeAndWeigh } from './codec.js';
import { passes } from './filters.js';

const MOST_EVENTS = 20_000;
const MOST_BYTES = 32 * 1024 * 1024;
/** They are small, and repeats come later than followers do. */
const MOST_IDS = 50_000;

/** Where an event with a certain id lies. */
export interface Place {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  /** Undefined for all but the last event of an own append, until the tail has passed them. */
  readonly position: Position | undefined;
  readonly event?: StoredEvent;
}

/** The newest part of the log in memory: events for followers, ids for appends that are made again. */
export class RecentLog {
  /** Of the newest event here. */
  head: Position = START;
  /** Every event of ours after this position, up to `head`, is here. */
  floor: Position = START;
  /** Every id of ours after this position, up to `head`, is known. */
  idFloor: Position = START;
  /** The last event that this process knows to be in the log; one of its own appends may lie behind `head`. */
  newest: Place | undefined;
  private events: StoredEvent[] = [];
  private weights: number[] = [];
  private bytes = 0;
  /** In the order they were learned in. */
  private readonly byId = new Map<string, Place>();
  private readonly byRevision = new Map<string, Place>();

  /** Begins behind a position, and knows nothing before it. */
  startAt(floor: Position): void {
    this.head = floor;
    this.floor = floor;
    this.idFloor = floor;
  }

  /** The next event of the log. */
  add(event: StoredEvent): void {
    const weight = freezeAndWeigh(event);
    this.events.push(event);
    this.weights.push(weight);
    this.bytes += weight;
    this.head = event.position;
    this.learn({ ...placeOf(event), event });
    if (this.bytes > MOST_BYTES || this.events.length > MOST_EVENTS) this.drop(Math.ceil(this.events.length / 2));
  }

  /** An own append, before the tail brings it. */
  acknowledged(stream: string, ids: readonly string[], revision: number, position: Position | undefined): void {
    for (const [index, id] of ids.entries()) {
      const before = ids.length - 1 - index;
      if (this.byId.has(key(stream, id))) continue;
      this.learn({ id, stream, revision: revision - before, position: before === 0 ? position : undefined });
    }
  }

  find(stream: string, id: string): Place | undefined {
    return this.byId.get(key(stream, id));
  }

  at(stream: string, revision: number): Place | undefined {
    return this.byRevision.get(key(stream, revision));
  }

  covers(position: Position): boolean {
    return position >= this.floor;
  }

  /** What lies after a position that is covered. */
  read(after: Position, limit: number, filter: EventFilter | undefined): Batch {
    const events: StoredEvent[] = [];
    for (let index = this.firstAfter(after); index < this.events.length && events.length < limit; index += 1) {
      const event = this.events[index];
      if (event && passes(event, filter)) events.push(event);
    }
    const considered = events.length < limit ? this.head : (events.at(-1)?.position ?? after);
    const position = Math.max(after, considered);
    return { events, position, caughtUp: position >= this.head };
  }

  private learn(place: Place): void {
    if (place.position !== undefined && place.position > (this.newest?.position ?? START)) this.newest = place;
    this.byId.set(key(place.stream, place.id), place);
    this.byRevision.set(key(place.stream, place.revision), place);
    if (this.byId.size <= MOST_IDS) return;
    for (const [name, { stream, revision, position }] of this.byId) {
      this.byId.delete(name);
      this.byRevision.delete(key(stream, revision));
      this.idFloor = Math.max(this.idFloor, position ?? this.head);
      break;
    }
  }

  private drop(count: number): void {
    for (const event of this.events.splice(0, count)) {
      this.floor = event.position;
      const place = this.find(event.stream, event.id);
      if (place?.event === event) this.learn(placeOf(event));
    }
    for (const weight of this.weights.splice(0, count)) this.bytes -= weight;
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

const placeOf = ({ id, stream, revision, position }: StoredEvent): Place => ({ id, stream, revision, position });

const key = (stream: string, what: string | number): string => `${stream}\n${what}`;
