import { type Filter, UnboundedFilter } from './document-store.js';
import { allowsNull, type FieldConstraint } from './field-constraint.js';
import type { Branch, FilterBranches } from './filter-branches.js';
import type { Bound, IndexValue } from './index-value.js';

export type SortKeys = readonly (readonly [path: string, direction: 1 | -1])[];

/** An index as the planner sees it. An engine's own type may hold more. */
export interface PlannedIndex {
  readonly keys: readonly PlannedKey[];
  readonly sparse: boolean;
  readonly multikey: string | null;
}

export interface PlannedKey {
  readonly path: string;
  readonly direction: 1 | -1;
  /** Holds the elements of an array: one document may stand at several places of the index. */
  readonly multikey: boolean;
}

/** A range of one index: equal leading keys, and bounds of the next key. */
export interface IndexRange<I extends PlannedIndex> {
  readonly scan: Scan<I>;
  readonly equal: readonly IndexValue[];
  readonly low: Bound | null;
  readonly high: Bound | null;
}

/** The way to read ranges of one shape. */
export interface Scan<I extends PlannedIndex> {
  readonly index: I;
  readonly reverse: boolean;
  /** Number of leading keys that are equal within a range. */
  readonly equalKeys: number;
  /** Each sort key's place among the index's keys (those before `equalKeys` are constant); null: no order. */
  readonly sortPlaces: readonly number[] | null;
}

export interface Plan<I extends PlannedIndex> {
  readonly ranges: readonly IndexRange<I>[];
  /** A further filter on the documents of the ranges; null if all of them satisfy the filter. */
  readonly residual: Filter | null;
  /** No document can stand in the ranges twice. */
  readonly disjoint: boolean;
  /** `index`: merging the ranges gives the order. `memory`: all matches are read and sorted. `none`: none is wanted. */
  readonly order: 'index' | 'memory' | 'none';
}

/** A branch has at most so many ranges: beyond, fewer keys are used. The first key's own `$in` is never cut. */
const MAX_RANGES = 10_000;

/**
 * Plans a filter that the port allows.
 *
 * @param asked the filter's branches, without a `$text`
 * @param indexes the first is the index of `_id`
 * @throws UnboundedFilter
 */
export function planFilter<I extends PlannedIndex>(
  { collection, indexes }: { readonly collection: string; readonly indexes: readonly I[] },
  filter: Filter,
  asked: FilterBranches,
  sort: SortKeys,
  limit: number,
): Plan<I> {
  const everything = Object.keys(filter).length === 0;
  const endless = sort.length === 0 || !Number.isFinite(limit);
  const plan = !everything ? planBranches(indexes, asked, sort) : endless ? null : planSortedScan(indexes, sort);
  if (!plan) throw new UnboundedFilter(collection, filter);
  return plan;
}

/** @returns null if no index bounds some branch */
function planBranches<I extends PlannedIndex>(
  indexes: readonly I[],
  { branches, residual: filter }: FilterBranches,
  sort: SortKeys,
): Plan<I> | null {
  const served = choose(indexes, branches, sort);
  if (served.some((choice) => choice === null)) return null;
  const choices = served as readonly Choice<I>[];
  const inOrder = sort.length > 0 && choices.every((choice) => choice.scan.sortPlaces !== null);
  const ranges = branches.map((branch, at) => branchRanges(branch, choices[at] as Choice<I>));
  return {
    ranges: ranges.flatMap((found) => found.ranges),
    residual: ranges.every((found) => found.expressed) ? commonResidual(branches, filter) : filter,
    disjoint: ranges.length <= 1 && ranges.every((found) => found.disjoint),
    order: sort.length === 0 ? 'none' : inOrder ? 'index' : 'memory',
  };
}

/** The whole collection in an index's order; null if no index has the order. */
function planSortedScan<I extends PlannedIndex>(indexes: readonly I[], sort: SortKeys): Plan<I> | null {
  for (const index of indexes) {
    if (index.sparse || index.multikey !== null) continue;
    const scan = sortedScan(index, 0, sort);
    if (scan.sortPlaces === null) continue;
    return { ranges: wholeIndex(scan), residual: null, disjoint: true, order: 'index' };
  }
  return null;
}

/** The index of `_id` takes two ranges: numbers and texts lie apart in it. */
function wholeIndex<I extends PlannedIndex>(scan: Scan<I>): IndexRange<I>[] {
  if (!isPrimary(scan.index)) return [{ scan, equal: [], low: null, high: null }];
  const between = (low: IndexValue, high: IndexValue, inclusive: boolean): IndexRange<I> => ({
    scan,
    equal: [],
    low: { value: low, inclusive },
    high: { value: high, inclusive: false },
  });
  return [between(Number.NEGATIVE_INFINITY, 's', false), between('s', 't', true)];
}

interface Choice<I extends PlannedIndex> {
  readonly scan: Scan<I>;
  readonly rank: readonly number[];
}

/** Decides once for all branches of one shape: an `$or` often has hundreds. */
function choose<I extends PlannedIndex>(
  indexes: readonly I[],
  branches: readonly Branch[],
  sort: SortKeys,
): (Choice<I> | null)[] {
  const decided = new Map<string, Choice<I> | null>();
  return branches.map((branch) => {
    const shape = shapeOf(branch);
    let choice = decided.get(shape);
    if (choice === undefined) {
      choice = bestChoice(indexes, branch, sort);
      decided.set(shape, choice);
    }
    return choice;
  });
}

function shapeOf(branch: Branch): string {
  let shape = '';
  for (const [path, constraint] of branch.fields) {
    shape += `${path}:${constraint.kind === 'points' ? constraint.values.length : 'interval'}${allowsNull(constraint)};`;
  }
  return shape;
}

