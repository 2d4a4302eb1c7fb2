import { Controller, Post } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { DeleteTopic } from '../domain/delete-message.js';
import { DeleteTopicParameters } from './topics.parameters.js';

/** Milliseconds that a request may take: clients wait 15 seconds or more for an answer. */
const LONGEST_MS = 8000;

@Controller('streams/:stream_id/delete_topic')
export class DeleteTopicController {
  constructor(private readonly dispatch: Dispatch) {}

  @Post()
  async delete(
    @Caller() { user, by }: Caller,
    @PathId('stream_id') channelId: number,
    @Parameters() { topic_name }: DeleteTopicParameters,
  ): Promise<{ complete: boolean }> {
    const until = Date.now() + LONGEST_MS;
    const command = new DeleteTopic({ userId: user._id, channelId, topic: topic_name, until, by });
    return { complete: await this.dispatch.do(command) };
  }
}
