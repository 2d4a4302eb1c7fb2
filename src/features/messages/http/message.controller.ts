import { Controller, Delete, Get, Patch } from '@nestjs/common';
import type { Command } from '@nestjs/cqrs';
import { IsIn, IsOptional } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { PROPAGATE_MODES, type PropagateMode } from '../../../events/messages/topics.events.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import {
  Alias,
  OptionalFlag,
  OptionalId,
  OptionalText,
} from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import { UpdateMessage } from '../commands/update-message.handler.js';
import { DeleteMessage } from '../domain/delete-message.js';
import { EditMessage } from '../domain/edit-message.js';
import { MoveMessages } from '../domain/move-messages.js';
import { GetMessageHistory, type MessageSnapshot } from '../queries/get-message-history.handler.js';

/** `GET /messages/{message_id}`. */
export class GetMessageParameters {
  @OptionalFlag() readonly apply_markdown: boolean = true;
  @OptionalFlag() readonly allow_empty_topic_name: boolean = false;
}

/** `GET /messages/{message_id}/history`. */
class GetMessageHistoryParameters {
  @OptionalFlag() readonly allow_empty_topic_name: boolean = false;
}

/** Parameters of `PATCH /messages/{message_id}`. */
class UpdateMessageParameters {
  @Alias('subject') @OptionalText() readonly topic?: string;
  @IsOptional() @IsIn(PROPAGATE_MODES) readonly propagate_mode: PropagateMode = 'change_one';
  @OptionalFlag() readonly send_notification_to_old_thread: boolean = false;
  @OptionalFlag() readonly send_notification_to_new_thread: boolean = true;
  @OptionalText() readonly content?: string;
  @OptionalText() readonly prev_content_sha256?: string;
  @OptionalId() readonly stream_id?: number;
}

/** The command for a request to change a message: its content, its place, or both. */
function updateFrom(
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

/** Changes of a message after it was sent, and their history. */
@Controller('messages/:message_id')
export class MessageController {
  constructor(private readonly dispatch: Dispatch) {}

  @Patch()
  async update(
    @Caller() { user, by }: Caller,
    @PathId('message_id') messageId: number,
    @Parameters() parameters: UpdateMessageParameters,
  ): Promise<{ detached_uploads: readonly object[] }> {
    const detached = await this.dispatch.do(updateFrom(messageId, parameters, user._id, by));
    // Only a changed content can leave files without a link.
    return { detached_uploads: Array.isArray(detached) ? detached : [] };
  }

  @Delete()
  async delete(@Caller() { by }: Caller, @PathId('message_id') messageId: number): Promise<void> {
    await this.dispatch.do(new DeleteMessage({ messageId, by }));
  }

  @Get('history')
  async history(
    @Caller() { user }: Caller,
    @PathId('message_id') messageId: number,
    @Parameters() parameters: GetMessageHistoryParameters,
  ): Promise<{ message_history: readonly MessageSnapshot[] }> {
    const query = new GetMessageHistory({
      reader: user,
      messageId,
      allowEmptyTopicName: parameters.allow_empty_topic_name,
    });
    return { message_history: await this.dispatch.ask(query) };
  }
}
