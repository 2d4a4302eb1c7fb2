import type { DomainEvent, Recorded } from '../kernel/event.js';
import type { Position } from '../kernel/position.js';
import type { EventCodec } from '../log/event-codec.js';
import type { EventStore, StoredEvent } from '../log/event-store.js';

/** Events read at once. */
const PAGE = 1000;

/** The event that a decision follows from (D17). */
export interface Cause<Event extends DomainEvent = DomainEvent> {
  readonly eventId: string;
  readonly position: Position;
  /** Derives ids from the cause's id, so that a repeat appends nothing. */
  readonly ids: (index: number, event: Event) => string;
  /**
   * Tells whether an event since the cause has the same subject as a following event. The earlier event wins: handling
   * the cause again then appends nothing, even if nothing followed from it at first.
   */
  readonly isAboutTheSame?: (since: Event, event: Event) => boolean;
}

/** The decided events that are yet to be appended, with their derived ids. */
interface Due<Event extends DomainEvent> {
  readonly events: readonly Event[];
  readonly ids: readonly (string | undefined)[];
  /** Position of the events that are in the log already. */
  readonly position: Position;
}

/** Finds events in the log that follow from others (D17). */
export class FollowedEvents {
  constructor(
    private readonly eventStore: EventStore,
    private readonly codec: EventCodec,
  ) {}

  /** Leaves out the events of a decision that are in the log already, or overtaken. */
  async due<Event extends DomainEvent>(
    events: readonly Event[],
    stream: string,
    cause: Cause<Event>,
    isAgain: boolean,
  ): Promise<Due<Event>> {
    const { position, isAboutTheSame } = cause;
    const due = events.map((event, index) => ({ event, id: cause.ids(index, event) }));
    const ids = due.map(({ id }) => id);
    if (!isAboutTheSame) {
      const followed = await this.firstOf(ids, stream, position, isAgain);
      return followed ? { events: [], ids: [], position: followed.position } : { events, ids, position };
    }
    const since = await this.since(stream, position);
    const followed = since.find(({ id }) => ids.includes(id));
    if (followed) return { events: [], ids: [], position: followed.position };
    const stored = (await this.codec.decode(since)) as Recorded<Event>[];
    const left = due.filter(({ event }) => !stored.some((earlier) => isAboutTheSame(earlier, event)));
    const newest = since.at(-1)?.position ?? position;
    return { events: left.map(({ event }) => event), ids: left.map(({ id }) => id), position: newest };
  }

  /**
   * Finds the first of some events in their stream. An engine that remembers ids is not asked at first: its append
   * recognizes repeats, and conflicts if other events follow now than did then.
   */
  async firstOf(
    ids: readonly (string | undefined)[],
    stream: string,
    after: Position,
    isAgain: boolean,
  ): Promise<StoredEvent | undefined> {
    if (!isAgain && this.eventStore.idMemory === 'for ever') return undefined;
    return this.find(ids, stream, after);
  }

  /** Finds the first event with one of the ids, in the streams with a prefix. */
  async find(
    ids: readonly (string | undefined)[],
    streamPrefix: string,
    after: Position,
  ): Promise<StoredEvent | undefined> {
    for await (const event of this.eventsAfter(after, streamPrefix)) if (ids.includes(event.id)) return event;
    return undefined;
  }

  /** Reads the events since an event in the streams with a prefix, in log order. */
  async *eventsSince<Event extends DomainEvent>(
    { position }: Pick<Recorded, 'position'>,
    streamPrefix: string,
  ): AsyncGenerator<Recorded<Event>, void> {
    for await (const page of this.pagesAfter(position, streamPrefix))
      yield* (await this.codec.decode(page)) as Recorded<Event>[];
  }

  private async since(stream: string, after: Position): Promise<StoredEvent[]> {
    const found: StoredEvent[] = [];
    for await (const event of this.eventsAfter(after, stream)) if (event.stream === stream) found.push(event);
    return found;
  }

  private async *eventsAfter(position: Position, streamPrefix: string): AsyncGenerator<StoredEvent, void> {
    for await (const page of this.pagesAfter(position, streamPrefix)) yield* page;
  }

  private async *pagesAfter(position: Position, streamPrefix: string): AsyncGenerator<readonly StoredEvent[], void> {
    for (let after = position; ; ) {
      const page = await this.eventStore.readAll({ after, limit: PAGE, filter: { streamPrefixes: [streamPrefix] } });
      yield page.events;
      if (page.caughtUp) return;
      after = page.position;
    }
  }
}
