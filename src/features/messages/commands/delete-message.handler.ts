import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { messages } from '../../../../projections/messages/messages.projection.js';
import { Facts } from '../../../directory/facts.js';
import { DeleteMessage } from '../domain/delete-message.js';
import { messageToChange } from '../queries/message-to-change.js';
import { Deletions } from '../services/deletions.js';

@CommandHandler(DeleteMessage)
export class DeleteMessageHandler implements ICommandHandler<DeleteMessage> {
  constructor(
    private readonly facts: Facts,
    private readonly deletions: Deletions,
  ) {}

  async execute({ messageId, by }: DeleteMessage): Promise<void> {
    const user = this.facts.directory.existingUser(by.actorId ?? -1);
    const asOf = this.facts.readModels.position(messages);
    const message = await messageToChange(messageId, user, this.facts);
    await this.deletions.finish([await this.deletions.append(message, user, asOf, by)]);
  }
}
