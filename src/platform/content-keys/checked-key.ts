import type { ContentKey } from './content-keys.js';

export const KEY_BYTES = 32;

/** @throws TypeError for an empty name, or a key that is not 32 random bytes */
export function refuseBadKey(id: string, key: ContentKey): void {
  if (id === '') throw new TypeError('a content key has a name');
  if (key.length !== KEY_BYTES || key.every((byte) => byte === 0)) {
    throw new TypeError(`a content key is ${KEY_BYTES} random bytes`);
  }
}

/** Gives the least text that is greater than every name with the prefix. @throws TypeError for an empty prefix, or one that is not ASCII */
export function afterPrefix(prefix: string): string {
  if (!/^[\x20-\x7d]+$/.test(prefix)) throw new TypeError('a prefix of names is printable ASCII');
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}
