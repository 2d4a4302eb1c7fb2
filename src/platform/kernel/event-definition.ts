import type { DomainEvent } from './event.js';
import type { JsonObject } from './json.js';

/** Turns the payload of version n into that of version n + 1; pure. */
export type Upcaster = (data: JsonObject) => JsonObject;

/** The stored form of an event. Its name and version are literals, written here and nowhere else (D6). */
export interface EventDefinition<E extends DomainEvent = DomainEvent> {
  readonly type: E['type'];
  /** The version written today. */
  readonly version: number;
  /** The step from each retired version to the next, by the retired version. */
  readonly upcasters?: Readonly<Record<number, Upcaster>>;
  /** The payload's field that holds what people wrote. Stored only encrypted (D7); null once its key is destroyed. */
  readonly sealed?: keyof E['data'] & string;
  /** Fields with hashes of passwords or keys. No tool prints them. */
  readonly secrets?: readonly (keyof E['data'] & string)[];
}

export function defineEvent<E extends DomainEvent>(definition: EventDefinition<E>): EventDefinition<E> {
  return definition;
}
