import { type Abstract, Inject, type Type } from '@nestjs/common';
import { type Query, QueryHandler, type QueryResult } from '@nestjs/cqrs';

type Provider<Source> = Abstract<Source> | symbol;

/**
 * The handler of a query that one to three sources answer, and nothing else.
 *
 * @param providers the Nest providers of the sources: of the directory, for example, or of the documents
 */
export function answersFrom<Q extends Query<unknown>, A, B, C>(
  query: abstract new (...args: never[]) => Q,
  providers: Provider<A> | readonly [Provider<A>, Provider<B>, Provider<C>?],
  answer: (query: Q, a: A, b: B, c: C) => QueryResult<Q> | Promise<QueryResult<Q>>,
): Type<{ execute(query: Q): Promise<QueryResult<Q>> }> {
  const [first, second = first, third = first] = [providers].flat();

  @QueryHandler(query)
  class AnsweringHandler {
    constructor(
      @Inject(first) private readonly a: A,
      @Inject(second) private readonly b: B,
      @Inject(third) private readonly c: C,
    ) {}

    async execute(asked: Q): Promise<QueryResult<Q>> {
      return answer(asked, this.a, this.b, this.c);
    }
  }
  return AnsweringHandler;
}
