import { update } from 'mingo';
import type { Filter, StoredDocument, Update } from '../document-store.js';

type Fields = Record<string, unknown>;

/** The document as the operators leave it; null where they change nothing. The filter tells the positional `$` its element. */
export function updatedDocument<D extends StoredDocument>(
  document: D,
  operators: Update<D>,
  filter: Filter<D>,
): D | null {
  const { $setOnInsert: _, ...applied } = operators;
  refuseReplacement(operators);
  const before = JSON.stringify(document);
  const after: Fields = JSON.parse(before);
  if (Object.keys(applied).length > 0) apply(after, applied, filter);
  return JSON.stringify(after) === before ? null : (after as unknown as D);
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
  if (Object.keys(equal).length > 0) apply(document, { $set: equal }, {});
  const set = { ...(applied.$set as Fields | undefined), ...onInsert };
  const all = Object.keys(set).length > 0 ? { ...applied, $set: set } : applied;
  if (Object.keys(all).length > 0) apply(document, all, {});
  return document as unknown as D;
}

function apply(document: Fields, operators: Fields, filter: Fields): void {
  update(document, operators, [], filter, { cloneMode: 'deep' });
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
