import type { CollectionSpec } from './document-store.js';
import { fieldElements } from './field-path.js';
import type { Branch } from './filter-branches.js';
import { encodeIndexValue, type IndexValue, NULL_VALUE } from './index-value.js';

/**
 * A field whose values stand in the text index as terms of their own. A search for frequent words among few documents
 * is answered by the text index alone.
 */
export interface ScopeField {
  readonly path: string;
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

/** Words never contain `_` (tokenize.ts): a term of a scope is no word. */
function termOf(at: number, value: IndexValue): string {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return `_s${at}_${value}`;
  return `_s${at}_x${typeof value === 'number' ? '' : 't'}${Buffer.from(String(value), 'utf8').toString('hex')}`;
}

interface BranchScope {
  /** A document of the branch has at least one term of each list. */
  readonly oneOf: readonly (readonly string[])[];
  /** The branch has no other condition, but for bounds of `_id`. */
  readonly isAll: boolean;
}

/** Looking up more terms costs more than looking at documents in vain. */
const MOST_TERMS = 1000;

export function branchScope({ fields, unexpressed }: Branch, scope: readonly ScopeField[]): BranchScope {
  const oneOf: string[][] = [];
  let expressed = 0;
  for (const { path, term } of scope) {
    const constraint = fields.get(path);
    if (constraint?.kind !== 'points' || constraint.values.length > MOST_TERMS) continue;
    // A missing value has no term.
    if (constraint.values.includes(NULL_VALUE)) continue;
    oneOf.push(constraint.values.map(term));
    expressed++;
  }
  const others = [...fields.keys()].filter((path) => path !== '_id').length - expressed;
  return { oneOf, isAll: others === 0 && unexpressed?.length === 0 };
}

/** Raised when tokenize.ts or a stemmer gives other terms for the same text: older indexes are then made anew. */
const WORDS_VERSION = 3;

/** Properties of a collection's text fields that decide their terms. */
interface TextSettings {
  readonly html?: readonly string[];
  readonly language?: string;
  readonly words?: number;
}

/** The stored settings with the specification's; empty for a collection without text fields. */
export function textSettings(
  { text, textHtml, textLanguage }: CollectionSpec,
  stored: TextSettings & { readonly text: readonly string[] },
): TextSettings {
  if ((text ?? stored.text).length === 0) return {};
  const language = textLanguage ?? stored.language;
  return { html: textHtml ?? stored.html ?? [], ...(language === undefined ? {} : { language }), words: WORDS_VERSION };
}
