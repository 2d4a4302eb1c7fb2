import type { CommandContext, Decide } from '../kernel/deciding.js';
import type { DomainEvent } from '../kernel/event.js';
import type { Position } from '../kernel/position.js';
import type { Cause } from './followed-events.js';
import type { DecidedStream } from './stream-states.js';

export type DecisionRequest<Command, State, Event extends DomainEvent, Context> = Deciding<
  Command,
  State,
  Event,
  Context
> &
  /** Time, ids and facts about other streams (D1, D4). */
  (
    | { readonly context: Context }
    /** Computes facts that are at least as new as the state, for each attempt. `position`: the state's. */
    | { readonly contextAsOf: (position: Position) => Promise<Context> }
  );

interface Deciding<Command, State, Event extends DomainEvent, Context> extends DecidedStream<State, Event> {
  readonly decide: Decide<Command, State, Event, Context>;
  readonly command: Command;
  readonly by: CommandContext;
  readonly sealedWith?: SealedWith<State>;
  /** Set when the events follow from another event (D17). */
  readonly cause?: Cause<Event>;
}

/** Set when the content of the events is sealed under an existing key: that of a message's first event, say (D7). */
export interface SealedWith<State> {
  /** Names the key. */
  readonly keyId: (state: State) => string;
  /** Refuses if the key has been destroyed: a new one would bring the content of a deleted message back. */
  readonly whenGone: () => never;
}

export interface Outcome<Event extends DomainEvent> {
  /** Empty if there was nothing to do. */
  readonly events: readonly Event[];
  /** Position of the last event appended; if there is none, of the newest event of the stream that was decided on. */
  readonly position: Position;
}
