import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { Json } from '../kernel/json.js';
import type { ContentKey } from './content-keys.js';
import { randomBytes } from './random-bytes.js';

/** Content as the log holds it. `box`: base64 of nonce (12 bytes), ciphertext, tag (16 bytes); AES-256-GCM. */
export type Sealed = {
  /** Name of the key in ContentKeys. */
  readonly keyId: string;
  readonly box: string;
};

export const newContentKey = (): ContentKey => randomBytes(32);

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
