import { describe, expect, it } from '@jest/globals';
import { type PushFacts, pushTrigger } from '../../../src/features/push/domain/push-trigger.js';

const NOTHING: PushFacts = {
  isDirect: false,
  isActive: false,
  isMentioned: false,
  topicWildcard: false,
  channelWildcard: false,
  isFollowed: false,
  isMuted: false,
  settings: {
    enable_offline_push_notifications: true,
    enable_online_push_notifications: true,
    enable_followed_topic_wildcard_mentions_notify: true,
    wildcard_mentions_notify: true,
    enable_followed_topic_push_notifications: true,
    enable_stream_push_notifications: false,
  },
  channel: { wildcard_mentions_notify: null, push_notifications: null },
};

const { settings, channel } = NOTHING;
const off = { ...settings, enable_offline_push_notifications: false };
const idle = { ...settings, enable_online_push_notifications: false };
const channelOn = { ...channel, push_notifications: true };

describe('a message is pushed', () => {
  it.each<[string, Partial<PushFacts>, string | null]>([
    ['not without a reason', {}, null],
    ['if it is direct', { isDirect: true }, 'direct_message'],
    ['if it is direct, not if that is off', { isDirect: true, settings: off }, null],
    ['for a mention', { isMentioned: true, topicWildcard: true, isFollowed: true, isMuted: true }, 'mentioned'],
    ['if it is direct, to who is active, too', { isDirect: true, isActive: true }, 'direct_message'],
    [
      'if it is direct, not to who is active and wants none then',
      { isDirect: true, isActive: true, settings: idle },
      null,
    ],
    [
      'if it is direct, to who is idle and wants none while active',
      { isDirect: true, settings: idle },
      'direct_message',
    ],
    ['for a mention, not if that is off', { isMentioned: true, settings: off }, null],
    [
      'for @topic in a followed topic',
      { topicWildcard: true, channelWildcard: true, isFollowed: true },
      'topic_wildcard_mentioned_in_followed_topic',
    ],
    [
      'for @all in a followed topic',
      { channelWildcard: true, isFollowed: true },
      'stream_wildcard_mentioned_in_followed_topic',
    ],
    [
      'for @all in a followed topic, as elsewhere',
      {
        channelWildcard: true,
        isFollowed: true,
        settings: { ...settings, enable_followed_topic_wildcard_mentions_notify: false },
      },
      'stream_wildcard_mentioned',
    ],
    ['for @topic', { topicWildcard: true, channelWildcard: true }, 'topic_wildcard_mentioned'],
    ['for @all', { channelWildcard: true }, 'stream_wildcard_mentioned'],
    ['for @all, not in a muted place', { channelWildcard: true, isMuted: true }, null],
    [
      'for @all, not if the channel says otherwise',
      { channelWildcard: true, channel: { ...channel, wildcard_mentions_notify: false } },
      null,
    ],
    ['in a followed topic', { isFollowed: true, settings: off }, 'followed_topic_push_notify'],
    [
      'in a followed topic, not if that is off',
      { isFollowed: true, settings: { ...settings, enable_followed_topic_push_notifications: false } },
      null,
    ],
    ['in a channel that says so', { channel: channelOn, settings: off }, 'stream_push_notify'],
    ['in all channels', { settings: { ...settings, enable_stream_push_notifications: true } }, 'stream_push_notify'],
    ['in a channel that says so, not in a muted place', { channel: channelOn, isMuted: true }, null],
  ])('%s', (_, facts, trigger) => {
    expect(pushTrigger({ ...NOTHING, ...facts })).toBe(trigger);
  });
});
