import { seersOf } from '../../src/directory/channel-sight.js';
import type { Recorded } from '../../src/kernel/event.js';
import type { JsonObject } from '../../src/kernel/json.js';
import type { SubscriptionEvent } from '../../src/subscriptions/domain/subscriptions.events.js';
import type { UserDeactivated, UserReactivated } from '../../src/users/domain/users.events.js';
import type { Audience, ClientEventDocument, FeedChannel, Told } from '../client-events.documents.js';
import type { TellingRules } from './directory-rules.js';
import { EVERYONE, entry, told } from './entries.js';
import { channelOf, payloadOf } from './records.js';

export const subscriptionTelling: TellingRules<SubscriptionEvent> = {
  UsersSubscribed: async (event, _after, documents) => {
    const { channelId, userIds } = event.data;
    const channel = await channelOf(channelId, documents);
    const payload = { channel: payloadOf(channel) };
    const peers = { channelIds: [channelId], userIds, isArchived: channel.isArchived };
    return [
      entry(event, 'stream/create', { userIds, except: seersOf(channel) }, payload),
      entry(event, 'subscription/add', { userIds }, payload),
      entry(event, 'subscription/peer_add', peersOf(channel, userIds), peers),
    ];
  },
  UsersUnsubscribed: async (event, _after, documents) => {
    const { channelId, userIds } = event.data;
    const channel = await channelOf(channelId, documents);
    const peers = { channelIds: [channelId], userIds, isArchived: channel.isArchived };
    const subscriptions = [{ stream_id: channelId, name: channel.name }];
    const lost = { userIds, except: seersOf(channel) };
    return [
      told(event, 'subscription/remove', { userIds }, { subscriptions }, forThoseWhoKnow(channel)),
      entry(event, 'subscription/peer_remove', peersOf(channel, userIds), peers),
      told(event, 'stream/delete', lost, goneFromSight([channelId]), forThoseWhoKnow(channel)),
    ];
  },
  SubscriptionSettingChanged: async (event, _after, documents) => {
    const { channelId: stream_id, userId, setting, to } = event.data;
    const without = forThoseWhoKnow(await channelOf(stream_id, documents));
    const audience = { userIds: [userId] };
    const update = (property: string, value: unknown, nth: number): ClientEventDocument =>
      told(event, 'subscription/update', audience, { stream_id, property, value }, { ...without, nth });
    // Under its older name, with the opposite value, for clients that know no other.
    const older = setting === 'is_muted' ? [update('in_home_view', !to, 0)] : [];
    return [...older, update(setting, to, older.length)];
  },
};

/** Others who may see who is in the channel. */
const peersOf = (channel: FeedChannel, userIds: readonly number[]): Audience => ({
  ...seersOf(channel),
  subscribersOf: channel._id,
  except: { userIds },
});

/** Only some clients know of archived channels. */
export const forThoseWhoKnow = ({ isArchived }: FeedChannel): Pick<Told, 'without'> =>
  isArchived ? { without: { capability: 'archived_channels', instead: null } } : {};

/** What a client is told that may no longer know of channels. */
export const goneFromSight = (channelIds: readonly number[]): JsonObject => ({
  streams: channelIds.map((stream_id) => ({ stream_id })),
  stream_ids: [...channelIds],
});

/** Whose account ends is no subscriber any more: told before it is told that the account has ended. */
export const peersGone = (event: Recorded<UserDeactivated>): ClientEventDocument =>
  entry(event, 'subscription/gone', EVERYONE, { userId: event.data.userId });

/** The subscriptions that an account had come back with it. */
export const peersBack = (event: Recorded<UserReactivated>): ClientEventDocument =>
  entry(event, 'subscription/back', EVERYONE, { userId: event.data.userId });
