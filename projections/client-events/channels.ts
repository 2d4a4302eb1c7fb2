import type { ChannelEvent } from '../../src/channels/domain/channels.events.js';
import { type ChannelPermission, POST_POLICIES, postPolicyOf } from '../../src/channels/domain/channels.settings.js';
import { type ChannelSeers, seersOf } from '../../src/directory/channel-sight.js';
import type { Recorded } from '../../src/kernel/event.js';
import type { AudienceRule, ClientEventDocument, FeedChannel } from '../client-events.documents.js';
import type { TellingRules } from './directory-rules.js';
import { entry, told } from './entries.js';
import { payloadOf } from './records.js';
import { forThoseWhoKnow, goneFromSight } from './subscriptions.js';
import { toldValue } from './told-values.js';

/** Clients without it know of no archived channel: they are told that it goes, then nothing, then that it is there. */
const CAPABILITY = 'archived_channels';

/** Permissions that let people see a private channel who are not in it. */
const SIGHT: readonly ChannelPermission[] = [
  'can_add_subscribers_group',
  'can_administer_channel_group',
  'can_subscribe_group',
];

/** Each change of a property is an event of its own, to those who see the channel before it and after it. */
export const channelTelling: TellingRules<ChannelEvent> = {
  ChannelCreated: (event, after) => {
    const channel = after('channels', event.data.channelId);
    return [entry(event, 'stream/create', seersOf(channel), { channel: payloadOf(channel) })];
  },
  ChannelRenamed: (event, after) => {
    const { channelId, from, to } = event.data;
    const channel = after('channels', channelId);
    // Under the name by which clients know it.
    return [updated(event, { ...channel, name: from }, { property: 'name', value: to })];
  },
  ChannelDescriptionChanged: (event, after) => {
    const { channelId, to: value, renderedDescription: rendered_description } = event.data;
    return [updated(event, after('channels', channelId), { property: 'description', value, rendered_description })];
  },
  ChannelPrivacyChanged: (event, after) => {
    const { channelId, from, to } = event.data;
    const channel = after('channels', channelId);
    const change = {
      property: 'invite_only',
      value: to.inviteOnly,
      history_public_to_subscribers: to.historyPublicToSubscribers,
      is_web_public: false,
    };
    if (from.inviteOnly === to.inviteOnly) return [updated(event, channel, change)];
    return seenByOthers(event, channel, seersOf({ ...channel, inviteOnly: from.inviteOnly }), [change]);
  },
  ChannelPermissionChanged: async (event, after, documents) => {
    const { channelId, setting, from, to } = event.data;
    const channel = after('channels', channelId);
    const changes = [{ property: setting, value: await toldValue(to, documents) }, ...olderNames(event.data)];
    const before = { ...channel, permissions: { ...channel.permissions, [setting]: from } };
    return channel.inviteOnly && SIGHT.includes(setting)
      ? seenByOthers(event, channel, seersOf(before), changes)
      : changes.map((change, nth) => updated(event, channel, change, { nth }));
  },
  ChannelTopicsPolicyChanged: (event, after) => {
    const { channelId, to: value } = event.data;
    return [updated(event, after('channels', channelId), { property: 'topics_policy', value })];
  },
  ChannelRetentionChanged: (event, after) => {
    const { channelId, to: value } = event.data;
    return [updated(event, after('channels', channelId), { property: 'message_retention_days', value })];
  },
  ChannelArchived: (event, after) => {
    const channel = after('channels', event.data.channelId);
    const instead = { kind: 'stream/delete', body: goneFromSight([channel._id]) } as const;
    const body = { stream_id: channel._id, name: channel.name, property: 'is_archived', value: true };
    return [told(event, 'stream/update', whoSees(channel), body, { without: { capability: CAPABILITY, instead } })];
  },
  ChannelUnarchived: (event, after) => {
    const channel = after('channels', event.data.channelId);
    const { _id: channelId, name } = channel;
    const subscribers = { subscribersOf: channelId };
    const payload = { channel: payloadOf(channel), toldBefore: CAPABILITY };
    const peers = { channelId, isArchived: false, toldBefore: CAPABILITY };
    const body = { stream_id: channelId, name, property: 'is_archived', value: false };
    const without = { capability: CAPABILITY, instead: null };
    return [
      entry(event, 'stream/create', whoSees(channel), payload),
      entry(event, 'subscription/add', subscribers, payload),
      told(event, 'stream/update', whoSees(channel), body, { without }),
      entry(event, 'subscription/peers', { ...seersOf(channel), except: subscribers }, peers),
    ];
  },
};

const whoSees = (channel: FeedChannel, seers: ChannelSeers = seersOf(channel)): AudienceRule => ({
  ...seers,
  subscribersOf: channel._id,
});

const updated = (
  event: Recorded<ChannelEvent>,
  channel: FeedChannel,
  change: object,
  { nth = 0, among }: { readonly nth?: number; readonly among?: AudienceRule } = {},
): ClientEventDocument => {
  const audience = among ? { ...whoSees(channel), among } : whoSees(channel);
  const body = { stream_id: channel._id, name: channel.name, ...change };
  return told(event, 'stream/update', audience, body, { nth, ...forThoseWhoKnow(channel) });
};

/** Who only now comes to see it, is told of all of it; who does not see it any more, that it is gone. */
function seenByOthers(
  event: Recorded<ChannelEvent>,
  channel: FeedChannel,
  seersBefore: ChannelSeers,
  changes: readonly object[],
): ClientEventDocument[] {
  const [before, now] = [whoSees(channel, seersBefore), whoSees(channel)];
  const gained = { ...seersOf(channel), except: before };
  return [
    entry(event, 'stream/create', gained, { channel: payloadOf(channel) }),
    ...changes.map((change, nth) => updated(event, channel, change, { nth, among: before })),
    entry(event, 'subscription/peers', gained, { channelId: channel._id, isArchived: channel.isArchived }),
    told(
      event,
      'stream/delete',
      { ...seersBefore, except: now },
      goneFromSight([channel._id]),
      forThoseWhoKnow(channel),
    ),
  ];
}

/** What clients know the permission to post by that are older than it. */
function olderNames({
  setting,
  from,
  to,
}: Extract<ChannelEvent, { type: 'ChannelPermissionChanged' }>['data']): object[] {
  if (setting !== 'can_send_message_group') return [];
  const value = postPolicyOf({ can_send_message_group: to });
  if (value === postPolicyOf({ can_send_message_group: from })) return [];
  return [
    { property: 'stream_post_policy', value },
    { property: 'is_announcement_only', value: value === POST_POLICIES['role:administrators'] },
  ];
}
