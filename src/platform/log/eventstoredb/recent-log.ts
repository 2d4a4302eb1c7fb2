import { type Position, START } from '../../kernel/position.js';
import type { StoredEvent } from '../event-store.js';
import { RecentEvents } from '../recent-events.js';
import { type Place, RecentPlaces } from './recent-places.js';

/** Weighed in bytes. */
const LIMITS = { events: 20_000, weight: 32 * 1024 * 1024 };
/** Bytes of an event besides its data and metadata. */
const OVERHEAD = 200;

/** The newest part of the log in memory: events for followers, and ids to recognize repeated appends. */
export class RecentLog extends RecentEvents {
  /** The newest known event. An own append may lie after `head`. */
  newest: Place | undefined;
  private readonly places = new RecentPlaces();

  constructor() {
    super(LIMITS);
  }

  /** Position after which every id of ours, up to `head`, is known. */
  get idFloor(): Position {
    return this.places.floor;
  }

  override startAt(position: Position): void {
    super.startAt(position);
    this.places.floor = position;
  }

  /** @param bytes estimated size */
  override add(event: StoredEvent, bytes: number): void {
    this.isNewest(this.places.arrived(event));
    super.add(event, OVERHEAD + bytes);
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

  protected override dropped(event: StoredEvent): void {
    this.places.forget(event);
  }

  private isNewest(place: Place): void {
    if (place.position !== undefined && place.position > (this.newest?.position ?? START)) this.newest = place;
  }
}
