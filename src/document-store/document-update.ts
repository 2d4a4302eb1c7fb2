import { update } from 'mingo';
import * as updateOperators from 'mingo/operators/update';
import type { Filter, StoredDocument, Update } from './document-store.js';
import { fieldGetter, rootOf } from './field-path.js';

type Fields = Record<string, unknown>;

/** What the operators do to a document, in place. The filter tells the positional `$` its element. */
export function updater<D extends StoredDocument>(operators: Update<D>, filter: Filter<D>): (document: D) => void {
  refuseReplacement(operators);
  const { $setOnInsert: _, ...applied } = operators;
  const apply = compiled(applied, filter);
  return (document) => apply(document as unknown as Fields);
}

/** The fields of the document itself that the operators may change anything of. */
export function fieldsUpdated<D extends StoredDocument>(operators: Update<D>): ReadonlySet<string> {
  const paths = Object.entries(operators).flatMap(([name, expression]) => [
    ...Object.keys(expression as Fields),
    ...(name === '$rename' ? Object.values(expression as Record<string, string>) : []),
  ]);
  return new Set(paths.map(rootOf));
}

/** Fields of the document itself that all documents get the same value in; null where an update does something else, too. */
export function constantsSet<D extends StoredDocument>(operators: Update<D>): Readonly<Fields> | null {
  const { $set, ...others } = operators;
  if (!$set || Object.keys(others).length > 0) return null;
  const entries = Object.entries($set);
  const isPlain = entries.every(
    ([path, value]) => /^\w+$/.test(path) && path !== '_id' && value !== undefined && !hasOperators(value),
  );
  return isPlain && entries.length > 0 ? ($set as Fields) : null;
}

/** What an upsert inserts: the fields that the filter says equal something, then the operators. */
export function upsertedDocument<D extends StoredDocument>(filter: Filter<D>, operators: Update<D>): D {
  refuseReplacement(operators);
  const { $setOnInsert, ...applied } = operators;
  const equal = equalities(filter);
  const onInsert = { ...($setOnInsert as Fields | undefined) };
  const id = equal._id ?? onInsert._id;
  if (typeof id !== 'string' && typeof id !== 'number') {
    throw new TypeError('an upsert needs the _id of what it may insert, in its filter or in $setOnInsert');
  }
  delete equal._id;
  delete onInsert._id;
  const document: Fields = { _id: id };
  compiled({ $set: equal }, {})(document);
  const set = { ...(applied.$set as Fields | undefined), ...onInsert };
  const all = Object.keys(set).length > 0 ? { ...applied, $set: set } : applied;
  compiled(all, {})(document);
  return document as unknown as D;
}

/** Operators apply one after the other, which gives the same in any order, because no two may name the same path. */
function compiled(operators: Fields, filter: Fields): (document: Fields) => void {
  const paths = Object.values(operators).flatMap((expression) => Object.keys(expression as Fields));
  // Only mingo's whole update knows which element the filter met, which `$` stands for; its operators alone are ten times as fast.
  if (paths.some((path) => path.includes('$')) || '$rename' in operators) {
    return (document) => update(document, operators, [], filter, { cloneMode: 'deep' });
  }
  refuseConflicts(paths);
  const steps = Object.entries(operators).map(([name, expression]) => {
    const operator = CHECKED[name] ?? OPERATORS[name];
    if (!operator) throw new TypeError(`unknown update operator ${name}`);
    return operator(expression as Fields);
  });
  return (document) => {
    for (const step of steps) step(document);
  };
}

type Operator = (expression: Fields) => (document: Fields) => unknown;

const OPERATORS = updateOperators as unknown as Readonly<Record<string, Operator>>;

