import { Query as CompleteQuery } from 'mingo';
import { Context } from 'mingo/core';
import * as queryOperators from 'mingo/operators/query';
import { Query } from 'mingo/query';
import type { Sort } from '../document-store.js';

type Fields = Record<string, unknown>;

/** Holds the operators of filters alone: mingo copies all operators for each query. */
const FILTER_OPERATORS = Context.init({ query: queryOperators });
const EVERYTHING = new CompleteQuery({}, {});

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
