import type { Command } from '@nestjs/cqrs';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import { UpdateMessage } from '../commands/update-message.handler.js';
import { EditMessage } from '../domain/edit-message.js';
import { MoveMessages } from '../domain/move-messages.js';
import type { UpdateMessageParameters } from './message.parameters.js';

/** The command for a request to change a message: its content, its place, or both. */
export function updateFrom(
  messageId: number,
  parameters: UpdateMessageParameters,
  userId: number,
  by: CommandContext,
): Command<unknown> {
  const { content = null, topic = null, stream_id: channelId = null, propagate_mode: propagateMode } = parameters;
  const prevContentSha256 = parameters.prev_content_sha256 ?? null;
  if (topic === null && channelId === null)
    return new EditMessage({
      messageId,
      edit: { content, prevContentSha256, propagateMode, moves: false },
      editorId: userId,
      by,
    });
  const notices = {
    oldThread: parameters.send_notification_to_old_thread,
    newThread: parameters.send_notification_to_new_thread,
  };
  const editsContent = content !== null;
  const options = { propagateMode, notices, prevContentSha256, editsContent, contentRevision: null };
  const move = new MoveMessages({ anchorId: messageId, to: { topic, channelId }, options, moverId: userId, by });
  if (content === null) return move;
  // `propagate_mode` belongs to the move.
  const edit = { content, prevContentSha256, propagateMode: 'change_one', moves: false } as const;
  return new UpdateMessage({ edit: new EditMessage({ messageId, edit, editorId: userId, by }), move, by });
}
