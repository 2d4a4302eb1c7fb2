import { Injectable } from '@nestjs/common';
import {
  personal,
  TOPIC_POLICY,
  type TopicPolicyDocument,
} from '../../../../projections/personal/personal.projection.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { type TopicPlace, topicId } from '../../../events/messages/topics.events.js';
import {
  type AutoFollowTrigger,
  type AutoTopicFacts,
  type AutoTopicPolicy,
  mayChange,
} from '../../../events/personal/auto-topic-policy.settings.js';
import { TOPIC_POLICIES } from '../../../events/personal/personal.settings.js';
import type { Collection } from '../../../platform/documents/document-store.js';
import { type MentionedUser, mayComeToFollow } from '../domain/topic-policies.js';
import { UserSettings } from './user-settings.js';

/** Policies for topics that users' own messages and reactions set. */
@Injectable()
export class AutoTopicPolicies {
  constructor(
    private readonly facts: Facts,
    private readonly settings: UserSettings,
  ) {}

  of(userId: number): AutoTopicPolicy {
    return {
      follow: this.settings.value(userId, 'automatically_follow_topics_policy'),
      unmute: this.settings.value(userId, 'automatically_unmute_topics_in_muted_streams_policy'),
      followWhereMentioned: this.settings.value(userId, 'automatically_follow_topics_where_mentioned'),
    };
  }

  /**
   * Facts for deciding on the user's policy. Reads nothing if the trigger cannot change it, as for most messages.
   * @returns null if the trigger cannot change the policy
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async factsFor(
    { _id: userId, bot }: UserRecord,
    { channelId, topic }: TopicPlace,
    trigger: AutoFollowTrigger,
  ): Promise<AutoTopicFacts | null> {
    const autoTopicPolicy = this.of(userId);
    const isChannelMuted = this.facts.directory.subscriptionsIn(channelId).get(userId)?.settings.is_muted ?? false;
    if (bot !== null || !mayChange(trigger, autoTopicPolicy, isChannelMuted)) return null;
    const known = await this.policies.findOne({ _id: policyId(userId, channelId, topic) });
    return { autoTopicPolicy, isChannelMuted, policy: known?.policy ?? TOPIC_POLICIES.none };
  }

  /**
   * Facts about users whom a message in the topic mentions by name; without unknown ones.
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async mentioned(userIds: readonly number[], { channelId, topic }: TopicPlace): Promise<readonly MentionedUser[]> {
    const users = userIds
      .flatMap((userId) => this.facts.directory.user(userId) ?? [])
      .map(({ _id: id, isActive, bot }) => ({
        id,
        isActive,
        botType: bot?.type ?? null,
        isSubscribed: this.facts.directory.isSubscribed(id, channelId),
        followsWhereMentioned: this.of(id).followWhereMentioned,
      }));
    const ids = users.filter(mayComeToFollow).map(({ id }) => policyId(id, channelId, topic));
    const known = ids.length > 0 ? await this.policies.find({ _id: { $in: ids } }) : [];
    const policies = new Map(known.map(({ userId, policy }) => [userId, policy]));
    return users.map((user) => ({ ...user, topicPolicy: policies.get(user.id) ?? TOPIC_POLICIES.none }));
  }

  private get policies(): Collection<TopicPolicyDocument> {
    return this.facts.readModels.collection<TopicPolicyDocument>(personal, TOPIC_POLICY);
  }
}

const policyId = (userId: number, channelId: number, topic: string): string => `${userId}/${topicId(channelId, topic)}`;
