import { type Position, START } from '../../kernel/position.js';
import type { StoredEvent } from '../event-store.js';
import { RecentEvents } from '../recent-events.js';

/** Two generations are kept. Places are small, and repeats come later than followers. */
const MOST_IN_A_GENERATION = 25_000;

/** Place of an event in the log. */
export interface KnownPlace {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  /** Undefined until the tail has passed the event; the last event of an own append has it at once. */
  readonly position: Position | undefined;
  readonly event?: StoredEvent | undefined;
}

type Known = { -readonly [field in keyof KnownPlace]: KnownPlace[field] };

class Generation {
  readonly byId = new Map<string, Known>();
  readonly byRevision = new Map<string, Known>();
  /** Newest known position. Positions that are missing are added when the tail brings their events. */
  newest: Position = START;
}

/**
 * Places of the newest events, by id and by revision. The older generation is dropped as a whole: deleting the first
 * entries of a map one by one gets slower with each.
 */
class RecentPlaces {
  /** Position after which every id is known. */
  floor: Position = START;
  private young = new Generation();
  private old = new Generation();

  find(stream: string, id: string): KnownPlace | undefined {
    const name = key(stream, id);
    return this.young.byId.get(name) ?? this.old.byId.get(name);
  }

  at(stream: string, revision: number): KnownPlace | undefined {
    const name = key(stream, revision);
    return this.young.byRevision.get(name) ?? this.old.byRevision.get(name);
  }

  add(place: KnownPlace): KnownPlace {
    if (this.young.byId.size >= MOST_IN_A_GENERATION) this.grow();
    const known = { ...place };
    this.young.byId.set(key(place.stream, place.id), known);
    this.young.byRevision.set(key(place.stream, place.revision), known);
    this.young.newest = Math.max(this.young.newest, place.position ?? START);
    return known;
  }

  /** Adds an event that the tail brings. Its place may be known since its append was acknowledged. */
  arrived(event: StoredEvent): KnownPlace {
    const { id, stream, revision, position } = event;
    const name = key(stream, id);
    for (const generation of [this.young, this.old]) {
      const known = generation.byId.get(name);
      if (known?.revision !== revision) continue;
      known.position = position;
      known.event = event;
      generation.newest = Math.max(generation.newest, position);
      return known;
    }
    return this.add({ id, stream, revision, position, event });
  }

  /** Drops the event, and keeps its place. */
  forget(event: StoredEvent): void {
    const known: Known | undefined = this.find(event.stream, event.id);
    if (known?.event === event) known.event = undefined;
  }

  private grow(): void {
    this.floor = Math.max(this.floor, this.old.newest);
    this.old = this.young;
    this.young = new Generation();
  }
}

const key = (stream: string, what: string | number): string => `${stream}\n${what}`;

/** Weighed in bytes. */
const LIMITS = { events: 20_000, weight: 32 * 1024 * 1024 };
/** Bytes of an event besides its data and metadata. */
const OVERHEAD = 200;

/** The newest part of the log in memory: events for followers, and ids to recognize repeated appends. */
export class RecentLog extends RecentEvents {
  /** The newest known event. An own append may lie after `head`. */
  newest: KnownPlace | undefined;
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

  find(stream: string, id: string): KnownPlace | undefined {
    return this.places.find(stream, id);
  }

  at(stream: string, revision: number): KnownPlace | undefined {
    return this.places.at(stream, revision);
  }

  protected override dropped(event: StoredEvent): void {
    this.places.forget(event);
  }

  private isNewest(place: KnownPlace): void {
    if (place.position !== undefined && place.position > (this.newest?.position ?? START)) this.newest = place;
  }
}
