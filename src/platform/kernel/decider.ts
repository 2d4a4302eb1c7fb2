import type { DomainEvent, EventMetadata } from './event.js';

/**
 * The rule of one command: gives the events to append, `[]` if there is nothing to do; refuses by throwing DomainError
 * (`refuse`). Pure: time, randomness, ids and facts about other streams come in through `context` (D1, D4).
 */
export type Decide<Command, State, Event extends DomainEvent, Context = undefined> = (
  command: Command,
  state: State,
  context: Context,
) => readonly Event[];

/** An event that a state is folded from. One from the log says who caused it, and when; one decided just now does not yet. */
export type Folded<Event extends DomainEvent> = Event & { readonly metadata?: Pick<EventMetadata, 'actorId' | 'at'> };

/** Folds one stream. `evolve` never throws and never mutates what it is given. */
export interface Decider<State, Event extends DomainEvent> {
  readonly initialState: State;
  readonly evolve: (state: State, event: Folded<Event>) => State;
}
