import { Command } from '../../../platform/kernel/command.js';
import type { EditMessage } from '../domain/edit-message.js';
import type { MoveMessages } from '../domain/move-messages.js';

/** Changes a message's content and place by one request. */
export class UpdateMessage extends Command<readonly object[]> {
  constructor(
    readonly edit: EditMessage,
    readonly move: MoveMessages,
  ) {
    super();
  }
}
