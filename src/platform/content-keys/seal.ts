import { createCipheriv, createDecipheriv, createHmac, hash } from 'node:crypto';
import type { Json } from '../kernel/json.js';
import { randomBytes } from '../kernel/random-bytes.js';
import type { ContentKey } from './content-keys.js';

/** Content as the log holds it. `box`: base64 of nonce (12 bytes), ciphertext, tag (16 bytes); AES-256-GCM. */
export type Sealed = {
  /** Name of the key in ContentKeys. */
  readonly keyId: string;
  readonly box: string;
  /**
   * Commitment to the event's own key, with which the box is sealed. Absent: it is sealed with the named key itself, as all
   * boxes of 0.6.0 and before are.
   */
  readonly keyTag?: string;
};

/** Begins the bytes that a commitment is a hash of. */
const KEY_TAG = Buffer.from('annals content key v1\n');

export const newContentKey = (): ContentKey => randomBytes(32);

/**
 * The key of one event's content: HKDF-Expand with SHA-256 (RFC 5869). Content keys are random, so nothing is extracted
 * first. Who is given it can open this event, and no other under the same content key.
 */
export const eventKeyOf = (key: ContentKey, eventId: string): ContentKey =>
  createHmac('sha256', key).update(`annals event ${eventId}\x01`).digest();

/** What an event says of its own key, base64: nobody can find another key that fits. AES-GCM alone does not prevent that. */
export const keyTagOf = (eventKey: ContentKey): string => hash('sha256', Buffer.concat([KEY_TAG, eventKey]), 'base64');

/** Seals the content of an event, and commits the event to it. */
export function sealFor(eventId: string, value: Json, keyId: string, key: ContentKey): Sealed {
  const eventKey = eventKeyOf(key, eventId);
  return { ...seal(value, keyId, eventKey), keyTag: keyTagOf(eventKey) };
}

/** Opens the content of an event. @throws Error if it was sealed with another key or altered since */
export const unsealFor = (eventId: string, sealed: Sealed, key: ContentKey): Json =>
  unseal(sealed, sealed.keyTag === undefined ? key : eventKeyOf(key, eventId));

/** Seals what is no event's content. */
export function seal(value: Json, keyId: string, key: ContentKey): Sealed {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const content = cipher.update(JSON.stringify(value), 'utf8');
  const box = Buffer.concat([nonce, content, cipher.final(), cipher.getAuthTag()]);
  return { keyId, box: box.toString('base64') };
}

/** @throws Error if the box was sealed with another key or altered since */
export function unseal(sealed: Sealed, key: ContentKey): Json {
  const box = Buffer.from(sealed.box, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, 12));
  decipher.setAuthTag(box.subarray(-16));
  return JSON.parse(decipher.update(box.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8')) as Json;
}

/** Makes a digest (base64) that shows whoever has the key which texts are equal, and shows nothing to others. */
export function digestUnder(key: ContentKey, text: string): string {
  return createHmac('sha256', key).update(text, 'utf8').digest('base64');
}
