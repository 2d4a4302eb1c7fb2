import type { DomainEvent, Recorded } from '../kernel/event.js';
import type { Links } from '../links/links.js';
import type { EventCodec } from '../log/event-codec.js';
import type { EventStore } from '../log/event-store.js';
import type { Mailer } from '../mail/mailer.js';

/** Services for reactors. */
export interface ReactorContext {
  readonly mailer: Pick<Mailer, 'send'>;
  /** The secret parts of links in mails. */
  readonly links: Pick<Links, 'tokensOf' | 'vetoesOf'>;
  /** The server's public URL, without a slash at its end. */
  readonly site: () => string;
  /** Tells what happened before an event, as far as the log reaches at that moment. */
  readonly log: Pick<EventStore, 'readStream'>;
  readonly codec: Pick<EventCodec, 'decode'>;
}

/** Handles an event. Rejects to get the event again later. @returns whether there was an effect */
export type React<E extends DomainEvent = DomainEvent> = (event: Recorded<E>) => Promise<boolean>;

/**
 * An effect of an event outside the server (D16). Rebuilds never run it. A crash between the effect and its checkpoint
 * repeats the event, so the effect has an id that is derived from the event's.
 */
export interface Reactor<E extends DomainEvent = DomainEvent> {
  readonly name: string;
  readonly on: E['type'];
  /** Called once per run. The returned function keeps the reactor's memory between events. */
  readonly open: (context: ReactorContext) => React<E>;
}

/** Drops the event's type, which `on` ensures, so that reactors to different events fit in one list. */
export function reactor<E extends DomainEvent>(definition: Reactor<E>): Reactor {
  return definition as unknown as Reactor;
}
