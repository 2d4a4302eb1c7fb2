import { expect, it } from '@jest/globals';
import { projections } from '../../projections/index.js';
import { erasures } from '../../src/app/features.js';

it('documents with words are purged of them by what takes words away, and no others are', () => {
  const purged = new Set(erasures.flatMap(({ heldBy }) => heldBy.map(({ name }) => name)));
  expect(purged).toEqual(new Set(projections.filter(({ holdsContent }) => holdsContent).map(({ name }) => name)));
});
