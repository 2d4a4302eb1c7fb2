import type { EventMetadata } from '../../kernel/event.js';
import type { Json, JsonObject } from '../../kernel/json.js';
import type { Position } from '../../kernel/position.js';
import type { Batch, EventFilter, StoredEvent } from '../event-store.js';
import type { AppendOutcome, AppendRequest } from './log-writer.js';

const MOST_EVENTS = 4096;
/** Most characters of JSON. */
const MOST_TEXT = 8 * 1024 * 1024;

interface Entry {
  readonly event: StoredEvent;
  readonly text: number;
}

/**
 * Keeps the newest events in memory for the subscriptions of the writing process, so that none of them reads the file
 * for a new commit. Events are frozen, because subscribers share them.
 */
export class RecentEvents {
  private entries: Entry[] = [];
  private text = 0;
  /** Every event after this position, up to the head, is kept. */
  private floor: Position;

  /** @param newest the newest position that is known to be on disk */
  constructor(private newest: Position) {
    this.floor = newest;
  }

  get head(): Position {
    return this.newest;
  }

  /**
   * Adds the events of one commit, in log order.
   *
   * @param isWanted false if nobody follows: then nothing is kept
   */
  add(requests: readonly AppendRequest[], outcomes: readonly AppendOutcome[], isWanted: boolean): void {
    for (const [index, outcome] of outcomes.entries()) {
      const request = requests[index];
      if (outcome.kind !== 'appended' || !request) continue;
      this.newest = outcome.position;
      if (isWanted) this.addAppend(request, outcome.revision, outcome.position);
    }
    if (!isWanted || this.text > MOST_TEXT) this.drop(this.entries.length);
    else if (this.entries.length > MOST_EVENTS) this.drop(this.entries.length - MOST_EVENTS / 2);
  }

  /** Reads events after a position; undefined if some are no longer kept. */
  read(after: Position, limit: number, filter: EventFilter | undefined): Batch | undefined {
    if (after < this.floor) return undefined;
    const events: StoredEvent[] = [];
    for (let index = this.firstAfter(after); index < this.entries.length && events.length < limit; index += 1) {
      const event = this.entries[index]?.event;
      if (event && passes(event, filter)) events.push(event);
    }
    const considered = events.length < limit ? this.head : (events.at(-1)?.position ?? after);
    const position = Math.max(after, considered);
    return { events, position, caughtUp: position >= this.head };
  }

  private addAppend({ stream, events }: AppendRequest, lastRevision: number, lastPosition: Position): void {
    for (const [index, { id, type, version, data, metadata }] of events.entries()) {
      const before = events.length - 1 - index;
      const text = data.length + metadata.length;
      this.text += text;
      const event: StoredEvent = {
        id,
        stream,
        revision: lastRevision - before,
        position: lastPosition - before,
        type,
        version,
        data: frozen(JSON.parse(data)) as JsonObject,
        metadata: frozen(JSON.parse(metadata)) as unknown as EventMetadata,
      };
      this.entries.push({ event, text });
    }
  }

  private drop(count: number): void {
    for (const { text } of this.entries.splice(0, count)) this.text -= text;
    const [oldest] = this.entries;
    this.floor = oldest ? oldest.event.position - 1 : this.head;
  }

  private firstAfter(after: Position): number {
    let [low, high] = [0, this.entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.entries[middle]?.event.position ?? 0) > after) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function passes({ stream, type }: StoredEvent, filter: EventFilter | undefined): boolean {
  if (filter?.types && !filter.types.includes(type)) return false;
  return !filter?.streamPrefixes || filter.streamPrefixes.some((prefix) => stream.startsWith(prefix));
}

function frozen(value: Json): Json {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) frozen(inner);
    Object.freeze(value);
  }
  return value;
}
