import { Query as CompleteQuery } from 'mingo';
import { Context } from 'mingo/core';
import * as queryOperators from 'mingo/operators/query';
import { Query } from 'mingo/query';
import type { Sort } from '../document-store.js';

type Fields = Record<string, unknown>;

/** mingo copies all operators that a query may use, so a query is only given those of filters. */
const FILTER_OPERATORS = Context.init({ query: queryOperators });
const EVERYTHING = new CompleteQuery({}, {});

/** Decides which documents satisfy a filter, as MongoDB would. @throws Error where an operator is unknown or misused */
export function predicate(filter: object): (document: Fields) => boolean {
  const query = usesExpressions(filter)
    ? new CompleteQuery(filter, {})
    : new Query(filter, { context: FILTER_OPERATORS });
  return (document) => query.test(document);
}

export function sortedDocuments(documents: Fields[], sort: Sort): Fields[] {
  return EVERYTHING.find<Fields>(documents).sort(sort).all();
}

export function projectedDocument(document: Fields, projection: Fields): Fields {
  return EVERYTHING.find<Fields>([document], projection).all()[0] ?? {};
}

function usesExpressions(filter: object): boolean {
  return JSON.stringify(filter).includes('"$expr"');
}
