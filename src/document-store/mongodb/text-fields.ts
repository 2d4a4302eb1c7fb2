import type { IndexDescription } from 'mongodb';
import type { FilterBranches } from '../filter-branches.js';
import { branchScope } from '../text-scope.js';
import { searchedPhrases, tokenize } from '../tokenize.js';
import type { CollectionLayout } from './layout.js';

/**
 * What `$text` needs of a document stands in a field of its own that nobody reads: every term once, for the index,
 * beside what narrows a search, and of each text field its terms in order, for phrases. (MongoDB's own text index cuts words in its own way.)
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

type Fields = Record<string, unknown>;

const MOST_BRANCHES = 64;

export interface SearchField {
  readonly terms: readonly string[];
  readonly fields: readonly string[];
}

/** null where the document has no words. */
export function searchField(layout: CollectionLayout, document: object): SearchField | null {
  const terms = new Set<string>();
  const fields: string[] = [];
  for (const { get } of layout.text) {
    const value = get(document);
    const inOrder = typeof value === 'string' ? tokenize(value) : [];
    if (inOrder.length === 0) continue;
    for (const term of inOrder) terms.add(term);
    fields.push(` ${inOrder.join(' ')} `);
  }
  if (fields.length === 0) return null;
  for (const field of layout.scope) for (const term of field.terms(document)) terms.add(term);
  return { terms: [...terms], fields };
}

/** @returns MongoDB's filter for the documents that hold what is searched; null where the search holds no term */
export function searchFilter(search: string): Fields | null {
  const phrases = searchedPhrases(search);
  if (phrases.length === 0) return null;
  const terms = { [`${SEARCH_FIELD}.terms`]: { $all: [...new Set(phrases.flat())] } };
  const side = phrases.filter((phrase) => phrase.length > 1).map((phrase) => ({ $expr: holdsPhrase(phrase) }));
  return side.length > 0 ? { $and: [terms, ...side] } : terms;
}

/**
 * The same among the documents that the rest of a filter allows. The server reads along whichever of the terms is the
 * rarest, in the order of ids: each branch by itself, merged.
 */
export function searchWithin(words: Fields, { branches, residual }: FilterBranches, layout: CollectionLayout): Fields {
  if (layout.scope.length === 0 || branches.length > MOST_BRANCHES) return { $and: [words, residual] };
  const scopes = branches.map((branch) => branchScope(branch, layout.scope).oneOf.map(hasOneOf));
  const [only] = scopes;
  if (only && scopes.length === 1) return { $and: [words, ...only, residual] };
  return { $or: scopes.map((scope) => ({ $and: [words, ...scope, residual] })) };
}

const hasOneOf = (terms: readonly string[]): Fields => ({
  [`${SEARCH_FIELD}.terms`]: terms.length === 1 ? terms[0] : { $in: terms },
});

/** No pattern, whose length would be limited. */
function holdsPhrase(phrase: readonly string[]): object {
  const found = { $gte: [{ $indexOfBytes: ['$$field', ` ${phrase.join(' ')} `] }, 0] };
  const fields = { $ifNull: [`$${SEARCH_FIELD}.fields`, []] };
  return { $anyElementTrue: [{ $map: { input: fields, as: 'field', in: found } }] };
}
