import type { Decider } from '../kernel/deciding.js';
import type { DomainEvent, Recorded } from '../kernel/event.js';
import { LruMap } from '../kernel/lru-map.js';
import { type Position, START } from '../kernel/position.js';
import type { EventCodec } from '../log/event-codec.js';
import type { EventStore, StoredEvent } from '../log/event-store.js';

const PAGE = 1000;
const MAX_STREAMS = 1000;

interface StreamState<State> {
  readonly state: State;
  /** Revision of the newest event folded; null for a stream without events. */
  readonly revision: number | null;
  readonly position: Position;
}

/** An event of another stream that a stream's state starts from. */
interface Origin<State> {
  readonly stream: string;
  readonly revision: number;
  readonly begin: (event: Recorded) => State;
}

/** `existing`: nothing is decided before the stream has begun; `new`: nothing is decided after. */
export type Expectation = 'new' | 'existing' | 'any';

/** A stream, and the way to its state. */
export interface FoldedStream<State, Event extends DomainEvent> {
  readonly stream: string;
  readonly decider: Decider<State, Event>;
  /** Absent: the state starts as `decider.initialState`. A stream whose origin does not exist starts so, too. */
  readonly origin?: Origin<State>;
  /** Events read at once. Absent: 1000. Fewer if they may be large. */
  readonly page?: number;
}

/** A stream that commands are decided on. */
export interface DecidedStream<State, Event extends DomainEvent> extends FoldedStream<State, Event> {
  readonly expects: Expectation;
}

/**
 * Keeps folded states of streams; the least recently used go first. A stream that several deciders fold has one state
 * for each.
 */
export class StreamStates {
  private readonly cached = new LruMap<string, StreamState<unknown>>(MAX_STREAMS);
  /** Deciders are few and are never removed. */
  private readonly deciders = new Map<object, number>();

  constructor(
    private readonly eventStore: EventStore,
    private readonly codec: EventCodec,
  ) {}

  /** Loads a stream's state. `fresh`: it was read from the log just now. */
  async load<State, Event extends DomainEvent>(
    of: FoldedStream<State, Event>,
  ): Promise<StreamState<State> & { readonly fresh: boolean }> {
    const known = this.known(of);
    if (known) return { ...known, fresh: false };
    const { now } = await this.read(of);
    return { ...now, fresh: true };
  }

  /** Folds the events since; true if there were any. */
  async refresh<State, Event extends DomainEvent>(of: FoldedStream<State, Event>): Promise<boolean> {
    return (await this.read(of)).moved;
  }

  /**
   * @param before the state that the events were decided on
   * @param last the stream's newest event, if it may be one that is passed over
   */
  advance<State, Event extends DomainEvent>(
    of: FoldedStream<State, Event>,
    before: StreamState<State>,
    events: readonly Recorded<Event>[],
    last: Pick<StoredEvent, 'revision' | 'position'> | undefined = events.at(-1),
  ): StreamState<State> {
    const state = events.reduce((folded, event) => of.decider.evolve(folded, event), before.state);
    const { revision, position } = last ?? before;
    const now = { state, revision, position };
    this.cached.set(this.keyOf(of), now);
    return now;
  }

  private async read<State, Event extends DomainEvent>(
    of: FoldedStream<State, Event>,
  ): Promise<{ readonly now: StreamState<State>; readonly moved: boolean }> {
    const { stream, page = PAGE } = of;
    let now = this.known(of) ?? (await this.start(of));
    let moved = false;
    // A stream without its origin is not remembered: its origin may come later.
    if (now === null) return { now: { state: of.decider.initialState, revision: null, position: START }, moved };
    for (;;) {
      const from = now.revision === null ? 0 : now.revision + 1;
      const stored = await this.eventStore.readStream(stream, { from, limit: page });
      const events = await this.codec.decode(stored);
      now = this.advance(of, now, events as Recorded<Event>[], stored.at(-1));
      moved ||= stored.length > 0;
      if (stored.length < page) return { now, moved };
    }
  }

  /** The state before the stream's first event; null if the origin does not exist. */
  private async start<State, Event extends DomainEvent>({
    decider,
    origin,
  }: FoldedStream<State, Event>): Promise<StreamState<State> | null> {
    if (!origin) return { state: decider.initialState, revision: null, position: START };
    const stored = await this.eventStore.readStream(origin.stream, { from: origin.revision, limit: 1 });
    const [event] = await this.codec.decode(stored);
    return event ? { state: origin.begin(event), revision: null, position: event.position } : null;
  }

  private known<State, Event extends DomainEvent>(of: FoldedStream<State, Event>): StreamState<State> | undefined {
    return this.cached.get(this.keyOf(of)) as StreamState<State> | undefined;
  }

  private keyOf<State, Event extends DomainEvent>({ stream, decider }: FoldedStream<State, Event>): string {
    const number = this.deciders.get(decider) ?? this.deciders.size;
    this.deciders.set(decider, number);
    return `${number} ${stream}`;
  }
}
