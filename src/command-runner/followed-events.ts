import type { EventCodec } from '../event-codec/event-codec.js';
import type { EventStore, StoredEvent } from '../event-store/event-store.js';
import type { DomainEvent, Recorded } from '../kernel/event.js';
import type { Position } from '../kernel/position.js';

/** Events read at once. */
const PAGE = 1000;

/** The event that a decision follows from (D17). */
export interface Cause<Event extends DomainEvent = DomainEvent> {
  readonly eventId: string;
  readonly position: Position;
  /** Derived from its id, so that a repeat appends nothing. */
  readonly ids: (index: number, event: Event) => string;
  /**
   * Whether an event of the stream is about the same as one that would follow. What has been said of that since the cause
   * stays: so who handles the cause again finds nothing to do, also where nothing followed from it at first.
   */
  readonly isAboutTheSame?: (since: Event, event: Event) => boolean;
}

/** What is to be appended of what was decided: each event with its id, where that is derived. */
export interface Due<Event extends DomainEvent> {
  readonly events: readonly Event[];
  readonly ids: readonly (string | undefined)[];
  /** Of what is in the log instead. */
  readonly position: Position;
}

/** What has followed from a decision already (D17), as the log has it. */
export class FollowedEvents {
  constructor(
    private readonly eventStore: EventStore,
    private readonly codec: EventCodec,
  ) {}

  /** What of a decision has neither followed already nor been overtaken. */
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
    const said = (await this.codec.decode(since)) as Recorded<Event>[];
    const left = due.filter(({ event }) => !said.some((one) => isAboutTheSame(one, event)));
    const newest = since.at(-1)?.position ?? position;
    return { events: left.map(({ event }) => event), ids: left.map(({ id }) => id), position: newest };
  }

  /**
   * The first of some events that is in their stream. An engine that remembers ids need not be asked at first: it knows
   * them at the append, unless others follow now than did then, which is a conflict.
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

  /** @returns the first of them in streams that begin so */
  async find(
    ids: readonly (string | undefined)[],
    streamPrefix: string,
    after: Position,
  ): Promise<StoredEvent | undefined> {
    for await (const event of this.eventsAfter(after, streamPrefix)) if (ids.includes(event.id)) return event;
    return undefined;
  }

  /** What streams that begin so have had since an event, in the order of the log. */
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
