import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { DeleteTopic } from '../domain/delete-topic.js';
import { DeleteTopicParameters } from './topics.parameters.js';

/** Milliseconds that a request may take: clients wait 15 seconds or more for an answer. */
const LONGEST_MS = 8000;

@Controller('streams/:stream_id/delete_topic')
export class DeleteTopicController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  async delete(
    @Caller() caller: Caller,
    @PathId('stream_id') channelId: number,
    @Parameters(DeleteTopicParameters) { topic_name }: DeleteTopicParameters,
  ): Promise<{ complete: boolean }> {
    const until = Date.now() + LONGEST_MS;
    const command = new DeleteTopic({
      userId: caller.user._id,
      channelId,
      topic: topic_name,
      until,
      by: commandContext(caller),
    });
    return { complete: await this.commands.execute(command) };
  }
}
