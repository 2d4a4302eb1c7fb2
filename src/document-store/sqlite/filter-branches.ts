import { type FieldConstraint, intersect, isEmpty, readOperator } from './field-constraint.js';

/** One way to satisfy a filter: all of these at once. */
export interface Branch {
  readonly fields: ReadonlyMap<string, FieldConstraint>;
  /** Whether the fields say all that the filter says, so that what satisfies them needs no second look. */
  readonly exact: boolean;
}

export interface FilterBranches {
  /** A document satisfies the filter only if it satisfies one of them. Contradictions are left out: none may be left. */
  readonly branches: readonly Branch[];
  /** The `$search` of a `$text`. */
  readonly search: string | null;
  /** The filter without its `$text`, for mingo. */
  readonly residual: Readonly<Record<string, unknown>>;
}

type Filter = Readonly<Record<string, unknown>>;

/** `$or`s are multiplied out up to here; beyond, one is left to mingo. */
const MAX_BRANCHES = 4096;

/** @param multikeyPaths fields that may hold an array, of whose conditions only one can be used */
export function filterBranches(filter: Filter, multikeyPaths: ReadonlySet<string>): FilterBranches {
  const { search, residual } = takeText(filter);
  return { branches: conjunction(residual, multikeyPaths), search, residual };
}

function takeText(filter: Filter): { search: string | null; residual: Filter } {
  if (!('$text' in filter)) return { search: null, residual: filter };
  const { $text, ...residual } = filter;
  const search = ($text as { $search?: unknown } | null)?.$search;
  if (typeof search !== 'string') throw new TypeError('$text needs a $search text');
  return { search, residual };
}

const EVERYTHING: Branch = { fields: new Map(), exact: true };

function conjunction(filter: Filter, multikeyPaths: ReadonlySet<string>): readonly Branch[] {
  let branches: readonly Branch[] = [EVERYTHING];
  const both = (more: readonly Branch[]): void => {
    if (branches.length * more.length > MAX_BRANCHES) branches = branches.map(inexact);
    else branches = branches.flatMap((a) => more.flatMap((b) => combine(a, b, multikeyPaths) ?? []));
  };
  for (const [key, condition] of Object.entries(filter)) {
    if (key === '$and') for (const part of filtersOf(key, condition)) both(conjunction(part, multikeyPaths));
    else if (key === '$or') both(filtersOf(key, condition).flatMap((part) => conjunction(part, multikeyPaths)));
    else if (key.startsWith('$')) both([inexact(EVERYTHING)]);
    else both([fieldBranch(key, condition, multikeyPaths)].filter(isPossible));
  }
  return branches;
}

function fieldBranch(path: string, condition: unknown, multikeyPaths: ReadonlySet<string>): Branch {
  const operators = operatorsOf(condition);
  let branch = EVERYTHING;
  for (const [operator, operand] of operators) {
    const { constraint, exact } = readOperator(operator, operand);
    const fields = constraint ? new Map([[path, constraint]]) : EVERYTHING.fields;
    branch = merge(branch, { fields, exact: exact && constraint !== null }, multikeyPaths);
  }
  return branch;
}

function operatorsOf(condition: unknown): readonly (readonly [string, unknown])[] {
  if (typeof condition !== 'object' || condition === null || condition instanceof RegExp) return [['$eq', condition]];
  const entries = Object.entries(condition);
  return entries.length > 0 && entries.every(([key]) => key.startsWith('$')) ? entries : [['$eq', condition]];
}

function combine(a: Branch, b: Branch, multikeyPaths: ReadonlySet<string>): Branch | null {
  const merged = merge(a, b, multikeyPaths);
  return isPossible(merged) ? merged : null;
}

function merge(a: Branch, b: Branch, multikeyPaths: ReadonlySet<string>): Branch {
  if (a.fields.size === 0) return { fields: b.fields, exact: a.exact && b.exact };
  const fields = new Map(a.fields);
  let exact = a.exact && b.exact;
  for (const [path, constraint] of b.fields) {
    const other = fields.get(path);
    if (other && multikeyPaths.has(path)) {
      exact = false;
      if (other.kind === 'interval') fields.set(path, constraint);
    } else fields.set(path, other ? intersect(other, constraint) : constraint);
  }
  return { fields, exact };
}

function isPossible(branch: Branch): boolean {
  for (const constraint of branch.fields.values()) if (isEmpty(constraint)) return false;
  return true;
}

function inexact(branch: Branch): Branch {
  return { ...branch, exact: false };
}

function filtersOf(operator: string, condition: unknown): readonly Filter[] {
  if (Array.isArray(condition) && condition.length > 0) return condition;
  throw new TypeError(`${operator} needs a list of filters`);
}
