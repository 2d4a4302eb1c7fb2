/**
 * What a server that stands in for an engine does otherwise than the engine, with the reason; the suites leave out just
 * that. The engines themselves have none.
 */
export interface Shortfalls {
  readonly elementRanges?: string;
  readonly modifiedByPull?: string;
  readonly rowsExamined?: string;
  readonly dropsBesideTransactions?: string;
  readonly newQuestions?: string;
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
  dropsBesideTransactions:
    'Dropping a collection that an open transaction has written to waits for that transaction under the lock that its end ' +
    'needs: the whole server stands still. MongoDB waits for the transaction, or ends it.',
  newQuestions:
    'Rare combinations are answered wrongly, such as the order of what $in finds with mixed types. On it the properties ask ' +
    'the same questions in every run.',
};

/** For properties: new questions in every run, where the server is one that answers them. */
export const questionsFor = ({ newQuestions }: Shortfalls): { seed?: number } =>
  newQuestions ? { seed: 20_261_121 } : {};
