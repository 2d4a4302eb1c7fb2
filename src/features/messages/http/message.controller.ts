import { Controller, Delete, Get, Patch } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { DeleteMessage } from '../domain/delete-message.js';
import { GetMessageHistory, type MessageSnapshot } from '../queries/get-message-history.handler.js';
import { GetMessageHistoryParameters, UpdateMessageParameters } from './message.parameters.js';
import { updateFrom } from './update-message.mapping.js';

/** Changes of a message after it was sent, and their history. */
@Controller('messages/:message_id')
export class MessageController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Patch()
  async update(
    @Caller() caller: Caller,
    @PathId('message_id') messageId: number,
    @Parameters(UpdateMessageParameters) parameters: UpdateMessageParameters,
  ): Promise<{ detached_uploads: readonly object[] }> {
    const command = updateFrom(messageId, parameters, caller.user._id, commandContext(caller));
    // Only a changed content can leave files without a link.
    const detached = await this.commands.execute(command);
    return { detached_uploads: detached ?? [] };
  }

  @Delete()
  async delete(@Caller() caller: Caller, @PathId('message_id') messageId: number): Promise<void> {
    await this.commands.execute(new DeleteMessage({ messageId, by: commandContext(caller) }));
  }

  @Get('history')
  async history(
    @Caller() { user }: Caller,
    @PathId('message_id') messageId: number,
    @Parameters(GetMessageHistoryParameters) parameters: GetMessageHistoryParameters,
  ): Promise<{ message_history: readonly MessageSnapshot[] }> {
    const query = new GetMessageHistory({
      reader: user,
      messageId,
      allowEmptyTopicName: parameters.allow_empty_topic_name,
    });
    return { message_history: await this.queries.execute(query) };
  }
}
