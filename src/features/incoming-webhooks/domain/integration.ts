import type { Payload } from './payload.js';

/** A message as a service has it posted. */
export interface ServiceMessage {
  /** Where no topic is in the URL; null: the topic without a name. */
  readonly topic: string | null;
  /** Markdown. */
  readonly content: string;
}

/** What came with a payload. */
export interface About {
  /** Of the header that names it; empty for services without such a header. */
  readonly event: string;
  /** `template` of the URL. */
  readonly template: string | null;
}

/** A service that posts by a URL. */
export interface Integration {
  /** The last part of its URL. */
  readonly name: string;
  /** The service's name for people. */
  readonly service: string;
  /** The header that names the event, if the service sends one. */
  readonly eventHeader?: string;
  /** Headers that a redelivery repeats, the best first. The default is `idempotency-key`. */
  readonly deliveryHeaders?: readonly string[];
  /**
   * Reads a payload as a message; null: nothing is to be said of the event.
   * @throws DomainError PAYLOAD_FIELD_MISSING, PAYLOAD_SAYS_NOTHING
   */
  readonly read: (payload: Payload, about: About) => ServiceMessage | null;
}
