import type { DomainEvent, Recorded } from '../../src/kernel/event.js';
import type { Mailer } from '../../src/mail/mailer.js';
import type { Accounts } from './accounts.js';

/** What a reactor works with. */
export interface Surroundings {
  readonly mailer: Mailer;
  readonly accounts: Accounts;
}

/**
 * What an event causes outside of the server (D16). Live only: no rebuild runs it. An event may be handled again where a
 * crash came between the effect and its being remembered, so the effect has an id that is derived from the event's.
 */
export interface Reactor<E extends DomainEvent = DomainEvent> {
  readonly name: string;
  readonly on: E['type'];
  /** @returns whether it had an effect. Rejects to be given the event again, later */
  readonly react: (event: Recorded<E>, surroundings: Surroundings) => Promise<boolean>;
}

/** Erases the event's type, which `on` has made sure of, so that reactors to different events go in one list. */
export function reactor<E extends DomainEvent>(definition: Reactor<E>): Reactor {
  return definition as unknown as Reactor;
}
