import type { JsonObject } from '../kernel/json.js';
import { canonicalJson } from '../log/canonical-json.js';
import type { StoredEvent } from '../log/event-store.js';
import { sha256 } from './merkle.js';

/** What the tree has of an event (D15). */
export interface Leaf {
  /** SHA-256 of the event's canonical JSON in UTF-8. */
  readonly data: Buffer;
  /** Size of that text. */
  readonly bytes: number;
}

/** Makes the leaf of an event as it is stored, never of one that was brought to today's shape. */
export function leafOf(event: Omit<StoredEvent, 'position'>): Leaf {
  const text = canonicalEvent(event);
  return { data: sha256(text), bytes: Buffer.byteLength(text) };
}

/**
 * Writes an event as canonical JSON (RFC 8785, see `canonicalJson`): the object of exactly these names. Data and metadata
 * are as they are stored, so content is ciphertext, and a destroyed key changes nothing. Positions are not part of it: they
 * are the engine's own, and a copied log has others.
 */
export function canonicalEvent({
  data,
  id,
  metadata,
  revision,
  stream,
  type,
  version,
}: Omit<StoredEvent, 'position'>): string {
  const stored: JsonObject = { data, id, metadata: { ...metadata }, revision, stream, type, version };
  return canonicalJson(stored);
}
