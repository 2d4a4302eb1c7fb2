/**
 * What a server that stands in for an engine does otherwise than the engine, with the reason; the suites leave out just
 * that. The engines themselves have none.
 */
export interface Shortfalls {
  readonly elementRanges?: string;
  readonly modifiedByPull?: string;
  readonly rowsExamined?: string;
}

/** Of SecantusDB 0.7, which CI runs the suites on, as far as they meet it. */
export const SECANTUSDB: Shortfalls = {
  elementRanges:
    'With an index on an array, { d: { $gt: 1, $lt: 4 } } finds only documents of which one element meets both bounds. ' +
    'MongoDB finds those of which each bound is met by some element, with an index (manual: Multikey Index Bounds, ' +
    'bounds are not intersected without $elemMatch) as without one.',
  modifiedByPull: '$pull on a field that does not exist counts the document as modified. In MongoDB it does nothing.',
  rowsExamined:
    'Queries read all that an index finds, or with $or the whole collection, before limit and order are applied, and ' +
    'explain counts without the limit. In MongoDB, totalDocsExamined of executionStats is what was looked at.',
};
