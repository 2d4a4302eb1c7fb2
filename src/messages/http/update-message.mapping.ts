import type { CommandContext } from '../../kernel/command-context.js';
import { UpdateMessage } from '../../topics/commands/update-message.js';
import { MoveMessages } from '../../topics/domain/move-messages.js';
import { EditMessage } from '../domain/edit-message.js';
import type { UpdateMessageParameters } from './update-message.parameters.js';

/** What a request to change a message comes to: other words, another place, or both. */
export function updateFrom(
  messageId: number,
  parameters: UpdateMessageParameters,
  userId: number,
  by: CommandContext,
): EditMessage | MoveMessages | UpdateMessage {
  const { content = null, topic = null, stream_id: channelId = null, propagate_mode: propagateMode } = parameters;
  const prevContentSha256 = parameters.prev_content_sha256 ?? null;
  if (topic === null && channelId === null)
    return new EditMessage(messageId, { content, prevContentSha256, propagateMode }, userId, by);
  const notices = {
    oldThread: parameters.send_notification_to_old_thread,
    newThread: parameters.send_notification_to_new_thread,
  };
  const options = { propagateMode, notices, prevContentSha256, editsContent: content !== null };
  const move = new MoveMessages(messageId, { topic, channelId }, options, userId, by);
  if (content === null) return move;
  // How far a change goes is said of the place.
  const edit = { content, prevContentSha256, propagateMode: 'change_one' } as const;
  return new UpdateMessage(new EditMessage(messageId, edit, userId, by), move);
}
