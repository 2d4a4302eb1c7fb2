import { Controller, Get } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { GetTopics } from '../queries/get-topics.handler.js';
import { GetTopicsParameters, type TopicForClients, topicsForClients } from './topics.parameters.js';

@Controller()
export class TopicsController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get('users/me/:stream_id/topics')
  async topics(
    @Caller() { user }: Caller,
    @PathId('stream_id') channelId: number,
    @Parameters() { allow_empty_topic_name }: GetTopicsParameters,
  ): Promise<{ topics: readonly TopicForClients[] }> {
    const topics = await this.dispatch.ask(new GetTopics({ reader: user, channelId }));
    return { topics: topicsForClients(topics, allow_empty_topic_name) };
  }
}
