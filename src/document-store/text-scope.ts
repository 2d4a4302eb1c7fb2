import { fieldElements } from './field-path.js';
import type { Branch } from './filter-branches.js';
import { encodeIndexValue, type IndexValue, NULL_VALUE } from './index-value.js';

/**
 * A field whose values stand in the index of words as terms of their own, so that a search for words that are everywhere
 * among documents that are few is answered there.
 */
export interface ScopeField {
  readonly path: string;
  /** Of a document. */
  readonly terms: (document: object) => string[];
  readonly term: (value: IndexValue) => string;
}

export function scopeFields(paths: readonly string[]): ScopeField[] {
  return paths.map((path, at) => {
    const elements = fieldElements(path);
    const term = (value: IndexValue): string => termOf(at, value);
    const terms = (document: object): string[] =>
      elements(document).flatMap((element) => {
        const value = encodeIndexValue(element);
        return value === undefined || value === NULL_VALUE ? [] : term(value);
      });
    return { path, terms, term };
  });
}

/** No word has a low line (tokenize.ts). */
function termOf(at: number, value: IndexValue): string {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return `_s${at}_${value}`;
  return `_s${at}_x${typeof value === 'number' ? '' : 't'}${Buffer.from(String(value), 'utf8').toString('hex')}`;
}

export interface BranchScope {
  /** A document of the branch has one term of each of these. */
  readonly oneOf: readonly (readonly string[])[];
  /** Whether the branch says nothing else, but for bounds of `_id`. */
  readonly isAll: boolean;
}

/** Beyond, looking for each of the terms costs more than looking at documents in vain. */
const MOST_TERMS = 1000;

export function branchScope({ fields, unexpressed }: Branch, scope: readonly ScopeField[]): BranchScope {
  const oneOf: string[][] = [];
  let expressed = 0;
  for (const { path, term } of scope) {
    const constraint = fields.get(path);
    if (constraint?.kind !== 'points' || constraint.values.length > MOST_TERMS) continue;
    // What a document lacks stands in no index of words.
    if (constraint.values.includes(NULL_VALUE)) continue;
    oneOf.push(constraint.values.map(term));
    expressed++;
  }
  const others = [...fields.keys()].filter((path) => path !== '_id').length - expressed;
  return { oneOf, isAll: others === 0 && unexpressed?.length === 0 };
}
