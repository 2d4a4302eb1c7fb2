import {
  type Bound,
  compareIndexValues,
  encodeIndexValue,
  type IndexValue,
  NULL_VALUE,
  typeInterval,
} from './index-value.js';

/** A filter's condition on one field, as far as an index can use it. */
export type FieldConstraint =
  | { readonly kind: 'points'; readonly values: readonly IndexValue[] }
  | { readonly kind: 'interval'; readonly low: Bound; readonly high: Bound };

interface ReadConstraint {
  /** null if no index can use the condition. */
  readonly constraint: FieldConstraint | null;
  /** The constraint is the whole condition. */
  readonly exact: boolean;
}

/** Reads one operator; an equality as `$eq`. */
export function readOperator(operator: string, operand: unknown): ReadConstraint {
  if (operator === '$in') return readIn(operand);
  const value = encodeIndexValue(operand);
  // All lone surrogates are stored as one replacement character: only the document tells them apart.
  if (value === undefined || operand === undefined || !READERS[operator]) return UNUSABLE;
  return { constraint: READERS[operator](value), exact: isWellFormed(value) };
}

/** Both constraints at once, on a field that holds one value. */
export function intersect(a: FieldConstraint, b: FieldConstraint): FieldConstraint {
  if (a.kind === 'points') return { kind: 'points', values: a.values.filter((value) => allows(b, value)) };
  if (b.kind === 'points') return intersect(b, a);
  return { kind: 'interval', low: tighter(a.low, b.low, 1), high: tighter(a.high, b.high, -1) };
}

export function isEmpty(constraint: FieldConstraint): boolean {
  if (constraint.kind === 'points') return constraint.values.length === 0;
  const order = compareIndexValues(constraint.low.value, constraint.high.value);
  return order > 0 || (order === 0 && !(constraint.low.inclusive && constraint.high.inclusive));
}

export function allowsNull(constraint: FieldConstraint): boolean {
  return allows(constraint, NULL_VALUE);
}

const UNUSABLE: ReadConstraint = { constraint: null, exact: false };

const READERS: Readonly<Record<string, (value: IndexValue) => FieldConstraint>> = {
  $eq: (value) => point(value),
  $gt: (value) => ({ kind: 'interval', low: { value, inclusive: false }, high: typeInterval(value).high }),
  $gte: (value) =>
    value === NULL_VALUE
      ? point(value)
      : { kind: 'interval', low: { value, inclusive: true }, high: typeInterval(value).high },
  $lt: (value) => ({ kind: 'interval', low: typeInterval(value).low, high: { value, inclusive: false } }),
  $lte: (value) =>
    value === NULL_VALUE
      ? point(value)
      : { kind: 'interval', low: typeInterval(value).low, high: { value, inclusive: true } },
};

function readIn(operand: unknown): ReadConstraint {
  if (!Array.isArray(operand)) return UNUSABLE;
  const values = new Set<IndexValue>();
  let exact = true;
  for (const element of operand) {
    const value = element === undefined ? undefined : encodeIndexValue(element);
    if (value === undefined) return UNUSABLE;
    exact &&= isWellFormed(value);
    values.add(value);
  }
  return { constraint: { kind: 'points', values: [...values] }, exact };
}

function point(value: IndexValue): FieldConstraint {
  return { kind: 'points', values: [value] };
}

function allows(constraint: FieldConstraint, value: IndexValue): boolean {
  if (constraint.kind === 'points') return constraint.values.includes(value);
  const low = compareIndexValues(value, constraint.low.value);
  const high = compareIndexValues(value, constraint.high.value);
  return (
    (low > 0 || (low === 0 && constraint.low.inclusive)) && (high < 0 || (high === 0 && constraint.high.inclusive))
  );
}

function tighter(a: Bound, b: Bound, direction: 1 | -1): Bound {
  const order = compareIndexValues(a.value, b.value) * direction;
  return order > 0 || (order === 0 && !a.inclusive) ? a : b;
}

function isWellFormed(value: IndexValue): boolean {
  return typeof value === 'number' || !LONE_SURROGATE.test(value);
}

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
