import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../http/caller.decorator.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathId } from '../../http/parameters/path.decorators.js';
import { DeleteTopic } from '../domain/delete-topic.js';
import { DeleteTopicParameters } from './delete-topic.parameters.js';

/** Well within what clients wait for an answer: 15 seconds and more. */
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
    const command = new DeleteTopic(caller.user._id, channelId, topic_name, until, commandContext(caller));
    return { complete: await this.commands.execute<DeleteTopic, boolean>(command) };
  }
}
