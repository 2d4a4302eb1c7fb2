import { expect, it } from '@jest/globals';
import { projections } from '../../projections/index.js';
import { HELD_BY } from '../../src/process-managers/deleted-words.js';

it('documents with words are purged of them by what takes words away, and no others are', () => {
  const purged = new Set(Object.values(HELD_BY).flatMap((held) => held.map(({ name }) => name)));
  expect(purged).toEqual(new Set(projections.filter(({ holdsWords }) => holdsWords).map(({ name }) => name)));
});
