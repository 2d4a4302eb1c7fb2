import { Injectable } from '@nestjs/common';
import { type Command, CommandBus, type Query, QueryBus } from '@nestjs/cqrs';

/** Hands what a controller has made of a request to its handler. */
@Injectable()
export class Dispatch {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  do<Result>(command: Command<Result>): Promise<Result> {
    return this.commands.execute(command);
  }

  ask<Result>(query: Query<Result>): Promise<Result> {
    return this.queries.execute(query);
  }
}
