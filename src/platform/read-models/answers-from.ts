import { Inject, type Type } from '@nestjs/common';
import { type Query, QueryHandler, type QueryResult } from '@nestjs/cqrs';

/**
 * The handler of a query that one source answers, and nothing else.
 *
 * @param provider the Nest provider of what `answer` reads: the directory, or the documents
 */
export function answersFrom<Q extends Query<unknown>, Source>(
  query: abstract new (...args: never[]) => Q,
  provider: Type<Source> | symbol,
  answer: (query: Q, source: Source) => QueryResult<Q> | Promise<QueryResult<Q>>,
): Type<{ execute(query: Q): Promise<QueryResult<Q>> }> {
  @QueryHandler(query)
  class AnsweringHandler {
    constructor(@Inject(provider) private readonly source: Source) {}

    async execute(asked: Q): Promise<QueryResult<Q>> {
      return answer(asked, this.source);
    }
  }
  return AnsweringHandler;
}
