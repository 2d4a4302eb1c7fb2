import type { TopicPolicyDocument } from '../../../projections/personal.projection.js';
import type { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { may } from '../../directory/permissions.js';
import { topicForClients } from '../../messages/domain/topic-name.js';
import { TOPIC_POLICIES, type TopicPolicy } from '../domain/personal.settings.js';

/** A topic and what its reader has said of it: what an event tells, and what the state lists. */
export interface TopicWithPolicy {
  readonly channelId: number;
  readonly topic: string;
  readonly policy: TopicPolicy;
  readonly setAt: number;
}

export interface TopicNaming {
  /** Else the empty topic is told by the name that clients show. */
  readonly allowEmptyTopicName: boolean;
}

/** The published fields of a `user_topic`. */
export const userTopicForClients = (
  { channelId, topic, policy, setAt }: TopicWithPolicy,
  naming: TopicNaming,
): object => ({
  stream_id: channelId,
  topic_name: named(topic, naming),
  last_updated: Math.floor(setAt / 1000),
  visibility_policy: policy,
});

/** What older clients know of it: muted topics, by the names of channels, and so only of those that the reader sees. */
export function mutedTopicsForClients(
  topics: readonly TopicPolicyDocument[],
  reader: UserRecord,
  naming: TopicNaming,
  directory: Directory,
): readonly (readonly [channel: string, topic: string, mutedAt: number])[] {
  return topics.flatMap(({ channelId, topic, policy, setAt }) => {
    const channel = policy === TOPIC_POLICIES.muted ? directory.channel(channelId) : undefined;
    if (!channel || !may(reader, { channel, to: 'see' }, directory)) return [];
    return [[channel.name, named(topic, naming), Math.floor(setAt / 1000)]];
  });
}

const named = (topic: string, { allowEmptyTopicName }: TopicNaming): string =>
  topicForClients(topic, allowEmptyTopicName);
