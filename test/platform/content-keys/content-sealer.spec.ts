import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ContentKey } from '../../../src/platform/content-keys/content-keys.js';
import { ContentSealer } from '../../../src/platform/content-keys/content-sealer.js';
import { newContentKey, type Sealed } from '../../../src/platform/content-keys/seal.js';

const words = { text: 'Grüße 👋', ids: [1, 2] };

describe('the sealer of contents', () => {
  let sealer: ContentSealer;
  let key: ContentKey;
  let sealed: Sealed;
  beforeEach(() => {
    jest.useFakeTimers();
    sealer = new ContentSealer();
    key = newContentKey();
    sealed = sealer.seal('one', words, 'id', key);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** Opens with a key that decrypts nothing any more: only the memory knows the content. */
  const remembered = () => {
    key.fill(0);
    return sealer.open('one', sealed, key);
  };

  it('remembers what it has sealed', () => {
    expect(remembered()).toEqual(words);
  });

  it('opens without its memory what is sealed under a key that was read again', () => {
    expect(sealer.open('one', sealed, Buffer.from(key))).toEqual(words);
    expect(new ContentSealer().open('one', sealed, key)).toEqual(words);
  });

  it('gives each reader a value of its own', () => {
    const first = sealer.open('one', sealed, key) as typeof words;
    first.text = 'altered';
    first.ids.push(3);
    expect(sealer.open('one', sealed, key)).toEqual(words);
  });

  it('does not know what it was given to seal by reference', () => {
    const mine = { text: 'before' };
    const box = sealer.seal('two', mine, 'id', key);
    mine.text = 'after';
    expect(sealer.open('two', box, key)).toEqual({ text: 'before' });
  });

  it('refuses an altered box, another event and another key all the same', () => {
    const box = Buffer.from(sealed.box, 'base64');
    box.writeUInt8(box.readUInt8(12) ^ 1, 12);
    expect(() => sealer.open('one', { ...sealed, box: box.toString('base64') }, key)).toThrow();
    expect(() => sealer.open('other', sealed, key)).toThrow();
    expect(() => sealer.open('one', sealed, newContentKey())).toThrow();
    const { keyTag: _, ...untagged } = sealed;
    expect(() => sealer.open('one', untagged, key)).toThrow();
  });

  it('opens all contents of one key', () => {
    const edited = sealer.seal('two', { text: 'edited' }, 'id', key);
    expect(sealer.open('one', sealed, key)).toEqual(words);
    expect(sealer.open('two', edited, key)).toEqual({ text: 'edited' });
  });

  it('forgets a content within ten seconds, and then has no timer', () => {
    jest.advanceTimersByTime(10_000);
    expect(remembered).toThrow();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('remembers few contents, and few characters', () => {
    for (let n = 0; n < 3000; n++) sealer.seal(`${n}`, 'x', 'id', newContentKey());
    expect(remembered).toThrow();
    key = newContentKey();
    sealed = sealer.seal('one', words, 'id', key);
    for (let n = 0; n < 6; n++) sealer.seal(`${n}`, 'x'.repeat(1_000_000), 'id', newContentKey());
    expect(remembered).toThrow();
  });
});
