import type { DomainEvent } from './event.js';
import type { JsonObject } from './json.js';

/** From the payload of version n to the payload of version n + 1; pure. */
export type Upcaster = (data: JsonObject) => JsonObject;

/** How an event is stored: its name and version are literals written here and nowhere else (D6). */
export interface EventDefinition<E extends DomainEvent = DomainEvent> {
  readonly type: E['type'];
  /** The version written today. */
  readonly version: number;
  /** The step from each retired version to the next, by the version it starts from. */
  readonly upcasters?: Readonly<Record<number, Upcaster>>;
  /** The payload's field that holds people's words: stored only encrypted (D7), null once its key is gone. */
  readonly sealed?: keyof E['data'] & string;
  /** Fields that prove who somebody is, hashed as they are: no tool prints them. */
  readonly secrets?: readonly (keyof E['data'] & string)[];
}

export function defineEvent<E extends DomainEvent>(definition: EventDefinition<E>): EventDefinition<E> {
  return definition;
}
