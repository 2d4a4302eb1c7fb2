import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { MultiStreamCommand } from '../../../platform/commands/multi-stream-command.js';
import { EditMessageHandler } from './edit-message.handler.js';
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
    const parts = new MultiStreamCommand();
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
