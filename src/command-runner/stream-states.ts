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

/** The folded states of the streams that were decided on last; the least recently used go first. */
export class StreamStates {
  private readonly cached = new Map<string, StreamState<unknown>>();

  constructor(
    private readonly eventStore: EventStore,
    private readonly codec: EventCodec,
  ) {}

  /** `fresh`: read from the log just now, not remembered. */
  async load<State, Event extends DomainEvent>(
    stream: string,
    decider: Decider<State, Event>,
  ): Promise<StreamState<State> & { readonly fresh: boolean }> {
    const known = this.known<State>(stream);
    if (known) {
      this.remember(stream, known);
      return { ...known, fresh: false };
    }
    await this.refresh(stream, decider);
    return { ...this.current(stream, decider), fresh: true };
  }

  /** Folds what has been appended since; true if anything was. */
  async refresh<State, Event extends DomainEvent>(stream: string, decider: Decider<State, Event>): Promise<boolean> {
    let moved = false;
    for (;;) {
      const before = this.current(stream, decider);
      const from = before.revision === null ? 0 : before.revision + 1;
      const stored = await this.eventStore.readStream(stream, { from, limit: PAGE });
      const events = await this.codec.decode(stored);
      this.advance(stream, decider, events as Recorded<Event>[]);
      moved ||= events.length > 0;
      if (stored.length < PAGE) return moved;
    }
  }

  advance<State, Event extends DomainEvent>(
    stream: string,
    decider: Decider<State, Event>,
    events: readonly Recorded<Event>[],
  ): void {
    let { state, revision, position } = this.current(stream, decider);
    for (const event of events) {
      state = decider.evolve(state, event);
      revision = event.revision;
      position = event.position;
    }
    this.remember(stream, { state, revision, position });
  }

  private current<State, Event extends DomainEvent>(
    stream: string,
    decider: Decider<State, Event>,
  ): StreamState<State> {
    return this.known<State>(stream) ?? { state: decider.initialState, revision: null, position: START };
  }

  private known<State>(stream: string): StreamState<State> | undefined {
    return this.cached.get(stream) as StreamState<State> | undefined;
  }

  private remember(stream: string, state: StreamState<unknown>): void {
    this.cached.delete(stream);
    this.cached.set(stream, state);
    if (this.cached.size > MAX_STREAMS) this.cached.delete(this.cached.keys().next().value as string);
  }
}