/** Where mingo is laxer than MongoDB: it lets be, or coerces, what an operator is not for, and makes all of an array a set. */
const CHECKED: Readonly<Record<string, Operator>> = {
  $inc: onlyOn('a number', (value) => typeof value === 'number', updateOperators.$inc as unknown as Operator),
  $mul: onlyOn('a number', (value) => typeof value === 'number', updateOperators.$mul as unknown as Operator),
  $set: simplest(updateOperators.$set as unknown as Operator, (document, field, value) => {
    document[field] = value;
  }),
  $push: onlyOn(
    'an array',
    Array.isArray,
    simplest(updateOperators.$push as unknown as Operator, (document, field, value) => {
      const before = document[field];
      document[field] = Array.isArray(before) ? [...before, value] : [value];
    }),
  ),
  $pull: onlyOn('an array', Array.isArray, updateOperators.$pull as unknown as Operator),
  $addToSet: onlyOn('an array', Array.isArray, addToSet),
};

/** Fields of the document itself and plain values take no walk: an update of thousands of documents has little else. */
function simplest(operator: Operator, apply: (document: Fields, field: string, value: unknown) => void): Operator {
  return (expression) => {
    const entries = Object.entries(expression);
    const areSimple = entries.every(([path, value]) => !path.includes('.') && !hasOperators(value));
    if (!areSimple) return operator(expression);
    return (document) => {
      for (const [field, value] of entries) apply(document, field, value);
    };
  };
}

const hasOperators = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).some((key) => key.startsWith('$'));

function onlyOn(kind: string, isKind: (value: unknown) => boolean, operator: Operator): Operator {
  return (expression) => {
    const apply = operator(expression);
    const getters = Object.keys(expression).map((path) => [path, fieldGetter(path)] as const);
    return (document) => {
      for (const [path, get] of getters) {
        const value = get(document);
        // An array on the way: the path names one of its elements.
        const isElsewhere = Array.isArray(value) && path.includes('.');
        if (value !== undefined && !isKind(value) && !isElsewhere) throw new TypeError(`${path} is not ${kind}`);
      }
      return apply(document);
    };
  };
}

function addToSet(expression: Fields): (document: Fields) => void {
  return (document) => {
    for (const [path, operand] of Object.entries(expression)) {
      const known = new Set(((fieldGetter(path)(document) ?? []) as unknown[]).map((value) => JSON.stringify(value)));
      const wanted = (operand as { $each?: unknown[] } | null)?.$each ?? [operand];
      const $each = wanted.filter((value) => {
        const isNew = !known.has(JSON.stringify(value));
        known.add(JSON.stringify(value));
        return isNew;
      });
      OPERATORS.$push?.({ [path]: { $each } })(document);
    }
  };
}

function refuseConflicts(paths: readonly string[]): void {
  const sorted = [...paths].sort();
  sorted.forEach((path, at) => {
    const next = sorted.slice(at + 1).find((other) => other === path || other.startsWith(`${path}.`));
    if (next !== undefined) throw new TypeError(`updating ${path} conflicts with updating ${next}`);
  });
}

function refuseReplacement(operators: Fields): void {
  if (Object.keys(operators).length > 0 && Object.keys(operators).every((key) => key.startsWith('$'))) return;
  throw new TypeError('an update holds operators; replaceOne replaces');
}

function equalities(filter: Fields): Fields {
  const equal: Fields = {};
  for (const [key, condition] of Object.entries(filter)) {
    if (key === '$and' && Array.isArray(condition))
      for (const part of condition) Object.assign(equal, equalities(part));
    else if (key === '$or' && Array.isArray(condition) && condition.length === 1)
      Object.assign(equal, equalities(condition[0]));
    else if (!key.startsWith('$')) {
      const [found, value] = equality(condition);
      if (found) equal[key] = value;
    }
  }
  return equal;
}

function equality(condition: unknown): readonly [found: boolean, value?: unknown] {
  if (condition instanceof RegExp) return [false];
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) return [true, condition];
  const operators = condition as Fields;
  if (!Object.keys(operators).some((key) => key.startsWith('$'))) return [true, condition];
  if ('$eq' in operators) return [true, operators.$eq];
  if (Array.isArray(operators.$in) && operators.$in.length === 1) return [true, operators.$in[0]];
  return [false];
}
