/**
 * Differences between a stand-in and the engine, with reasons. The suites leave out just these. An engine itself has none.
 */
export interface Shortfalls {
  readonly elementRanges?: string;
  readonly rowsExamined?: string;
  readonly plans?: string;
  readonly dropsBesideTransactions?: string;
  readonly newQuestions?: string;
}

/** Shortfalls of SecantusDB 0.7 in Python. */
const SECANTUSDB_IN_PYTHON: Shortfalls = {
  elementRanges:
    'With an index on an array, { d: { $gt: 1, $lt: 4 } } finds only documents of which one element meets both bounds. ' +
    'MongoDB finds those of which each bound is met by some element, with an index (manual: Multikey Index Bounds, ' +
    'bounds are not intersected without $elemMatch) as without one.',
  rowsExamined:
    'Queries read all that an index finds, or with $or the whole collection, before limit and order are applied, and ' +
    'explain counts without the limit. In MongoDB, totalDocsExamined of executionStats is what was looked at.',
  dropsBesideTransactions:
    'Dropping a collection that an open transaction has written to waits for that transaction under the lock that its end ' +
    'needs: the whole server stands still. MongoDB waits for the transaction, or ends it.',
  newQuestions:
    'Rare combinations are answered wrongly, such as the order of what $in finds with mixed types. On it the properties ask ' +
    'the same questions in every run.',
};

/** Shortfalls of SecantusDB 0.5.3-beta.196 in Rust. */
const SECANTUSDB_IN_RUST: Shortfalls = {
  plans:
    'Of a query that could be answered in several ways it takes the first index, or the first of several terms, and what ' +
    '$in and $or find in several stretches is read whole before it is sorted. MongoDB tries the ways and keeps the cheapest ' +
    '(manual: Query Plans), and merges stretches in the order that is asked for (manual: Explain Results, SORT_MERGE).',
};

/** Finds the shortfalls of a server by its `buildInfo`. */
export function shortfallsOf({ secantusVersion, buildEnvironment }: { [field: string]: unknown }): Shortfalls {
  if (secantusVersion === undefined) return {};
  return isBuiltInRust(buildEnvironment) ? SECANTUSDB_IN_RUST : SECANTUSDB_IN_PYTHON;
}

function isBuiltInRust(environment: unknown): boolean {
  return typeof environment === 'object' && environment !== null && 'cc' in environment && environment.cc === 'rustc';
}

/** Parameters of properties: a real engine gets new cases in each run, a stand-in always the same. */
export const questionsFor = ({ newQuestions }: Shortfalls): { seed?: number } =>
  newQuestions ? { seed: 20_261_121 } : {};
