import { Context } from 'mingo/core';
import * as queryOperators from 'mingo/operators/query';
import { Query } from 'mingo/query';
import type { Row } from '../../sqlite/driver.js';
import type { FieldProjection, Sort } from '../document-store.js';
import { decodeIndexValue, type IndexValue } from '../index-value.js';
import type { Plan } from '../planner.js';
import { type CollectionLayout, type IndexLayout, NULL_SQL, storedJson } from './layout.js';

type Fields = Record<string, unknown>;

/** Holds the operators of filters alone: mingo copies all operators for each query. */
const FILTER_OPERATORS = Context.init({ query: queryOperators });
/** The whole of mingo would be loaded for a query with its own operators. */
const EVERYTHING = new Query({}, { context: FILTER_OPERATORS });

/** Tells which documents satisfy a filter, as MongoDB would. @throws Error for an unknown or misused operator */
export function predicate(filter: object): (document: Fields) => boolean {
  const query = new Query(filter, { context: FILTER_OPERATORS });
  return (document) => query.test(document);
}

export function sortedDocuments(documents: Fields[], sort: Sort): Fields[] {
  return EVERYTHING.find<Fields>(documents).sort(sort).all();
}

function projectedDocument(document: Fields, projection: Fields): Fields {
  return EVERYTHING.find<Fields>([document], projection).all()[0] ?? {};
}

interface ColumnShape {
  /** Columns to read behind the row key. */
  readonly select: readonly string[];
  /** Makes the projected document of a row. */
  readonly read: (row: Row) => Fields;
}

export function parseDocument(row: Row): Fields {
  return storedJson(row[1]);
}

/**
 * Reads fields of the document itself without parsing the document: some fields are columns, and SQLite finds the
 * others. A column does not tell null from missing: for such a row the document is read and parsed. null for other
 * projections.
 */
export function columnShape(layout: CollectionLayout, projection: FieldProjection | undefined): ColumnShape | null {
  if (!projection) return null;
  const { _id: withId = 1, ...fields } = projection;
  const paths = Object.keys(fields);
  if (withId === 0 && paths.length === 0) return null;
  const columns = paths.map((path) => layout.columnOf.get(path));
  const simple = paths.every((path) => fields[path] === 1 && /^\w+$/.test(path));
  if (!simple || (paths.length === 0 && !('_id' in projection))) return null;
  const names = columns.map((column, at) => (column ? `t.${column}` : `t.doc -> '$."${paths[at]}"'`));
  const isNull = columns.flatMap((column) => (column ? `t.${column} = ${NULL_SQL}` : [])).join(' OR ');
  const project = projector(projection);
  return {
    select: ['t.id', isNull === '' ? 'NULL' : `CASE WHEN ${isNull} THEN t.doc END`, ...names],
    read: (row) => {
      if (row[2] !== null) return project(storedJson(row[2]));
      const read: Fields = {};
      if (withId === 1) read._id = row[1] === '' ? row[0] : decodeIndexValue(row[1] as IndexValue);
      paths.forEach((path, at) => {
        const value = row[at + 3] ?? null;
        if (columns[at] !== undefined) read[path] = decodeIndexValue(value as IndexValue);
        else if (value !== null) read[path] = storedJson(value);
      });
      return read;
    },
  };
}

/** Reads `_id` alone from the index of a single range: no document is looked at. null for other projections and indexes. */
export function keyShape(
  plan: Plan<IndexLayout>,
  projection: FieldProjection | undefined,
): (ColumnShape & { readonly plan: Plan<IndexLayout> }) | null {
  const [range, ...more] = plan.ranges;
  const isOfId = projection?._id === 1 && Object.keys(projection).length === 1;
  const id = range?.scan.index.keys.find(({ path }) => path === '_id');
  if (!range || more.length > 0 || !isOfId || !id) return null;
  const { index } = range.scan;
  const scan = { ...range.scan, index: { ...index, from: index.keysFrom } };
  return {
    plan: { ...plan, ranges: [{ ...range, scan }] },
    select: [id.sql],
    read: ([k, text]) => ({ _id: text === '' ? k : decodeIndexValue(text as IndexValue) }),
  };
}

export function projector(projection: FieldProjection | undefined): (document: Fields) => Fields {
  const entries = Object.entries(projection ?? {});
  if (!projection || entries.length === 0) return (document) => document;
  if (entries.some(([path]) => path.includes('.') || path.startsWith('$'))) {
    return (document) => projectedDocument(document, projection);
  }
  const { _id: withId, ...fields } = projection;
  const named = new Set(Object.keys(fields));
  const including = named.size > 0 ? Object.values(fields).includes(1) : withId === 1;
  if (including && Object.values(fields).includes(0))
    throw new TypeError('a projection names fields to take or to leave');
  const left = including ? null : [...named, ...(withId === 0 ? ['_id'] : [])];
  return (document) => {
    // Most documents have nothing to leave: copying them takes as long as parsing.
    if (left?.every((field) => !Object.hasOwn(document, field))) return document;
    const projected: Fields = {};
    for (const [field, value] of Object.entries(document)) {
      const taken = field === '_id' ? withId !== 0 : named.has(field) === including;
      if (taken) projected[field] = value;
    }
    return projected;
  };
}
