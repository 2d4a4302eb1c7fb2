import type { JsonObject } from '../kernel/json.js';
import { canonicalJson } from '../log/canonical-json.js';
import { type StoredEvent, UnreadableEvent } from '../log/event-store.js';
import { sha256 } from './merkle.js';

/** What the tree has of an event (D15). */
interface Leaf {
  /** SHA-256 of the event's canonical JSON in UTF-8. */
  readonly data: Buffer;
  /** Size of that text. */
  readonly bytes: number;
}

/**
 * Makes the leaf of an event as it is stored, never of one that was brought to today's shape. Damaged ones give what is
 * there.
 */
export function leafOf(event: Omit<StoredEvent, 'position'>): Leaf {
  const text = storedText(event);
  return { data: sha256(text), bytes: Buffer.byteLength(text) };
}

/** The same of an event that must be sound. @throws UnreadableEvent */
export const leafOfReadable = (event: Omit<StoredEvent, 'position'>): Buffer => sha256(canonicalEvent(event));

function storedText(event: Omit<StoredEvent, 'position'>): string {
  try {
    return canonicalEvent(event);
  } catch (error) {
    if (error instanceof UnreadableEvent && error.text !== undefined) return error.text;
    throw error;
  }
}

/**
 * Writes an event as canonical JSON (RFC 8785, see `canonicalJson`): the object of exactly these names. Data and metadata
 * are as they are stored, so content is ciphertext, and a destroyed key changes nothing. Positions are not part of it:
 * they are the engine's own, and a copied log has others.
 * @throws UnreadableEvent
 */
export function canonicalEvent(event: Omit<StoredEvent, 'position'>): string {
  const { data, id, metadata, revision, stream, type, version, written } = event;
  if (written) {
    const [names, kind] = [`"revision":${revision},"stream":${JSON.stringify(stream)}`, JSON.stringify(type)];
    return `{"data":${written.data},"id":"${id}","metadata":${written.metadata},${names},"type":${kind},"version":${version}}`;
  }
  const stored: JsonObject = { data, id, metadata: { ...metadata }, revision, stream, type, version };
  return canonicalJson(stored);
}