function bestChoice<I extends PlannedIndex>(indexes: readonly I[], branch: Branch, sort: SortKeys): Choice<I> | null {
  let best: Choice<I> | null = null;
  for (const index of indexes) {
    const choice = rate(index, branch, sort);
    if (choice && (best === null || isBetter(choice.rank, best.rank))) best = choice;
  }
  return best;
}

function rate<I extends PlannedIndex>(index: I, branch: Branch, sort: SortKeys): Choice<I> | null {
  const first = branch.fields.get(index.keys[0]?.path ?? '');
  if (!first || (index.sparse && allowsNull(first))) return null;
  let equalKeys = 0;
  let ranges = 1;
  for (const key of index.keys) {
    const constraint = branch.fields.get(key.path);
    if (constraint?.kind !== 'points') break;
    if (equalKeys > 0 && ranges * constraint.values.length > MAX_RANGES) break;
    ranges *= constraint.values.length;
    equalKeys++;
  }
  const next = branch.fields.get(index.keys[equalKeys]?.path ?? '');
  const scan = sortedScan(index, equalKeys, sort);
  const rank = [
    isPrimary(index) && equalKeys === 1 ? 1 : 0,
    sort.length > 0 && scan.sortPlaces !== null ? 1 : 0,
    equalKeys,
    next?.kind === 'interval' ? boundedSides(next) : 0,
    -ranges,
  ];
  return { scan, rank };
}

/** The index of `_id`. No other index begins with `_id`. */
export function isPrimary(index: PlannedIndex): boolean {
  return index.keys[0]?.path === '_id';
}

function isBetter(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, place) => value !== b[place]);
  return at >= 0 && Number(a[at]) > Number(b[at]);
}

/** Number of bounded sides: a range with two promises fewer documents than a range with one. */
function boundedSides(constraint: Extract<FieldConstraint, { kind: 'interval' }>): number {
  const { low, high } = constraint;
  const open = (bound: Bound): boolean =>
    bound.value === 's' || bound.value === 't' || bound.value === 'u' || bound.value === Number.NEGATIVE_INFINITY;
  return (open(low) ? 0 : 1) + (open(high) ? 0 : 1);
}

function sortedScan<I extends PlannedIndex>(index: I, equalKeys: number, sort: SortKeys): Scan<I> {
  const places: number[] = [];
  let next = equalKeys;
  let reverse: boolean | null = null;
  for (const [path, direction] of sort) {
    const place = index.keys.findIndex((key) => key.path === path && !key.multikey);
    if (place >= 0 && place < equalKeys) {
      places.push(place);
      continue;
    }
    const key = index.keys[next];
    const backwards = key !== undefined && key.direction !== direction;
    if (place < 0 || place !== next || (reverse !== null && reverse !== backwards)) {
      return { index, equalKeys, reverse: false, sortPlaces: null };
    }
    reverse = backwards;
    places.push(next++);
    // No two documents have the same _id: no key behind it decides.
    if (path === '_id') break;
  }
  return { index, equalKeys, reverse: reverse ?? false, sortPlaces: sort.length > 0 ? places : null };
}

/** The conditions that no branch expresses; the whole filter if the branches differ in them. */
function commonResidual(branches: readonly Branch[], filter: Filter): Filter | null {
  const parts = branches[0]?.unexpressed ?? [];
  const common = branches.every(
    ({ unexpressed }) => unexpressed?.length === parts.length && unexpressed.every((part, at) => part === parts[at]),
  );
  if (!common) return filter;
  return parts.length === 0 ? null : { $and: parts };
}

interface BranchRanges<I extends PlannedIndex> {
  readonly ranges: readonly IndexRange<I>[];
  /** The ranges express all constraints of the branch's fields. */
  readonly expressed: boolean;
  /** No document stands in two of the ranges. */
  readonly disjoint: boolean;
}

function branchRanges<I extends PlannedIndex>(branch: Branch, { scan }: Choice<I>): BranchRanges<I> {
  const { index, equalKeys } = scan;
  let equals: readonly (readonly IndexValue[])[] = [[]];
  for (let place = 0; place < equalKeys; place++) {
    const constraint = branch.fields.get(index.keys[place]?.path ?? '');
    const values = constraint?.kind === 'points' ? constraint.values : [];
    equals = equals.length === 1 ? values.map((value) => [...(equals[0] ?? []), value]) : times(equals, values);
  }
  const next = branch.fields.get(index.keys[equalKeys]?.path ?? '');
  const interval = next?.kind === 'interval' ? next : null;
  const consumed = equalKeys + (interval ? 1 : 0);
  return {
    ranges: equals.map((equal) => ({ scan, equal, low: interval?.low ?? null, high: interval?.high ?? null })),
    expressed: branch.fields.size === consumed && !mayHoldEmptyArrays(branch, index),
    disjoint: index.multikey === null || standsAtOnePlace(branch, scan, index.multikey),
  };
}

function times(prefixes: readonly (readonly IndexValue[])[], values: readonly IndexValue[]): IndexValue[][] {
  return prefixes.flatMap((prefix) => values.map((value) => [...prefix, value]));
}

/** An empty array stands in the index like null, though the two are not equal. */
function mayHoldEmptyArrays(branch: Branch, index: PlannedIndex): boolean {
  const constraint = index.multikey === null ? undefined : branch.fields.get(index.multikey);
  return constraint !== undefined && allowsNull(constraint);
}

function standsAtOnePlace(branch: Branch, scan: Scan<PlannedIndex>, multikey: string): boolean {
  const constraint = branch.fields.get(multikey);
  const place = scan.index.keys.findIndex((key) => key.multikey);
  return place < scan.equalKeys && constraint?.kind === 'points' && constraint.values.length === 1;
}
