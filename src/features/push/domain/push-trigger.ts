/** Why a message is pushed to a reader. */
export type PushTrigger =
  | 'direct_message'
  | 'mentioned'
  | 'topic_wildcard_mentioned_in_followed_topic'
  | 'stream_wildcard_mentioned_in_followed_topic'
  | 'topic_wildcard_mentioned'
  | 'stream_wildcard_mentioned'
  | 'followed_topic_push_notify'
  | 'stream_push_notify';

/** Facts about a message and one of its readers, who did not send it. */
export interface PushFacts {
  readonly isDirect: boolean;
  /** Whether the reader sits at a client, and sees the message there. */
  readonly isActive: boolean;
  /** By name or by a group. */
  readonly isMentioned: boolean;
  readonly topicWildcard: boolean;
  readonly channelWildcard: boolean;
  readonly isFollowed: boolean;
  /** The topic is muted, or its channel while the topic has no other policy. */
  readonly isMuted: boolean;
  readonly settings: {
    readonly enable_offline_push_notifications: boolean;
    readonly enable_online_push_notifications: boolean;
    readonly enable_followed_topic_wildcard_mentions_notify: boolean;
    readonly wildcard_mentions_notify: boolean;
    readonly enable_followed_topic_push_notifications: boolean;
    readonly enable_stream_push_notifications: boolean;
  };
  /** The reader's settings of the channel; null: as the settings above. */
  readonly channel: {
    readonly wildcard_mentions_notify: boolean | null;
    readonly push_notifications: boolean | null;
  };
}

/** The first reason to push a message; null: none. */
export function pushTrigger(facts: PushFacts): PushTrigger | null {
  const { isDirect, isMentioned, topicWildcard, channelWildcard, isFollowed, isMuted, settings, channel } = facts;
  if (facts.isActive && !settings.enable_online_push_notifications) return null;
  const isOn = settings.enable_offline_push_notifications;
  if (isDirect) return isOn ? 'direct_message' : null;
  if (isMentioned && isOn) return 'mentioned';
  if (isOn && isFollowed && settings.enable_followed_topic_wildcard_mentions_notify) {
    if (topicWildcard) return 'topic_wildcard_mentioned_in_followed_topic';
    if (channelWildcard) return 'stream_wildcard_mentioned_in_followed_topic';
  }
  if (isOn && !isMuted && (channel.wildcard_mentions_notify ?? settings.wildcard_mentions_notify)) {
    if (topicWildcard) return 'topic_wildcard_mentioned';
    if (channelWildcard) return 'stream_wildcard_mentioned';
  }
  if (isFollowed && settings.enable_followed_topic_push_notifications) return 'followed_topic_push_notify';
  if (isMuted) return null;
  return (channel.push_notifications ?? settings.enable_stream_push_notifications) ? 'stream_push_notify' : null;
}
