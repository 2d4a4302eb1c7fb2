import type { DomainEvent } from '../platform/kernel/event.js';
import { type Json, type JsonObject, withoutHashes } from '../platform/kernel/json.js';
import { eventRegistry } from './event-registry.js';

const SEALED = { sealed: true } as const;
const SECRET = '(secret)';

/**
 * An event's data for people who read the log.
 * @param words whether they include the content, without its secrets; else it is `{"sealed": true}`
 */
export function shownData({ type, data }: DomainEvent, words: boolean): JsonObject {
  const { sealed, secrets = [] } = eventRegistry.get(type) ?? {};
  const hidden = new Set(secrets);
  return Object.fromEntries(
    Object.entries(data).map(([field, value]: [string, Json]) => {
      if (hidden.has(field)) return [field, withoutHashes(value)];
      if (field !== sealed?.field) return [field, value];
      return [field, words ? withoutSecrets(value, sealed.secrets) : SEALED];
    }),
  );
}

function withoutSecrets(content: Json, secrets: readonly string[] = []): Json {
  if (secrets.length === 0 || typeof content !== 'object' || content === null || Array.isArray(content)) return content;
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name, secrets.includes(name) ? SECRET : value]),
  );
}
