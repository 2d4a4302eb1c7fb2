import { expect, it } from '@jest/globals';
import { projections } from '../../projections/index.js';
import { erasures } from '../../src/app/features.js';

it('the erasures purge exactly the projections whose documents hold content', () => {
  const purged = new Set(erasures.flatMap(({ heldBy }) => heldBy.map(({ name }) => name)));
  expect(purged).toEqual(new Set(projections.filter(({ holdsContent }) => holdsContent).map(({ name }) => name)));
});
