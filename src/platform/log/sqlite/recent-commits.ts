import type { Json, JsonObject } from '../../kernel/json.js';
import type { Position } from '../../kernel/position.js';
import type { AppendRequest, EncodedEvent } from '../encode-append.js';
import type { StoredEvent, StoredMetadata, WrittenEvent } from '../event-store.js';
import { RecentEvents } from '../recent-events.js';
import type { AppendOutcome } from './log-writer.js';

/** Weighed in characters of JSON. */
const LIMITS = { events: 4096, weight: 8 * 1024 * 1024 };

/** The newest commits of the writing process, so that none of its subscriptions reads the file for them. */
export class RecentCommits extends RecentEvents {
  /** @param newest the newest position that is known to be on disk */
  constructor(newest: Position) {
    super(LIMITS);
    this.startAt(newest);
  }

  /**
   * Adds the events of one commit, in log order.
   *
   * @param isWanted false if nobody follows: then nothing is kept
   */
  commit(requests: readonly AppendRequest[], outcomes: readonly AppendOutcome[], isWanted: boolean): void {
    for (const [index, outcome] of outcomes.entries()) {
      const request = requests[index];
      if (outcome.kind !== 'appended' || !request) continue;
      if (isWanted) this.addAppend(request, outcome.revision, outcome.position);
      else this.startAt(outcome.position);
    }
  }

  private addAppend({ stream, events }: AppendRequest, lastRevision: number, lastPosition: Position): void {
    for (const [index, event] of events.entries()) {
      const before = events.length - 1 - index;
      const committed = new CommittedEvent(event, stream, lastRevision - before, lastPosition - before);
      this.add(committed, event.data.length + event.metadata.length);
    }
  }
}

class CommittedEvent implements StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly data: JsonObject;
  readonly metadata: StoredMetadata;
  readonly #written: WrittenEvent;

  constructor(
    event: EncodedEvent,
    readonly stream: string,
    readonly revision: number,
    readonly position: Position,
  ) {
    this.id = event.id;
    this.type = event.type;
    this.version = event.version;
    this.data = frozen(JSON.parse(event.data)) as JsonObject;
    this.metadata = frozen(JSON.parse(event.metadata)) as unknown as StoredMetadata;
    this.#written = event;
  }

  /** No field: a copy may have other data. */
  get written(): WrittenEvent {
    return this.#written;
  }
}

function frozen(value: Json): Json {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) frozen(inner);
    Object.freeze(value);
  }
  return value;
}
