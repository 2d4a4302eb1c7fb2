import { IsString } from 'class-validator';
import { topicForClients } from '../../../events/messages/topic-name.js';
import { Sendable } from '../../../platform/http/parameters/parameter-decorators.js';
import { flag } from '../../../platform/kernel/value-type.js';
import type { Topic } from '../queries/get-topics.handler.js';

export class GetTopicsParameters {
  /** Whether the client understands the empty topic; others get its display name. */
  @Sendable(flag) readonly allow_empty_topic_name: boolean = false;
}

export interface TopicForClients {
  readonly name: string;
  readonly max_id: number;
}

export const topicsForClients = (topics: readonly Topic[], allowEmptyName: boolean): TopicForClients[] =>
  topics.map(({ name, maxId }) => ({ name: topicForClients(name, allowEmptyName), max_id: maxId }));

export class DeleteTopicParameters {
  @IsString() readonly topic_name!: string;
}
