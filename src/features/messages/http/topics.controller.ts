import { Controller, Get, Post } from '@nestjs/common';
import { IsString } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { topicForClients } from '../../../events/messages/topic-name.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { Sendable } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { flag } from '../../../platform/kernel/value-type.js';
import { DeleteTopic } from '../domain/delete-message.js';
import { GetTopics, type Topic } from '../queries/get-topics.handler.js';

class GetTopicsParameters {
  /** Whether the client understands the empty topic; others get its display name. */
  @Sendable(flag) readonly allow_empty_topic_name: boolean = false;
}

interface TopicForClients {
  readonly name: string;
  readonly max_id: number;
}

export const topicsForClients = (topics: readonly Topic[], allowEmptyName: boolean): TopicForClients[] =>
  topics.map(({ name, maxId }) => ({ name: topicForClients(name, allowEmptyName), max_id: maxId }));

class DeleteTopicParameters {
  @IsString() readonly topic_name!: string;
}

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
