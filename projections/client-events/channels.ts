import { type ChannelSeers, seersOf } from '../../src/directory/channel-visibility.js';
import type { ChannelEvent } from '../../src/events/channels/channels.events.js';
import {
  type ChannelPermission,
  POST_POLICIES,
  postPolicyOf,
  type TopicsPolicy,
  VISIBILITY_PERMISSIONS,
} from '../../src/events/channels/channels.settings.js';
import type { GroupSettingValue } from '../../src/events/shared/group-setting.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import { clientEvent, type StaticClientEvent, staticClientEvent } from './client-event.js';
import type { AudienceRule, ClientEventDocument } from './client-events.documents.js';
import type { ClientEventRules } from './directory-rules.js';
import { starsLost } from './read-state.js';
import { type ChannelPayload, type FeedChannel, payloadOf } from './records.js';
import { valueForClients } from './values-for-clients.js';

interface ChannelFacts {
  readonly channel: ChannelPayload;
  /** Clients with this capability know the channel already. Absent if the channel is new to all clients. */
  readonly toldBefore?: string;
}

/** The channels that appear or disappear depend on the reader. They are found when the client event is sent. */
type ChannelVisibility = Readonly<Record<never, never>>;

type ChannelChange =
  | { readonly property: 'name'; readonly value: string }
  | { readonly property: 'description'; readonly value: string; readonly rendered_description: string }
  | {
      readonly property: 'invite_only';
      readonly value: boolean;
      readonly history_public_to_subscribers: boolean;
      readonly is_web_public: boolean;
    }
  | { readonly property: ChannelPermission; readonly value: GroupSettingValue }
  | { readonly property: 'stream_post_policy'; readonly value: number }
  | { readonly property: 'is_announcement_only' | 'is_archived'; readonly value: boolean }
  | { readonly property: 'topics_policy'; readonly value: TopicsPolicy }
  | { readonly property: 'message_retention_days' | 'folder_id'; readonly value: number | null };

interface OfChannel {
  readonly stream_id: number;
  readonly name: string;
}

interface ChannelsGone {
  readonly streams: readonly { readonly stream_id: number }[];
  readonly stream_ids: readonly number[];
}

export const channelCreate = clientEvent<ChannelFacts>()({ kind: 'stream/create', rank: 512 });

export const channelUpdate = staticClientEvent<OfChannel & ChannelChange>()({ kind: 'stream/update', rank: 2048 });

/** `stream/update` caused by messages. It belongs to the state of messages. */
export const firstMessageUpdate = staticClientEvent<
  OfChannel & { readonly property: 'first_message_id'; readonly value: number }
>()({ kind: 'stream/update', rank: 2048, part: 'messages' });

export const channelDelete = staticClientEvent<ChannelsGone>()({ kind: 'stream/delete', rank: 3072 });

/** `stream/create` of all the channels that an event lets the reader see. */
export const channelsAppear = clientEvent<ChannelVisibility>()({ kind: 'stream/gained', rank: 768 });

/** `stream/delete` of all the channels that an event hides from the reader. */
export const channelsDisappear = clientEvent<ChannelVisibility>()({ kind: 'stream/lost', rank: 3584 });

/** `subscription/peer_add` of all subscribers, to readers who begin to see them. */
export const channelSubscribers = clientEvent<{
  readonly channelId: number;
  readonly isArchived: boolean;
  readonly toldBefore?: string;
}>()({ kind: 'subscription/peers', rank: 2304 });

export const subscriptionAdd = clientEvent<ChannelFacts>()({ kind: 'subscription/add', rank: 1024 });

/** Clients without this capability are told that an archived channel is deleted. */
const CAPABILITY = 'archived_channels';

