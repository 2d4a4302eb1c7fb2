import { seersOf } from '../../src/directory/channel-sight.js';
import type { SubscriptionEvent } from '../../src/subscriptions/domain/subscriptions.events.js';
import { silent, type TellingRules } from './directory-rules.js';
import { entry, told } from './entries.js';
import { channelOf, payloadOf } from './records.js';

export const subscriptionTelling: TellingRules<SubscriptionEvent> = {
  UsersSubscribed: async (event, _after, documents) => {
    const { channelId, userIds } = event.data;
    const channel = await channelOf(channelId, documents);
    const seers = seersOf(channel);
    const payload = { channel: payloadOf(channel) };
    const peers = { ...seers, subscribersOf: channelId, except: { userIds } };
    return [
      entry(event, 'stream/create', { userIds, except: seers }, payload),
      entry(event, 'subscription/add', { userIds }, payload),
      entry(event, 'subscription/peer_add', peers, { channelIds: [channelId], userIds }),
    ];
  },
  UsersUnsubscribed: async (event, _after, documents) => {
    const { channelId, userIds } = event.data;
    const channel = await channelOf(channelId, documents);
    const seers = seersOf(channel);
    const peers = { ...seers, subscribersOf: channelId, except: { userIds } };
    const removed = [{ stream_id: channelId, name: channel.name }];
    return [
      told(event, 'subscription/remove', { userIds }, { subscriptions: removed }),
      entry(event, 'subscription/peer_remove', peers, { channelIds: [channelId], userIds }),
      told(event, 'stream/delete', { userIds, except: seers }, goneFromSight([channelId])),
    ];
  },
  SubscriptionSettingChanged: silent,
};

/** What a client is told that may no longer know of channels. */
export const goneFromSight = (channelIds: readonly number[]): object => ({
  streams: channelIds.map((stream_id) => ({ stream_id })),
  stream_ids: channelIds,
});
