import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { messages } from '../../../../projections/messages/messages.projection.js';
import { Directory } from '../../../directory/directory.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { DeleteMessage } from '../domain/delete-message.js';
import { messageToChange } from '../queries/message-to-change.js';
import { Deletions } from './deletions.js';

@CommandHandler(DeleteMessage)
export class DeleteMessageHandler implements ICommandHandler<DeleteMessage> {
  constructor(
    private readonly directory: Directory,
    private readonly deletions: Deletions,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  async execute({ messageId, by }: DeleteMessage): Promise<void> {
    const user = this.directory.user(by.actorId ?? -1) ?? refuse('USER_NOT_FOUND');
    const asOf = this.readModels.position(messages);
    const message = await messageToChange(messageId, user, this.directory, this.readModels);
    await this.deletions.finish([await this.deletions.append(message, user, asOf, by)]);
  }
}
