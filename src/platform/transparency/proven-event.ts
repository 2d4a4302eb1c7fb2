import type { JsonObject } from '../kernel/json.js';
import type { StoredEvent } from '../log/event-store.js';
import { leafOf } from './leaf.js';

/** Replaces hashes of passwords and keys. */
const HIDDEN = '(hash)';

/** An event as a proof has it: everything that its leaf is made of, content as ciphertext. */
export interface ProvenEvent {
  readonly event: JsonObject;
  /** Names of data that are replaced. Then the event has no proof of its own, and `leaf` is what the proof is about. */
  readonly hidden?: readonly string[];
  /** Base64. */
  readonly leaf?: string;
}

/**
 * Hashes of passwords and keys are hidden: whoever reads proofs need not be able to try passwords.
 * @param secrets names of the data that hold them
 */
export function provenEvent(stored: StoredEvent, secrets: readonly string[]): ProvenEvent {
  const { data, id, metadata, revision, stream, type, version } = stored;
  const hidden = secrets.filter((name) => typeof data[name] === 'string');
  const shown = { ...data, ...Object.fromEntries(hidden.map((name) => [name, HIDDEN])) };
  const event = { stream, revision, id, type, version, data: shown, metadata: { ...metadata } };
  return hidden.length === 0
    ? { event }
    : { event, hidden: hidden.map((name) => `data.${name}`), leaf: leafOf(stored).data.toString('base64') };
}
