import { createHash } from 'node:crypto';
import type { JsonObject } from '../kernel/json.js';
import { canonicalJson } from './canonical-json.js';
import type { StoredEvent } from './event-store.js';

/** Digest before the first event: 32 bytes of zero. */
const BEFORE_THE_FIRST = Buffer.alloc(32);

/**
 * SHA-256 folded over the events of a log, in its order (D15). Two logs with the same head and count hold the same
 * events in the same order; an altered, missing, added or swapped one changes every head from there on.
 *
 *     head(0) = 32 bytes of zero
 *     head(n) = SHA-256( head(n − 1) ‖ UTF-8( canonical JSON of event n ) )
 *
 * An event's canonical JSON (RFC 8785, see `canonicalJson`) is the object of exactly these names: `data`, `id`,
 * `metadata`, `revision`, `stream`, `type`, `version`; data and metadata as they are stored, so content is ciphertext, and
 * a destroyed key changes nothing. Positions are not part of it: they are the engine's own, and a copied log has others.
 */
export class Chain {
  private digest = BEFORE_THE_FIRST;
  private events = 0;

  /** Number of events folded. */
  get count(): number {
    return this.events;
  }

  /** Digest of the events, as 64 hexadecimal digits. */
  get head(): string {
    return this.digest.toString('hex');
  }

  /** Folds an event. @returns the size of its canonical JSON, bytes */
  add(event: Omit<StoredEvent, 'position'>): number {
    const text = Buffer.from(canonicalEvent(event), 'utf8');
    this.digest = createHash('sha256').update(this.digest).update(text).digest();
    this.events += 1;
    return text.length;
  }

  equals(other: Chain): boolean {
    return this.events === other.events && this.digest.equals(other.digest);
  }
}

/** Writes an event as the text that the chain folds. */
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
