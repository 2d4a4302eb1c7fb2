import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { attachments } from '../../../projections/attachments.projection.js';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { type MessageDocument, messages } from '../../../projections/messages.projection.js';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { PartByPart } from '../../command-runner/part-by-part.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { may } from '../../directory/permissions.js';
import { refuse } from '../../kernel/domain-error.js';
import type { Position } from '../../kernel/position.js';
import { DeleteMessage, type DeleteMessageFacts, decideDeleteMessage } from '../domain/delete-message.js';
import { messageToChange, placedIn } from '../queries/message-to-change.js';
import { lifeOf } from './message-life.js';

type Permission = 'can_delete_any_message_group' | 'can_delete_own_message_group';

@CommandHandler(DeleteMessage)
export class DeleteMessageHandler implements ICommandHandler<DeleteMessage, void> {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  async execute(command: DeleteMessage): Promise<void> {
    const user = this.directory.user(command.by.actorId ?? -1) ?? refuse('USER_NOT_FOUND');
    const asOf = this.readModels.position(messages);
    const message = await messageToChange(command.messageId, user, this.directory, this.readModels);
    const request = {
      ...lifeOf(command.messageId),
      decide: decideDeleteMessage,
      command,
      context: this.factsFor(message, user, asOf),
      by: command.by,
    };
    const parts = new PartByPart();
    const { events, position } = await parts.do(
      () => this.runner.decide(request),
      () => true,
    );
    await parts.do(
      async () => {
        // Whoever follows the log does it too, should this be as far as it goes.
        for (const { data } of events) await this.runner.destroyKey(data.keyId);
        const isLinking = events.some(({ data }) => data.attachmentIds);
        const more = isLinking ? [attachments] : [];
        await this.readYourWrites.waitForDeletion(position, [messages, clientEvents, ...more]);
      },
      () => true,
    );
  }

  private factsFor(message: MessageDocument, user: UserRecord, asOf: Position): DeleteMessageFacts {
    const { directory } = this;
    const channel = message.type === 'channel' ? directory.channel(message.channelId) : undefined;
    const allowed = (to: Permission): boolean => may(user, channel ? { channel, to } : to, directory);
    const isOfTheirBot = directory.user(message.senderId)?.bot?.ownerId === user._id;
    return {
      now: Date.now(),
      ...placedIn(message, asOf),
      mayDeleteAny: allowed('can_delete_any_message_group'),
      mayDeleteOwn: allowed('can_delete_own_message_group'),
      ownSenderIds: new Set(isOfTheirBot ? [user._id, message.senderId] : [user._id]),
      limitSeconds: directory.setting('message_content_delete_limit_seconds'),
    };
  }
}
