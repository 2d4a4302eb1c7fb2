import { MESSAGES, type MessageDocument, messages } from '../../../../projections/messages/messages.projection.js';
import {
  personal,
  TOPIC_POLICY,
  type TopicPolicyDocument,
} from '../../../../projections/personal/personal.projection.js';
import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { isInHistory } from '../../../directory/readable-messages.js';
import { TOPIC_POLICIES } from '../../../events/personal/personal.settings.js';
import { DEFAULT_USER_SETTINGS } from '../../../events/personal/user.settings.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';
import { mentionFlags } from '../../message-flags/queries/content-flags.js';
import { isRead } from '../../message-flags/queries/own-flags.js';
import { ReadStates } from '../../message-flags/services/read-states.js';
import { isActive } from '../../presence/domain/presence.js';
import type { PresenceBoard } from '../../presence/services/presence-board.js';
import { type PushTrigger, pushTrigger } from '../domain/push-trigger.js';

/** A reader whom a message is pushed to. */
interface PushedReader {
  readonly userId: number;
  readonly trigger: PushTrigger;
  /** The group whose mention is the trigger. */
  readonly groupId: number | null;
}

/** Finds out who gets a message by push. */
export class MessageReaders {
  private readonly readStates: ReadStates;

  constructor(
    private readonly directory: Directory,
    private readonly readModels: ReadModels,
    private readonly presence: () => Pick<PresenceBoard, 'of' | 'now'> | null,
  ) {
    this.readStates = ReadStates.sharedBy(readModels);
  }

  message(messageId: number): Promise<MessageDocument | null> {
    return this.readModels.collection<MessageDocument>(messages, MESSAGES).findOne({ _id: messageId });
  }

  /** The readers who have a reason to get it, read or not, whether or not they have devices. */
  async of(message: MessageDocument): Promise<readonly PushedReader[]> {
    const { directory } = this;
    const policies = await this.policiesFor(message);
    const ids = message.type === 'direct' ? message.participants : directory.subscriberIds(message.channelId);
    return ids.flatMap((userId) => {
      const reader = directory.user(userId);
      if (!reader?.isActive || reader.bot !== null || userId === message.senderId) return [];
      const trigger = this.triggerFor(reader, message, policies.get(userId));
      return trigger === null ? [] : { userId, trigger, groupId: groupOf(reader, message, trigger, directory) };
    });
  }

  /** Whether the message is new to a reader who may read it. */
  async isUnread(userId: number, message: MessageDocument): Promise<boolean> {
    const { directory } = this;
    const reader = directory.user(userId);
    if (!reader?.isActive || !isInHistory(reader, message, directory)) return false;
    const state = await this.readStates.of(userId);
    return !isRead(message, reader, state, (channelId) => directory.subscriptionsOf(userId).get(channelId)?.intervals);
  }

  private triggerFor(
    reader: UserRecord,
    message: MessageDocument,
    policy: TopicPolicyDocument['policy'] | undefined,
  ): PushTrigger | null {
    const flags = mentionFlags(reader, message, this.directory);
    const own =
      message.type === 'direct'
        ? undefined
        : this.directory.subscriptionsOf(reader._id).get(message.channelId)?.settings;
    const isTopicMuted = policy === TOPIC_POLICIES.muted;
    return pushTrigger({
      isDirect: message.type === 'direct',
      isActive: this.isActive(reader._id),
      isMentioned: flags.includes('mentioned'),
      topicWildcard: flags.includes('topic_wildcard_mentioned'),
      channelWildcard: flags.includes('stream_wildcard_mentioned'),
      isFollowed: policy === TOPIC_POLICIES.followed,
      isMuted: isTopicMuted || ((own?.is_muted ?? false) && policy === undefined),
      settings: { ...DEFAULT_USER_SETTINGS, ...reader.settings },
      channel: {
        wildcard_mentions_notify: own?.wildcard_mentions_notify ?? null,
        push_notifications: own?.push_notifications ?? null,
      },
    });
  }

  private isActive(userId: number): boolean {
    const board = this.presence();
    const presence = board?.of(userId);
    return board !== null && presence !== undefined && isActive(presence, board.now());
  }

  private async policiesFor(message: MessageDocument): Promise<ReadonlyMap<number, TopicPolicyDocument['policy']>> {
    if (message.type === 'direct') return new Map();
    const { channelId, topicKey } = message;
    const policies = this.readModels.collection<TopicPolicyDocument>(personal, TOPIC_POLICY);
    const found = await policies.find({ channelId, topicKey });
    return new Map(found.map(({ userId, policy }) => [userId, policy]));
  }
}

/** The smallest group by which a reader is mentioned, if no name mentions them. */
function groupOf(
  reader: UserRecord,
  { mentions, sentPosition, wordsPosition = sentPosition }: MessageDocument,
  trigger: PushTrigger,
  directory: Directory,
): number | null {
  if (trigger !== 'mentioned' || mentions?.userIds?.includes(reader._id)) return null;
  const groups = (mentions?.groupIds ?? []).filter((id) => directory.wasInGroupAfter(reader._id, id, wordsPosition));
  const sizeOf = (id: number): number => directory.memberIdsAfter(id, wordsPosition).length;
  return groups.sort((a, b) => sizeOf(a) - sizeOf(b))[0] ?? null;
}
