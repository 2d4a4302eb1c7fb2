import type { ContentKey } from './content-keys.js';

export const KEY_BYTES = 32;

/** @throws TypeError for an empty name, or a key that is not 32 random bytes */
export function refuseBadKey(id: string, key: ContentKey): void {
  if (id === '') throw new TypeError('a content key has a name');
  if (key.length !== KEY_BYTES || key.every((byte) => byte === 0)) {
    throw new TypeError(`a content key is ${KEY_BYTES} random bytes`);
  }
}
