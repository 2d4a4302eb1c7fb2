import type { Sort } from '../document-store.js';
import { allowsNull } from '../field-constraint.js';
import type { FieldCondition, FilterBranches } from '../filter-branches.js';
import { isPrimary } from '../planner.js';
import { hinted } from '../stored-index.js';
import {
  type CollectionLayout,
  type IndexKey,
  type IndexLayout,
  type IndexTest,
  indexValueJson,
  NULL_SQL,
  survivesJson,
} from './layout.js';

/**
 * The layout with the hint's index alone. Its rows are tested for the filter's other conditions by their own indexes, so
 * that a document which does not satisfy them is not even read. The tests let more documents pass than the filter at
 * most: mingo decides on those.
 */
export function hintedLayout(layout: CollectionLayout, hint: Sort, { branches }: FilterBranches): CollectionLayout {
  const { indexes, ...rest } = hinted(layout, hint);
  const [branch, ...more] = branches;
  if (!branch || more.length > 0) return { ...rest, indexes };
  const conditions = [...branch.fields, ...branch.further];
  return { ...rest, indexes: indexes.map((index) => tested(index, conditions, layout)) };
}

/** A condition that rows are tested for, with the table to join for it. */
interface Joined extends IndexTest {
  readonly join: string;
}

function tested(index: IndexLayout, conditions: readonly FieldCondition[], layout: CollectionLayout): IndexLayout {
  const id = index.keys.find(({ path }) => path === '_id');
  if (!id || isPrimary(index)) return index;
  const own = conditions.findIndex(([path]) => path === index.keys[0]?.path);
  const tests = conditions.flatMap((condition, at) => {
    const test = at === own ? null : testOf(condition, { row: index.row, id, at }, layout);
    return test ? [test] : [];
  });
  const joins = tests.map(({ join }) => join).join('');
  return {
    ...index,
    from: index.keysFrom + joins + index.from.slice(index.keysFrom.length),
    keysFrom: index.keysFrom + joins,
    tests,
  };
}

interface TestedRow {
  readonly row: string;
  readonly id: IndexKey;
  /** Tells the joined table from others. */
  readonly at: number;
}

/** null if no index tells whether a document meets the condition. */
function testOf([path, constraint]: FieldCondition, tested: TestedRow, layout: CollectionLayout): Joined | null {
  if (constraint.kind !== 'points' || allowsNull(constraint)) return null;
  const [only, ...more] = constraint.values;
  const index = layout.indexes.find(
    ({ keys }) => keys.length === 2 && keys[0]?.path === path && keys[1]?.path === '_id' && path !== '_id',
  );
  if (index && only !== undefined && more.length === 0) return { value: only, ...byIndex(index, tested) };
  const column = layout.columnOf.get(path);
  if (!column || !constraint.values.every(survivesJson)) return null;
  const value = `[${constraint.values.map(indexValueJson).join(',')}]`;
  return { value, ...byColumn(column, tested, layout) };
}

/** Reads the row's document in a join of its own: rows that fail the tests before it cost no such look. */
function byColumn(column: string, { row, at }: TestedRow, { table }: CollectionLayout): Omit<Joined, 'value'> {
  const name = `j${at}`;
  return {
    join: ` CROSS JOIN ${table} AS ${name} NOT INDEXED`,
    sql: (list) => `${name}.k = ${row} AND ${name}.${column} IN (SELECT value FROM json_each(${list}))`,
  };
}

/** Looks a row's document up in the index, by the index's value and `_id`. */
function byIndex(index: IndexLayout, { row, id, at }: TestedRow): Omit<Joined, 'value'> {
  const name = `j${at}`;
  const side = index.multikey !== null;
  const renamed = (sql: string) => sql.replace(/^[st]\./, `${name}.`);
  const [key, itsId] = index.keys.map(({ sql }) => renamed(sql));
  const sparse = index.sparse && !side ? ` AND ${key} > ${NULL_SQL}` : '';
  return {
    join: ` CROSS JOIN ${index.keysFrom.replace(side ? ' AS s' : ' AS t', ` AS ${name}`)}`,
    sql: (value) => `${key} = ${value} AND ${itsId} = ${id.sql} AND ${renamed(index.row)} = ${row}${sparse}`,
  };
}
