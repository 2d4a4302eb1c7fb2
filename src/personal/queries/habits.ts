import { Inject, Injectable } from '@nestjs/common';
import { personal, TOPIC_POLICY, type TopicPolicyDocument } from '../../../projections/personal.projection.js';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { TOPIC_POLICIES } from '../domain/personal.settings.js';
import { topicOf } from '../domain/personal.state.js';
import { ACTS, DEFAULT_HABITS, type HabitFacts, type TopicHabits } from '../domain/topic-habits.settings.js';

/** What users' acts make of the topics where they act. */
@Injectable()
export class Habits {
  /** Nobody can choose yet: what registering tells everybody of their settings. */
  readonly everybodys: TopicHabits = { ...DEFAULT_HABITS };

  constructor(
    private readonly directory: Directory,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  of(_userId: number): TopicHabits {
    return this.everybodys;
  }

  /**
   * Nothing is read for who has no habits.
   * @returns null where nothing that the user does changes a topic
   * @throws UnavailableError, DocumentStoreUnavailable
   */
  async factsFor({ _id: userId, bot }: UserRecord, channelId: number, topic: string): Promise<HabitFacts | null> {
    const habits = this.of(userId);
    const isChannelMuted = this.directory.subscriptionsIn(channelId).get(userId)?.settings.is_muted ?? false;
    const hasHabits = habits.follow !== ACTS.never || (isChannelMuted && habits.unmute !== ACTS.never);
    if (bot !== null || !hasHabits) return null;
    const known = await this.readModels
      .collection<TopicPolicyDocument>(personal, TOPIC_POLICY)
      .findOne({ _id: `${userId}/${topicOf(channelId, topic)}` });
    return { habits, isChannelMuted, policy: known?.policy ?? TOPIC_POLICIES.none };
  }
}
