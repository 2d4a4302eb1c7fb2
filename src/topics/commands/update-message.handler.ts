import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { PartByPart } from '../../command-runner/part-by-part.js';
import { EditMessageHandler } from '../../messages/commands/edit-message.handler.js';
import { MoveMessagesHandler } from './move-messages.handler.js';
import { UpdateMessage } from './update-message.js';

@CommandHandler(UpdateMessage)
export class UpdateMessageHandler implements ICommandHandler<UpdateMessage> {
  constructor(
    private readonly editing: EditMessageHandler,
    private readonly moving: MoveMessagesHandler,
  ) {}

  async execute({ edit, move }: UpdateMessage): ReturnType<EditMessageHandler['execute']> {
    await this.moving.check(move);
    await this.editing.check(edit);
    const parts = new PartByPart();
    const edited = await parts.do(
      () => this.editing.execute(edit),
      () => true,
    );
    await parts.do(
      () => this.moving.execute(move),
      () => true,
    );
    return edited;
  }
}
