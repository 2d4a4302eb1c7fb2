import { Inject, Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { messages } from '../../../projections/messages.projection.js';
import { personal } from '../../../projections/personal.projection.js';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import { ACTS } from '../../personal/domain/topic-habits.settings.js';
import { Habits } from '../../personal/queries/habits.js';
import type { MessageLifeEvent } from '../domain/message.events.js';
import type { MessageState } from '../domain/message.state.js';
import {
  AddReaction,
  decideAddReaction,
  decideRemoveReaction,
  type ReactionFacts,
  RemoveReaction,
} from '../domain/react.js';
import { messageToChange, placedIn } from '../queries/message-to-change.js';
import { lifeOf } from './message-life.js';

/** What is the same for coming and going. */
@Injectable()
export class Reacting {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
    private readonly habits: Habits,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  async run<Command extends AddReaction | RemoveReaction>(
    command: Command,
    decide: Decide<Command, MessageState, MessageLifeEvent, ReactionFacts>,
  ): Promise<void> {
    const user = this.directory.user(command.userId) ?? refuse('USER_NOT_FOUND');
    const asOf = this.readModels.position(messages);
    const message = await messageToChange(command.messageId, user, this.directory, this.readModels);
    const habits = message.type === 'channel' ? await this.habits.factsFor(user, message, ACTS.participate) : null;
    const { position } = await this.runner.decide({
      ...lifeOf(command.messageId),
      decide,
      command,
      context: { ...placedIn(message, asOf), ...(habits && { habits }) },
      by: command.by,
    });
    if (habits === null) await this.readYourWrites.wait(position, [messages, clientEvents]);
    else await this.readYourWrites.waitForFollowing(position, [messages, clientEvents, personal]);
  }
}

@CommandHandler(AddReaction)
export class AddReactionHandler implements ICommandHandler<AddReaction, void> {
  constructor(private readonly reacting: Reacting) {}

  execute(command: AddReaction): Promise<void> {
    return this.reacting.run(command, decideAddReaction);
  }
}

@CommandHandler(RemoveReaction)
export class RemoveReactionHandler implements ICommandHandler<RemoveReaction, void> {
  constructor(private readonly reacting: Reacting) {}

  execute(command: RemoveReaction): Promise<void> {
    return this.reacting.run(command, decideRemoveReaction);
  }
}
