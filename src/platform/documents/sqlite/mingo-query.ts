import { Context } from 'mingo/core';
import * as queryOperators from 'mingo/operators/query';
import { Query } from 'mingo/query';
import type { Sort } from '../document-store.js';

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

export function projectedDocument(document: Fields, projection: Fields): Fields {
  return EVERYTHING.find<Fields>([document], projection).all()[0] ?? {};
}
