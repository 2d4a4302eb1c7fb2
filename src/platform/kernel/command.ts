import type { Command as CqrsCommand, Query as CqrsQuery } from '@nestjs/cqrs';

/**
 * The base of a command. `R` is the type of `CommandBus.execute`'s result. Equal to Nest's base class for the compiler,
 * but loads nothing of Nest: the one member of Nest's class exists only as a type.
 */
export const Command = class {} as unknown as abstract new <R>() => CqrsCommand<R>;

/** The base of a query. `R` is the type of `QueryBus.execute`'s result. */
export const Query = class {} as unknown as abstract new <R>() => CqrsQuery<R>;
