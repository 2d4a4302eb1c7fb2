import { Command } from '../../../platform/kernel/deciding.js';
import type { EditMessage } from '../domain/edit-message.js';
import type { MoveMessages } from '../domain/move-messages.js';

/** Changes a message's content and place by one request. */
export class UpdateMessage extends Command<{ edit: EditMessage; move: MoveMessages }, readonly object[]> {}
