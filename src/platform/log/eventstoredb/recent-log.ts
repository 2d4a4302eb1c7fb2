import { type Position, START } from '../../kernel/position.js';
import type { Batch, EventFilter, StoredEvent } from '../event-store.js';
import { passes } from './filters.js';
import { type Place, RecentPlaces } from './recent-places.js';

const MOST_EVENTS = 20_000;
const MOST_BYTES = 32 * 1024 * 1024;
/** Bytes of an event besides its data and metadata. */
const OVERHEAD = 200;

/** The newest part of the log in memory: events for followers, and ids to recognize repeated appends. */
export class RecentLog {
  /** Position of the newest event in memory. */
  head: Position = START;
  /** Position after which every event of ours, up to `head`, is in memory. */
  floor: Position = START;
  /** The newest known event. An own append may lie after `head`. */
  newest: Place | undefined;
  private events: StoredEvent[] = [];
  private weights: number[] = [];
  private bytes = 0;
  private readonly places = new RecentPlaces();

  /** Position after which every id of ours, up to `head`, is known. */
  get idFloor(): Position {
    return this.places.floor;
  }

  /** Begins after a position; nothing before it is known. */
  startAt(floor: Position): void {
    this.head = floor;
    this.floor = floor;
    this.places.floor = floor;
  }

  /** Adds the next event, frozen, because all followers share it. @param bytes estimated size */
  add(event: StoredEvent, bytes: number): void {
    const weight = OVERHEAD + bytes;
    this.events.push(event);
    this.weights.push(weight);
    this.bytes += weight;
    this.head = event.position;
    this.isNewest(this.places.arrived(event));
    if (this.bytes > MOST_BYTES || this.events.length > MOST_EVENTS) this.drop(Math.ceil(this.events.length / 2));
  }

  /** Adds an own append, before the tail brings its events. */
  acknowledged(stream: string, ids: readonly string[], revision: number, position: Position | undefined): void {
    for (const [index, id] of ids.entries()) {
      if (this.places.find(stream, id)) continue;
      const before = ids.length - 1 - index;
      const place = { id, stream, revision: revision - before, position: before === 0 ? position : undefined };
      this.isNewest(this.places.add(place));
    }
  }

  find(stream: string, id: string): Place | undefined {
    return this.places.find(stream, id);
  }

  at(stream: string, revision: number): Place | undefined {
    return this.places.at(stream, revision);
  }

  covers(position: Position): boolean {
    return position >= this.floor;
  }

  /** Reads events after a position. The memory must cover it. */
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

  private isNewest(place: Place): void {
    if (place.position !== undefined && place.position > (this.newest?.position ?? START)) this.newest = place;
  }

  private drop(count: number): void {
    for (const event of this.events.splice(0, count)) {
      this.floor = event.position;
      this.places.forget(event);
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
