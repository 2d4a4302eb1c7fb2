import type { TopicPolicyDocument } from '../../../../projections/personal/personal.projection.js';
import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { may } from '../../../directory/permissions.js';
import { topicForClients } from '../../../events/messages/topic-name.js';
import { TOPIC_POLICIES, type TopicPolicy } from '../../../events/personal/personal.settings.js';

/** A topic and its reader's policy for it, as events and the state have them. */
interface TopicWithPolicy {
  readonly channelId: number;
  readonly topic: string;
  readonly policy: TopicPolicy;
  readonly setAt: number;
}

export interface TopicNaming {
  /** If not set, the empty topic has its display name. */
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

/** Muted topics for older clients. They have the channels' names, so only channels that the reader sees. */
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
