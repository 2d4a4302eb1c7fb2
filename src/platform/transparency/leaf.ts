import type { JsonObject } from '../kernel/json.js';
import { canonicalJson, quoted } from '../log/canonical-json.js';
import { isEventId } from '../log/encode-append.js';
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
 * The data of an event's leaf, if it is `expected`, of the texts that the engine keeps. What appends have written since their names
 * are in order need not be written anew: texts that give the expected hash are the canonical JSON.
 *
 * @returns null if they give another, or there are no texts
 */
export function leafOfTexts(
  { texts, id, revision, stream, type, version }: StoredEvent,
  expected: Buffer,
): Buffer | null {
  // The id is written as it is.
  if (texts === undefined || !isEventId(id)) return null;
  const rest = `"revision":${revision},"stream":${JSON.stringify(stream)},"type":${quoted(type)},"version":${version}`;
  const leaf = sha256(`{"data":${texts.data},"id":"${id}","metadata":${texts.metadata},${rest}}`);
  return leaf.equals(expected) ? leaf : null;
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
