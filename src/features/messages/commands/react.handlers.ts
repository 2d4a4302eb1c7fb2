import { Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { messages } from '../../../../projections/messages/messages.projection.js';
import { Facts } from '../../../directory/facts.js';
import type { MessageEvent } from '../../../events/messages/message.events.js';
import { AUTO_FOLLOW_TRIGGERS } from '../../../events/personal/auto-topic-policy.settings.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ReadYourWrites } from '../../../platform/commands/read-your-writes.js';
import type { Decide } from '../../../platform/kernel/deciding.js';
import { AutoTopicPolicies } from '../../personal/services/auto-topic-policies.js';
import type { MessageState } from '../domain/message.state.js';
import {
  AddReaction,
  decideAddReaction,
  decideRemoveReaction,
  type ReactionFacts,
  RemoveReaction,
} from '../domain/react.js';
import { messageToChange, placedIn } from '../queries/message-to-change.js';
import { decidedMessage } from './message-stream.js';

/** The common part of adding and removing a reaction. */
@Injectable()
export class Reacting {
  constructor(
    private readonly facts: Facts,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
    private readonly autoTopicPolicies: AutoTopicPolicies,
  ) {}

  async run<Command extends AddReaction | RemoveReaction>(
    command: Command,
    decide: Decide<Command, MessageState, MessageEvent, ReactionFacts>,
  ): Promise<void> {
    const user = this.facts.directory.existingUser(command.userId);
    const asOf = this.facts.readModels.position(messages);
    const message = await messageToChange(command.messageId, user, this.facts);
    const autoTopic =
      message.type === 'channel'
        ? await this.autoTopicPolicies.factsFor(user, message, AUTO_FOLLOW_TRIGGERS.participate)
        : null;
    const { events, position } = await this.runner.decide({
      ...decidedMessage(command.messageId),
      decide,
      command,
      context: {
        ...placedIn(message, asOf),
        ...(autoTopic && { autoTopic }),
        customEmoji: this.facts.directory.customEmoji,
      },
      by: command.by,
    });
    await this.readYourWrites.waitFor(position, events);
  }
}

@CommandHandler(AddReaction)
export class AddReactionHandler implements ICommandHandler<AddReaction> {
  constructor(private readonly reacting: Reacting) {}

  execute(command: AddReaction): Promise<void> {
    return this.reacting.run(command, decideAddReaction);
  }
}

@CommandHandler(RemoveReaction)
export class RemoveReactionHandler implements ICommandHandler<RemoveReaction> {
  constructor(private readonly reacting: Reacting) {}

  execute(command: RemoveReaction): Promise<void> {
    return this.reacting.run(command, decideRemoveReaction);
  }
}
