import { Controller, Delete, Get, Patch } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { DeleteMessage } from '../domain/delete-message.js';
import { GetMessageHistory, type MessageSnapshot } from '../queries/get-message-history.handler.js';
import { GetMessageHistoryParameters, UpdateMessageParameters } from './message.parameters.js';
import { updateFrom } from './update-message.mapping.js';

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
