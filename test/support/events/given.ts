import { expect } from '@jest/globals';
import { type Decide, type Decider, DomainError } from '../../../src/platform/kernel/deciding.js';
import type { DomainEvent } from '../../../src/platform/kernel/event.js';

interface Then<Event extends DomainEvent> {
  then(events: readonly Event[]): void;
  thenNothing(): void;
  thenRefuses(code: string, data?: Record<string, unknown>): void;
}

/** Begins the sentence `given(decider, events).when(decide, command, context).then(events)`. */
export function given<State, Event extends DomainEvent>(decider: Decider<State, Event>, history: readonly Event[]) {
  const state = history.reduce(decider.evolve, decider.initialState);
  return {
    state,
    when<Command, Decided extends Event, Context>(
      decide: Decide<Command, State, Decided, Context>,
      command: Command,
      context: Context,
    ): Then<Event> {
      return outcomeOf<Event>(() => decide(command, state, context));
    },
  };
}

export function outcomeOf<Event extends DomainEvent>(decision: () => readonly Event[]): Then<Event> {
  return {
    // biome-ignore lint/suspicious/noThenProperty: the sentence's word; nobody awaits it
    then: (events) => expect(decision()).toStrictEqual(events),
    thenNothing: () => expect(decision()).toStrictEqual([]),
    thenRefuses: (code, data) => {
      const refusal = refusalOf(decision);
      expect(refusal.code).toBe(code);
      if (data) expect(refusal.data).toStrictEqual(data);
    },
  };
}

function refusalOf(decision: () => unknown): DomainError {
  try {
    decision();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('the command was not refused');
}
