import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from '../kernel/json.js';
import { withoutHashes } from '../kernel/without-hashes.js';
import type { StoredEvent } from '../log/event-store.js';
import { leafOf } from './leaf.js';

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
  const shown: Record<string, Json> = { ...data };
  for (const name of secrets) if (data[name] !== undefined) shown[name] = withoutHashes(data[name]);
  const hidden = secrets.filter((name) => !isDeepStrictEqual(shown[name], data[name]));
  const event = { stream, revision, id, type, version, data: shown, metadata: { ...metadata } };
  return hidden.length === 0
    ? { event }
    : { event, hidden: hidden.map((name) => `data.${name}`), leaf: leafOf(stored).data.toString('base64') };
}