/** Tells each change of a property as one event, to readers who see the channel before and after it. */
export const channelRules: ClientEventRules<ChannelEvent> = {
  ChannelCreated: (event, after) => {
    const channel = after('channels', event.data.channelId);
    return [channelCreate.of(event, seersOf(channel), { channel: payloadOf(channel) })];
  },
  ChannelRenamed: (event, after) => {
    const { channelId, from, to } = event.data;
    const channel = after('channels', channelId);
    // Clients know the property by another name.
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
      property: 'invite_only' as const,
      value: to.inviteOnly,
      history_public_to_subscribers: to.historyPublicToSubscribers,
      is_web_public: false,
    };
    if (from.inviteOnly === to.inviteOnly) return [updated(event, channel, change)];
    const seersBefore = seersOf({ ...channel, inviteOnly: from.inviteOnly });
    const changes = seenByOthers(event, channel, seersBefore, [change]);
    if (!to.inviteOnly) return changes;
    return [...changes, starsLost.of(event, { ...seersBefore, except: { subscribersOf: channelId } }, {})];
  },
  ChannelPermissionChanged: async (event, after, documents) => {
    const { channelId, setting, from, to } = event.data;
    const channel = after('channels', channelId);
    const changes: ChannelChange[] = [
      { property: setting, value: await valueForClients(to, documents) },
      ...olderNames(event.data),
    ];
    const before = { ...channel, permissions: { ...channel.permissions, [setting]: from } };
    return channel.inviteOnly && VISIBILITY_PERMISSIONS.some((permission) => permission === setting)
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
  ChannelPutInFolder: (event, after) => {
    const { channelId, to: value } = event.data;
    return [updated(event, after('channels', channelId), { property: 'folder_id', value })];
  },
  ChannelArchived: (event, after) => {
    const channel = after('channels', event.data.channelId);
    const instead = channelDelete.instead(channelsGone([channel._id]));
    const body = { stream_id: channel._id, name: channel.name, property: 'is_archived', value: true } as const;
    return [channelUpdate.of(event, whoSees(channel), body, { without: { capability: CAPABILITY, instead } })];
  },
  ChannelUnarchived: (event, after) => {
    const channel = after('channels', event.data.channelId);
    const { _id: channelId, name } = channel;
    const subscribers = { subscribersOf: channelId };
    const payload = { channel: payloadOf(channel), toldBefore: CAPABILITY };
    const peers = { channelId, isArchived: false, toldBefore: CAPABILITY };
    const body = { stream_id: channelId, name, property: 'is_archived', value: false } as const;
    const without = { capability: CAPABILITY, instead: null };
    return [
      channelCreate.of(event, whoSees(channel), payload),
      subscriptionAdd.of(event, subscribers, payload),
      channelUpdate.of(event, whoSees(channel), body, { without }),
      channelSubscribers.of(event, { ...seersOf(channel), except: subscribers }, peers),
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
  change: ChannelChange,
  { nth = 0, among }: { readonly nth?: number; readonly among?: AudienceRule } = {},
): ClientEventDocument => {
  const audience = among ? { ...whoSees(channel), among } : whoSees(channel);
  const body = { stream_id: channel._id, name: channel.name, ...change };
  return channelUpdate.of(event, audience, body, { nth, ...forThoseWhoKnow(channel) });
};

/** Readers who begin to see the channel get all of it. Readers who no longer see it get its deletion. */
function seenByOthers(
  event: Recorded<ChannelEvent>,
  channel: FeedChannel,
  seersBefore: ChannelSeers,
  changes: readonly ChannelChange[],
): ClientEventDocument[] {
  const [before, now] = [whoSees(channel, seersBefore), whoSees(channel)];
  const gained = { ...seersOf(channel), except: before };
  return [
    channelCreate.of(event, gained, { channel: payloadOf(channel) }),
    ...changes.map((change, nth) => updated(event, channel, change, { nth, among: before })),
    channelSubscribers.of(event, gained, { channelId: channel._id, isArchived: channel.isArchived }),
    channelDelete.of(event, { ...seersBefore, except: now }, channelsGone([channel._id]), forThoseWhoKnow(channel)),
  ];
}

/** Tells the permission to post to clients that are older than this permission. */
function olderNames({
  setting,
  from,
  to,
}: Extract<ChannelEvent, { type: 'ChannelPermissionChanged' }>['data']): ChannelChange[] {
  if (setting !== 'can_send_message_group') return [];
  const value = postPolicyOf({ can_send_message_group: to });
  if (value === postPolicyOf({ can_send_message_group: from })) return [];
  return [
    { property: 'stream_post_policy', value },
    { property: 'is_announcement_only', value: value === POST_POLICIES['role:administrators'] },
  ];
}

/** Leaves out clients that do not know archived channels, if the channel is archived. */
export const forThoseWhoKnow = ({ isArchived }: FeedChannel): Pick<StaticClientEvent, 'without'> =>
  isArchived ? { without: { capability: CAPABILITY, instead: null } } : {};

/** The body for clients that may no longer know of channels. */
export const channelsGone = (channelIds: readonly number[]): ChannelsGone => ({
  streams: channelIds.map((stream_id) => ({ stream_id })),
  stream_ids: channelIds,
});
