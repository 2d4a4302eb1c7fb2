import type { Query as CqrsQuery } from '@nestjs/cqrs';

/**
 * The base of a query with the fields `Fields`. `Result` is the type of `QueryBus.execute`'s result. As a command's base
 * (`deciding.ts`), it loads nothing of Nest.
 */
export const Query = class {
  constructor(fields?: object) {
    Object.assign(this, fields);
  }
} as unknown as abstract new <Fields extends object, Result>(
  ...fields: keyof Fields extends never ? [] : [fields: Fields]
) => CqrsQuery<Result> & Readonly<Fields>;
