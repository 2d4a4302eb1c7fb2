import { Injectable } from '@nestjs/common';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { personal as personalDocuments } from '../../../projections/personal.projection.js';
import { CommandRunner, type Outcome } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { type PersonalEvent, personalStream } from '../domain/personal.events.js';
import { type PersonalState, personal } from '../domain/personal.state.js';

/** A command about what concerns one user alone. */
interface PersonalCommand {
  readonly userId: number;
  readonly by: CommandContext;
}

/** What that user reads of it. */
const READ = [personalDocuments, clientEvents];

/** Takes a command about what concerns one user alone to its events, until that user can read them. */
@Injectable()
export class PersonalStream {
  constructor(
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  async decide<Command extends PersonalCommand, Event extends PersonalEvent, Context>(
    decide: Decide<Command, PersonalState, Event, Context>,
    command: Command,
    context: Context,
  ): Promise<Outcome<Event>> {
    const outcome = await this.append(decide, command, context);
    await this.readYourWrites.wait(outcome.position, READ);
    return outcome;
  }

  /** The same for what others go by, or what has consequences elsewhere. */
  async decideForAll<Command extends PersonalCommand, Event extends PersonalEvent, Context>(
    decide: Decide<Command, PersonalState, Event, Context>,
    command: Command,
    context: Context,
  ): Promise<Outcome<Event>> {
    const outcome = await this.append(decide, command, context);
    await this.readYourWrites.waitForOrganization(outcome.position, READ);
    return outcome;
  }

  private append<Command extends PersonalCommand, Event extends PersonalEvent, Context>(
    decide: Decide<Command, PersonalState, Event, Context>,
    command: Command,
    context: Context,
  ): Promise<Outcome<Event>> {
    const { userId, by } = command;
    return this.runner.decide({ stream: personalStream(userId), decider: personal, decide, command, context, by });
  }
}
