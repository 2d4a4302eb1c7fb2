import { describe, expect, it } from '@jest/globals';
import {
  digestUnder,
  eventKeyOf,
  keyTagOf,
  newContentKey,
  seal,
  sealFor,
  unseal,
  unsealFor,
} from '../../../src/platform/content-keys/seal.js';
import { randomBytes } from '../../../src/platform/kernel/random-bytes.js';

const words = { text: 'Grüße 👋', rendered: '<p>Grüße 👋</p>' };

describe('sealed content', () => {
  it('is opened by its key', () => {
    const key = newContentKey();
    expect(unseal(seal(words, 'id', key), key)).toEqual(words);
  });

  it('is not opened by another key, nor after a bit has changed', () => {
    const key = newContentKey();
    const sealed = seal(words, 'id', key);
    expect(() => unseal(sealed, newContentKey())).toThrow();
    const box = Buffer.from(sealed.box, 'base64');
    for (const index of [0, 12, box.length - 1]) {
      const altered = Buffer.from(box);
      altered.writeUInt8(altered.readUInt8(index) ^ 1, index);
      expect(() => unseal({ ...sealed, box: altered.toString('base64') }, key)).toThrow();
    }
  });

  it('is not readable without the key, and is different for each sealing', () => {
    const key = newContentKey();
    const [one, other] = [seal(words, 'id', key), seal(words, 'id', key)];
    expect(Buffer.from(one.box, 'base64').toString('latin1')).not.toContain('text');
    expect(one.box).not.toBe(other.box);
  });
});

describe('the sealed content of an event', () => {
  it('is opened by its content key, or by the event’s own key, and by that of no other event', () => {
    const key = newContentKey();
    const sealed = sealFor('one', words, 'id', key);
    expect(unsealFor('one', sealed, key)).toEqual(words);
    expect(unseal(sealed, eventKeyOf(key, 'one'))).toEqual(words);
    expect(() => unseal(sealed, eventKeyOf(key, 'other'))).toThrow();
    expect(() => unsealFor('other', sealed, key)).toThrow();
    expect(() => unseal(sealed, key)).toThrow();
  });

  it('names its key, so that no other one can be shown for it', () => {
    const key = newContentKey();
    const { keyTag } = sealFor('one', words, 'id', key);
    expect(keyTag).toBe(keyTagOf(eventKeyOf(key, 'one')));
    expect(keyTag).not.toBe(keyTagOf(eventKeyOf(key, 'other')));
    expect(keyTag).not.toBe(keyTagOf(key));
  });

  it('is opened as it was before events had keys of their own', () => {
    const key = newContentKey();
    expect(unsealFor('one', seal(words, 'id', key), key)).toEqual(words);
  });
});

describe('the digest of a request', () => {
  it('can be compared only under the same key', () => {
    const key = newContentKey();
    expect(digestUnder(key, 'a')).toBe(digestUnder(key, 'a'));
    expect(digestUnder(key, 'a')).not.toBe(digestUnder(key, 'b'));
    expect(digestUnder(key, 'a')).not.toBe(digestUnder(newContentKey(), 'a'));
  });
});

describe('random bytes', () => {
  it('are never returned twice, even across refills of the pool', () => {
    const given = Array.from({ length: 1000 }, () => Buffer.from(randomBytes(32)).toString('hex'));
    expect(new Set(given).size).toBe(1000);
    expect(given.every((hex) => !/^0+$/.test(hex))).toBe(true);
  });
});
