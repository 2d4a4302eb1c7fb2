import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { IdFilter } from '../../../src/platform/kernel/id-filter.js';
import { derivedId } from '../../../src/platform/kernel/ids.js';

const MANY = 300_000;

it('has every id that was added, over several parts, and takes one of fifty others for one of them at most', () => {
  const filter = new IdFilter();
  const ids = Array.from({ length: MANY }, (_, n) => derivedId('added', n));
  for (const id of ids) filter.add(id);
  expect(ids.filter((id) => !filter.mayHave(id))).toEqual([]);
  const others = Array.from({ length: 50_000 }, (_, n) => derivedId('other', n));
  expect(others.filter((id) => filter.mayHave(id)).length).toBeLessThan(others.length / 50);
});

it('has every text that was added, whatever it is', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.string(),
          fc.uuid(),
          fc.uuid().map((id) => id.toUpperCase()),
        ),
      ),
      (texts) => {
        const filter = new IdFilter();
        for (const text of texts) filter.add(text);
        expect(texts.filter((text) => !filter.mayHave(text))).toEqual([]);
      },
    ),
  );
});

it('has nothing before anything is added', () => {
  expect(new IdFilter().mayHave(derivedId('added', 0))).toBe(false);
});
