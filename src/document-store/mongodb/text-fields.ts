import type { IndexDescription } from 'mongodb';
import { searchedPhrases, tokenize } from '../tokenize.js';
import type { CollectionLayout } from './layout.js';

/**
 * What `$text` needs of a document stands in a field of its own that nobody reads: every term once, for the index, and
 * of each text field its terms in order, for phrases. (MongoDB's own text index cuts words in its own way.)
 */
export const SEARCH_FIELD = '_search';

export const TEXT_INDEX: IndexDescription = {
  key: new Map([
    [`${SEARCH_FIELD}.terms`, 1],
    ['_id', 1],
  ]),
  name: SEARCH_FIELD,
  partialFilterExpression: { [`${SEARCH_FIELD}.terms`]: { $exists: true } },
};

export interface SearchField {
  readonly terms: readonly string[];
  readonly fields: readonly string[];
}

/** null where the document has no words. */
export function searchField(layout: CollectionLayout, document: object): SearchField | null {
  const fields = layout.text.flatMap(({ get }) => {
    const value = get(document);
    const terms = typeof value === 'string' ? tokenize(value) : [];
    return terms.length > 0 ? [terms] : [];
  });
  if (fields.length === 0) return null;
  return { terms: [...new Set(fields.flat())], fields: fields.map((terms) => ` ${terms.join(' ')} `) };
}

/** @returns MongoDB's filter for the documents that hold what is searched; null where the search holds no term */
export function searchFilter(search: string): Record<string, unknown> | null {
  const phrases = searchedPhrases(search);
  if (phrases.length === 0) return null;
  const terms = { [`${SEARCH_FIELD}.terms`]: { $all: [...new Set(phrases.flat())] } };
  const side = phrases.filter((phrase) => phrase.length > 1).map((phrase) => ({ $expr: holdsPhrase(phrase) }));
  return side.length > 0 ? { $and: [terms, ...side] } : terms;
}

/** No pattern, whose length would be limited. */
function holdsPhrase(phrase: readonly string[]): object {
  const found = { $gte: [{ $indexOfBytes: ['$$field', ` ${phrase.join(' ')} `] }, 0] };
  const fields = { $ifNull: [`$${SEARCH_FIELD}.fields`, []] };
  return { $anyElementTrue: [{ $map: { input: fields, as: 'field', in: found } }] };
}
