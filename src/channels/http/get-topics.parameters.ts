import { topicForClients } from '../../messages/domain/topic-name.js';
import type { Topic } from '../queries/get-topics.handler.js';
import { Flag } from './channel-parameter.decorators.js';

export class GetTopicsParameters {
  /** Whether the client knows the empty topic; others get the name that stands for it. */
  @Flag()
  readonly allow_empty_topic_name: boolean = false;
}

export interface TopicForClients {
  readonly name: string;
  readonly max_id: number;
}

export const topicsForClients = (topics: readonly Topic[], allowEmptyName: boolean): TopicForClients[] =>
  topics.map(({ name, maxId }) => ({
    name: topicForClients(name, allowEmptyName),
    max_id: maxId,
  }));
