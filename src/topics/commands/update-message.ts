import type { EditMessage } from '../../messages/domain/edit-message.js';
import type { MoveMessages } from '../domain/move-messages.js';

/** Words and place of a message, changed by one request. */
export class UpdateMessage {
  constructor(
    readonly edit: EditMessage,
    readonly move: MoveMessages,
  ) {}
}
