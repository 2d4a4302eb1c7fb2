import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { v5 } from 'uuid';
import { derivedId, newEventId } from '../../../src/platform/kernel/ids.js';
import { isEventId } from '../../../src/platform/log/encode-append.js';

it('ids made one after another are different UUIDs, and sort in the order in which they were made', () => {
  const ids = Array.from({ length: 20_000 }, newEventId);
  expect(ids.every(isEventId)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
});

it('an id is of version 7 and of now', () => {
  const before = Date.now();
  const id = newEventId();
  expect(id[14]).toBe('7');
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBeGreaterThanOrEqual(before);
});

it('a derived id is the same in every release: repeats are recognized by it', () => {
  expect(derivedId('MessageSent', 'a', 0)).toBe('2e4964b6-8d31-580b-aee7-c1d7102c218c');
  expect(derivedId('local-id', 5, 'queue', 'ä😀\ud800')).toBe('e89468da-a176-5e4b-a93e-76fb3a185b99');
});

it('a derived id is the one that the library makes', () => {
  const parts = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.integer()));
  fc.assert(
    fc.property(parts, (some) => {
      expect(derivedId(...some)).toBe(v5(JSON.stringify(some), '5f0b3f0c-3c1e-5d2a-9a55-4d9f0f4a7c11'));
    }),
  );
});
