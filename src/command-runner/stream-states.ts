import type { EventCodec } from '../event-codec/event-codec.js';
import type { EventStore } from '../event-store/event-store.js';
import type { Decider } from '../kernel/decider.js';
import type { DomainEvent, Recorded } from '../kernel/event.js';
import { type Position, START } from '../kernel/position.js';

const PAGE = 1000;
const MAX_STREAMS = 1000;

export interface StreamState<State> {
  readonly state: State;
  /** Of the newest event folded; null for a stream that has none. */
  readonly revision: number | null;
  readonly position: Position;
}

/** Where a stream's state starts when it does not start from nothing: an event of another stream. */
export interface Origin<State> {
  readonly stream: string;
  readonly revision: number;
  readonly begin: (event: Recorded) => State;
}

/** A stream that is decided on, and how its state is made. */
export interface DecidedStream<State, Event extends DomainEvent> {
  readonly stream: string;
  readonly decider: Decider<State, Event>;
  /** Absent: the state starts as `decider.initialState`, which is also that of a stream whose origin does not exist. */
  readonly origin?: Origin<State>;
}

/**
 * The folded states of the streams that were decided on last; the least recently used go first. A stream that several
 * deciders fold has a state for each.
 */
export class StreamStates {
  private readonly cached = new Map<string, StreamState<unknown>>();
  /** Deciders are few and stay. */
  private readonly deciders = new Map<object, number>();

  constructor(
    private readonly eventStore: EventStore,
    private readonly codec: EventCodec,
  ) {}

  /** `fresh`: read from the log just now, not remembered. */
  async load<State, Event extends DomainEvent>(
    of: DecidedStream<State, Event>,
  ): Promise<StreamState<State> & { readonly fresh: boolean }> {
    const known = this.known(of);
    if (known) {
      this.remember(this.keyOf(of), known);
      return { ...known, fresh: false };
    }
    const { now } = await this.read(of);
    return { ...now, fresh: true };
  }

  /** Folds what has been appended since; true if anything was. */
  async refresh<State, Event extends DomainEvent>(of: DecidedStream<State, Event>): Promise<boolean> {
    return (await this.read(of)).moved;
  }

  /** @param before what the events were decided on */
  advance<State, Event extends DomainEvent>(
    of: DecidedStream<State, Event>,
    before: StreamState<State>,
    events: readonly Recorded<Event>[],
  ): StreamState<State> {
    let { state, revision, position } = before;
    for (const event of events) {
      state = of.decider.evolve(state, event);
      revision = event.revision;
      position = event.position;
    }
    const now = { state, revision, position };
    this.remember(this.keyOf(of), now);
    return now;
  }

  private async read<State, Event extends DomainEvent>(
    of: DecidedStream<State, Event>,
  ): Promise<{ readonly now: StreamState<State>; readonly moved: boolean }> {
    let now = this.known(of) ?? (await this.start(of));
    let moved = false;
    // Of a stream without its origin there is nothing to remember: what begins it may come yet.
    if (now === null) return { now: { state: of.decider.initialState, revision: null, position: START }, moved };
    for (;;) {
      const from = now.revision === null ? 0 : now.revision + 1;
      const stored = await this.eventStore.readStream(of.stream, { from, limit: PAGE });
      const events = await this.codec.decode(stored);
      now = this.advance(of, now, events as Recorded<Event>[]);
      moved ||= events.length > 0;
      if (stored.length < PAGE) return { now, moved };
    }
  }

  /** The state before the stream's first event; null where the event that begins it does not exist. */
  private async start<State, Event extends DomainEvent>({
    decider,
    origin,
  }: DecidedStream<State, Event>): Promise<StreamState<State> | null> {
    if (!origin) return { state: decider.initialState, revision: null, position: START };
    const stored = await this.eventStore.readStream(origin.stream, { from: origin.revision, limit: 1 });
    const [event] = await this.codec.decode(stored);
    return event ? { state: origin.begin(event), revision: null, position: event.position } : null;
  }

  private known<State, Event extends DomainEvent>(of: DecidedStream<State, Event>): StreamState<State> | undefined {
    return this.cached.get(this.keyOf(of)) as StreamState<State> | undefined;
  }

  private keyOf<State, Event extends DomainEvent>({ stream, decider }: DecidedStream<State, Event>): string {
    const number = this.deciders.get(decider) ?? this.deciders.size;
    this.deciders.set(decider, number);
    return `${number} ${stream}`;
  }

  private remember(key: string, state: StreamState<unknown>): void {
    this.cached.delete(key);
    this.cached.set(key, state);
    if (this.cached.size > MAX_STREAMS) this.cached.delete(this.cached.keys().next().value as string);
  }
}
