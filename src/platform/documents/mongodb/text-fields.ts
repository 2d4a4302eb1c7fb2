import type { IndexDescription } from 'mongodb';
import type { FilterBranches } from '../filter-branches.js';
import { DEFAULT_LANGUAGE } from '../languages.js';
import { branchScope } from '../text-scope.js';
import { indexTerms, type Search, searchedPhrases, stemLists, tokenize, visibleText } from '../tokenize.js';
import type { CollectionLayout } from './layout.js';

/**
 * The field of a document that `$text` searches, never read by queries: every stem once, with the terms of the text
 * scope, for the index; and for phrases the terms of each text field in order. (MongoDB's own text index cuts words
 * differently.)
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

interface SearchField {
  readonly terms: readonly string[];
  readonly fields: readonly string[];
}

/** null for a document without terms. */
export function searchField(layout: CollectionLayout, document: object): SearchField | null {
  const terms = new Set<string>();
  const fields: string[] = [];
  const language = String(layout.language?.get(document) ?? DEFAULT_LANGUAGE);
  for (const { get, isHtml } of layout.text) {
    const value = get(document);
    const text = typeof value === 'string' ? (isHtml ? visibleText(value) : value) : '';
    const inOrder = tokenize(text);
    if (inOrder.length === 0) continue;
    for (const term of indexTerms(text, language)) terms.add(term);
    fields.push(` ${inOrder.join(' ')} `);
  }
  if (fields.length === 0) return null;
  for (const field of layout.scope) for (const term of field.terms(document)) terms.add(term);
  return { terms: [...terms], fields };
}

/** @returns MongoDB's filter for the documents that a search finds; null for a search without terms */
export function searchFilter(search: Search): Fields | null {
  const phrases = searchedPhrases(search);
  if (phrases.length === 0) return null;
  const path = `${SEARCH_FIELD}.terms`;
  const sure = new Set<string>();
  const further: Fields[] = [];
  for (const phrase of phrases) {
    const [stems = [], ...others] = stemLists(phrase, search);
    if (others.length === 0) for (const stem of stems) sure.add(stem);
    // In each language the word may have another stem.
    else
      for (const at of stems.keys()) {
        further.push({ [path]: { $in: [...new Set([stems, ...others].map((list) => list[at] ?? ''))] } });
      }
  }
  const exact = phrases.filter(({ isExact }) => isExact).map(({ terms }) => ({ $expr: holdsPhrase(terms) }));
  const all = [...(sure.size > 0 ? [{ [path]: { $all: [...sure] } }] : []), ...further, ...exact];
  const [only] = all;
  return only && all.length === 1 ? only : { $and: all };
}

/**
 * The search among the documents that the rest of a filter allows. For each branch the server reads the documents of
 * the rarest term, in the order of ids, and merges the branches.
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

/** Compares bytes, because the length of a pattern would be limited. */
function holdsPhrase(phrase: readonly string[]): object {
  const found = { $gte: [{ $indexOfBytes: ['$$field', ` ${phrase.join(' ')} `] }, 0] };
  const fields = { $ifNull: [`$${SEARCH_FIELD}.fields`, []] };
  return { $anyElementTrue: [{ $map: { input: fields, as: 'field', in: found } }] };
}
