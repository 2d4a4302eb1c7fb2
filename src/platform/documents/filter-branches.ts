import type { Filter } from './document-store.js';
import { type FieldConstraint, intersect, isEmpty, readOperator } from './field-constraint.js';
import { DEFAULT_LANGUAGE } from './languages.js';
import type { Search } from './tokenize.js';

/** One way to satisfy a filter: all constraints at once. */
export interface Branch {
  readonly fields: ReadonlyMap<string, FieldConstraint>;
  /** Further constraints on fields that may hold several values: another element may meet them. */
  readonly further: readonly FieldCondition[];
  /** The parts of the filter that `fields` leaves out; null if they cannot be separated. */
  readonly unexpressed: readonly Filter[] | null;
}

export type FieldCondition = readonly [path: string, constraint: FieldConstraint];

export interface FilterBranches {
  /** A document satisfies the filter only if it satisfies a branch. Contradictory ones are left out, perhaps all. */
  readonly branches: readonly Branch[];
  /** The `$text`. */
  readonly search: Search | null;
  /** The filter without its `$text`, for mingo. */
  readonly residual: Readonly<Record<string, unknown>>;
}

/** `$or`s are multiplied out to at most so many branches. Further `$or`s are left to mingo. */
const MAX_BRANCHES = 4096;

/** @param scalarPaths fields with at most one value; of other fields, each condition may be met by another element */
export function filterBranches(filter: Filter, scalarPaths: ReadonlySet<string>): FilterBranches {
  const { search, residual } = takeText(filter);
  return { branches: conjunction(residual, scalarPaths), search, residual };
}

function takeText(filter: Filter): { search: Search | null; residual: Filter } {
  if (!('$text' in filter)) return { search: null, residual: filter };
  const { $text, ...residual } = filter;
  const asked = typeof $text === 'object' && $text !== null ? $text : {};
  const text = '$search' in asked ? asked.$search : undefined;
  const languages = '$languages' in asked ? asked.$languages : [DEFAULT_LANGUAGE];
  if (typeof text !== 'string') throw new TypeError('$text needs a $search text');
  if (!Array.isArray(languages) || languages.length === 0) throw new TypeError('$languages of $text is a list');
  return { search: { text, languages: languages.map(String) }, residual };
}

function conjunction(filter: Filter, scalarPaths: ReadonlySet<string>): readonly Branch[] {
  const own: Draft = { fields: new Map(), further: [], unexpressed: [] };
  const products: { readonly part: Filter; readonly branches: readonly Branch[] }[] = [];
  for (const [key, condition] of Object.entries(filter)) {
    if (key === '$and') {
      for (const part of filtersOf(key, condition)) products.push({ part, branches: conjunction(part, scalarPaths) });
    } else if (key === '$or') {
      const branches = filtersOf(key, condition).flatMap((part) => conjunction(part, scalarPaths));
      products.push({ part: { $or: condition }, branches });
    } else if (key === '$nor') {
      // No index answers `$nor`: its operators are only checked here.
      for (const part of filtersOf(key, condition)) conjunction(part, scalarPaths);
      own.unexpressed?.push({ [key]: condition });
    } else if (key.startsWith('$')) {
      throw new TypeError(`a filter has no operator ${key} here`);
    } else if (!restrictField(own, key, condition, scalarPaths)) {
      own.unexpressed?.push({ [key]: condition });
    }
  }
  const start: readonly Branch[] = isPossible(own) ? [own] : [];
  return products.reduce((branches, more) => product(branches, more, scalarPaths), start);
}

const FIELD_OPERATORS = new Set(['$eq', '$in', '$gt', '$gte', '$lt', '$lte', '$all', '$exists']);

interface Draft {
  readonly fields: Map<string, FieldConstraint>;
  readonly further: FieldCondition[];
  unexpressed: Filter[] | null;
}

/** @returns whether the draft's fields hold the whole condition */
function restrictField(draft: Draft, path: string, condition: unknown, scalarPaths: ReadonlySet<string>): boolean {
  let expressed = true;
  for (const [operator, operand] of operatorsOf(condition)) {
    if (!FIELD_OPERATORS.has(operator)) throw new TypeError(`a filter has no operator ${operator} on ${path}`);
    const { constraint, exact } = readOperator(operator, operand);
    if (!exact || (constraint && !restrict(draft, path, constraint, scalarPaths))) expressed = false;
  }
  return expressed;
}

function restrict(draft: Draft, path: string, constraint: FieldConstraint, scalarPaths: ReadonlySet<string>): boolean {
  const other = draft.fields.get(path);
  if (!other) draft.fields.set(path, constraint);
  else if (scalarPaths.has(path)) draft.fields.set(path, intersect(other, constraint));
  else {
    if (other.kind === 'interval') {
      draft.fields.set(path, constraint);
      draft.unexpressed = null;
    }
    draft.further.push([path, other.kind === 'interval' ? other : constraint]);
    return false;
  }
  return true;
}

function operatorsOf(condition: unknown): readonly (readonly [string, unknown])[] {
  if (condition instanceof RegExp) return [['a pattern', condition]];
  if (typeof condition !== 'object' || condition === null) return [['$eq', condition]];
  const entries = Object.entries(condition);
  return entries.length > 0 && entries.every(([key]) => key.startsWith('$')) ? entries : [['$eq', condition]];
}

function product(
  branches: readonly Branch[],
  more: { readonly part: Filter; readonly branches: readonly Branch[] },
  scalarPaths: ReadonlySet<string>,
): readonly Branch[] {
  if (branches.length * more.branches.length > MAX_BRANCHES) {
    return branches.map(({ fields, further, unexpressed }) => ({
      fields,
      further,
      unexpressed: unexpressed && [...unexpressed, more.part],
    }));
  }
  return branches.flatMap((a) => more.branches.map((b) => combine(a, b, scalarPaths)).filter(isPossible));
}

function combine(a: Branch, b: Branch, scalarPaths: ReadonlySet<string>): Branch {
  if (a.fields.size === 0 && a.unexpressed?.length === 0) return b;
  const draft: Draft = {
    fields: new Map(a.fields),
    further: [...a.further, ...b.further],
    unexpressed: a.unexpressed && b.unexpressed && [...a.unexpressed, ...b.unexpressed],
  };
  for (const [path, constraint] of b.fields) {
    if (!restrict(draft, path, constraint, scalarPaths)) draft.unexpressed = null;
  }
  return draft;
}

function isPossible(branch: Branch): boolean {
  for (const constraint of branch.fields.values()) if (isEmpty(constraint)) return false;
  return true;
}

function filtersOf(operator: string, condition: unknown): readonly Filter[] {
  if (Array.isArray(condition) && condition.length > 0) return condition;
  throw new TypeError(`${operator} needs a list of filters`);
}
