import { Inject, Injectable } from '@nestjs/common';
import {
  personal,
  TOPIC_POLICY,
  type TopicPolicyDocument,
} from '../../../../projections/personal/personal.projection.js';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import {
  type AutoFollowTrigger,
  type AutoTopicFacts,
  type AutoTopicPolicy,
  mayChange,
} from '../../../events/personal/auto-topic-policy.settings.js';
import { TOPIC_POLICIES } from '../../../events/personal/personal.settings.js';
import type { Collection } from '../../../platform/documents/document-store.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { topicOf } from '../domain/personal.state.js';
import { UserSettings } from './user-settings.js';

interface TopicPlace {
  readonly channelId: number;
  readonly topic: string;
}

/** Policies for topics that users' own messages and reactions set. */
@Injectable()
export class AutoTopicPolicies {
  constructor(
    private readonly directory: Directory,
    private readonly settings: UserSettings,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
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
    const isChannelMuted = this.directory.subscriptionsIn(channelId).get(userId)?.settings.is_muted ?? false;
    if (bot !== null || !mayChange(trigger, autoTopicPolicy, isChannelMuted)) return null;
    const known = await this.policies.findOne({ _id: policyId(userId, channelId, topic) });
    return { autoTopicPolicy, isChannelMuted, policy: known?.policy ?? TOPIC_POLICIES.none };
  }

  /**
   * The mentioned users who come to follow the topic: those who receive the message, and neither have muted the topic
   * nor follow it already.
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async newFollowersAmong(mentioned: readonly number[], { channelId, topic }: TopicPlace): Promise<readonly number[]> {
    const candidates = mentioned.filter((userId) => {
      const user = this.directory.user(userId);
      const gets = user?.isActive && user.bot === null && this.directory.isSubscribed(userId, channelId);
      return gets && this.of(userId).followWhereMentioned;
    });
    if (candidates.length === 0) return candidates;
    const ids = candidates.map((userId) => policyId(userId, channelId, topic));
    const known = await this.policies.find({ _id: { $in: ids } });
    const keeps = known.flatMap(({ userId, policy }) => (policy === TOPIC_POLICIES.unmuted ? [] : [userId]));
    return candidates.filter((userId) => !keeps.includes(userId));
  }

  private get policies(): Collection<TopicPolicyDocument> {
    return this.readModels.collection<TopicPolicyDocument>(personal, TOPIC_POLICY);
  }
}

const policyId = (userId: number, channelId: number, topic: string): string => `${userId}/${topicOf(channelId, topic)}`;
