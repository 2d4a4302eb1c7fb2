import { Inject, Injectable } from '@nestjs/common';
import { personal, TOPIC_POLICY, type TopicPolicyDocument } from '../../../projections/personal.projection.js';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import type { Collection } from '../../document-store/document-store.js';
import { TOPIC_POLICIES } from '../domain/personal.settings.js';
import { topicOf } from '../domain/personal.state.js';
import { type Deed, type HabitFacts, mayChange, type TopicHabits } from '../domain/topic-habits.settings.js';
import { UserSettings } from './user-settings.js';

interface TopicPlace {
  readonly channelId: number;
  readonly topic: string;
}

/** What users' acts make of the topics where they act. */
@Injectable()
export class Habits {
  constructor(
    private readonly directory: Directory,
    private readonly settings: UserSettings,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  of(userId: number): TopicHabits {
    return {
      follow: this.settings.value(userId, 'automatically_follow_topics_policy'),
      unmute: this.settings.value(userId, 'automatically_unmute_topics_in_muted_streams_policy'),
      followWhereMentioned: this.settings.value(userId, 'automatically_follow_topics_where_mentioned'),
    };
  }

  /**
   * Nothing is read where the deed changes nothing anyway, as most messages do.
   * @returns null where it does not change the topic
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async factsFor(
    { _id: userId, bot }: UserRecord,
    { channelId, topic }: TopicPlace,
    deed: Deed,
  ): Promise<HabitFacts | null> {
    const habits = this.of(userId);
    const isChannelMuted = this.directory.subscriptionsIn(channelId).get(userId)?.settings.is_muted ?? false;
    if (bot !== null || !mayChange(deed, habits, isChannelMuted)) return null;
    const known = await this.policies.findOne({ _id: policyId(userId, channelId, topic) });
    return { habits, isChannelMuted, policy: known?.policy ?? TOPIC_POLICIES.none };
  }

  /**
   * Who of those that a message mentions comes to follow its topic: whoever gets it, and neither has muted the topic nor
   * follows it already.
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async newFollowersAmong(mentioned: readonly number[], { channelId, topic }: TopicPlace): Promise<readonly number[]> {
    const called = mentioned.filter((userId) => {
      const user = this.directory.user(userId);
      const gets = user?.isActive && user.bot === null && this.directory.isSubscribed(userId, channelId);
      return gets && this.of(userId).followWhereMentioned;
    });
    if (called.length === 0) return called;
    const ids = called.map((userId) => policyId(userId, channelId, topic));
    const known = await this.policies.find({ _id: { $in: ids } });
    const keeps = known.flatMap(({ userId, policy }) => (policy === TOPIC_POLICIES.unmuted ? [] : [userId]));
    return called.filter((userId) => !keeps.includes(userId));
  }

  private get policies(): Collection<TopicPolicyDocument> {
    return this.readModels.collection<TopicPolicyDocument>(personal, TOPIC_POLICY);
  }
}

const policyId = (userId: number, channelId: number, topic: string): string => `${userId}/${topicOf(channelId, topic)}`;
