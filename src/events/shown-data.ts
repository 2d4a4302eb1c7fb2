import type { DomainEvent } from '../platform/kernel/event.js';
import type { Json, JsonObject } from '../platform/kernel/json.js';
import { eventRegistry } from './event-registry.js';

const SEALED = { sealed: true } as const;
/** Replaces hashes of passwords and keys, which would otherwise end up in tickets and pipes. */
const HIDDEN = '(hash)';

/**
 * An event's data for people who read the log.
 * @param words whether they include the content; else it is `{"sealed": true}`
 */
export function shownData({ type, data }: DomainEvent, words: boolean): JsonObject {
  const { sealed, secrets = [] } = eventRegistry.get(type) ?? {};
  const hidden = new Set(secrets);
  return Object.fromEntries(
    Object.entries(data).map(([field, value]: [string, Json]) => {
      if (hidden.has(field)) return [field, withoutHashes(value)];
      return [field, field === sealed?.field && !words ? SEALED : value];
    }),
  );
}

function withoutHashes(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutHashes);
  return typeof value === 'string' ? HIDDEN : value;
}
