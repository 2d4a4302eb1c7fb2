import { expect, it } from '@jest/globals';
import { LruMap } from '../../../src/platform/kernel/lru-map.js';

it('a bounded map drops the entry that was used least recently', () => {
  const map = new LruMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  expect(map.get('a')).toBe(1);
  map.set('c', 3);
  expect([...map]).toEqual([
    ['a', 1],
    ['c', 3],
  ]);
  map.set('a', 4);
  map.set('d', 5);
  expect([...map]).toEqual([
    ['a', 4],
    ['d', 5],
  ]);
});

it('a bounded map of size 0 holds no entry', () => {
  const map = new LruMap<string, number>(0);
  map.set('a', 1);
  expect({ size: map.size, a: map.get('a') }).toEqual({ size: 0, a: undefined });
});

it('a bounded map that is peeked into does not count it as a use', () => {
  const map = new LruMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  expect(map.peek('a')).toBe(1);
  map.set('c', 3);
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 3],
  ]);
});
