import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { MultiStreamCommand } from '../../../platform/commands/multi-stream-command.js';
import { Command } from '../../../platform/kernel/deciding.js';
import { EditMessage } from '../domain/edit-message.js';
import { MoveMessages } from '../domain/move-messages.js';
import { EditMessageHandler } from './edit-message.handler.js';
import { MoveMessagesHandler } from './move-messages.handler.js';

/** Changes a message's content and place by one request. */
export class UpdateMessage extends Command<{ edit: EditMessage; move: MoveMessages }, readonly object[]> {}

@CommandHandler(UpdateMessage)
export class UpdateMessageHandler implements ICommandHandler<UpdateMessage> {
  constructor(
    private readonly editing: EditMessageHandler,
    private readonly moving: MoveMessagesHandler,
  ) {}

  async execute({ edit, move }: UpdateMessage): ReturnType<EditMessageHandler['execute']> {
    const moves = await this.moving.check(move);
    await this.editing.check(edit);
    const parts = new MultiStreamCommand();
    const { detached, contentRevision } = await parts.do(
      () => this.editing.edit(new EditMessage({ ...edit, edit: { ...edit.edit, moves } })),
      () => true,
    );
    // The content that the mover has seen was compared before: it is another one by now.
    const options = { ...move.options, contentRevision, prevContentSha256: null };
    await parts.do(
      () => this.moving.execute(new MoveMessages({ ...move, options })),
      () => true,
    );
    return detached;
  }
}
