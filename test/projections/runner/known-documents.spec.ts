import { expect, it } from '@jest/globals';
import { KnownCollection } from '../../../projections/runner/read-documents.js';

const MOST = { documents: 100, bytes: 100_000 };

/** A collection that puts fifty documents a page, of so many characters each. */
function pagesOf(characters: number) {
  const known = new KnownCollection(true);
  const put = (from: number): void => {
    for (let id = from; id < from + 50; id++) {
      const document = { _id: id, text: 'x'.repeat(characters) };
      known.set(id, document);
    }
    known.evict(MOST);
  };
  return { known, put };
}

it('small documents stay known for two pages', () => {
  const { known, put } = pagesOf(100);
  put(1);
  put(51);
  expect(known.get(1)).toMatchObject({ _id: 1 });
});

it('large documents are forgotten after the next page, unless they are asked for', () => {
  const { known, put } = pagesOf(10_000);
  put(1);
  expect(known.get(25)).toMatchObject({ _id: 25 });
  put(51);
  put(101);
  expect(known.get(1)).toBeUndefined();
  expect(known.get(101)).toMatchObject({ _id: 101 });
});
