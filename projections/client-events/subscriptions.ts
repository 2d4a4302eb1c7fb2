import { seersOf } from '../../src/directory/channel-visibility.js';
import type { SubscriptionEvent } from '../../src/events/channels/subscriptions.events.js';
import {
  SUBSCRIPTION_SETTINGS,
  type SubscriptionSetting,
  type SubscriptionSettings,
} from '../../src/events/channels/subscriptions.settings.js';
import { type OlderName, olderFlags } from '../../src/events/shared/settings.js';
import { channelCreate, channelDelete, channelsGone, forThoseWhoKnow, subscriptionAdd } from './channels.js';
import { clientEvent, staticClientEvent } from './client-event.js';
import type { Audience, ClientEventDocument } from './client-events.documents.js';
import type { ClientEventRules } from './directory-rules.js';
import { starsLost } from './read-state.js';
import { channelOf, type FeedChannel, payloadOf } from './records.js';

interface Peers {
  readonly channelIds: readonly number[];
  readonly userIds: readonly number[];
  /** Whether the channel is archived. Only some clients know archived channels. */
  readonly isArchived: boolean;
}

interface SubscriptionChange {
  readonly stream_id: number;
  readonly property: SubscriptionSetting | OlderName<typeof SUBSCRIPTION_SETTINGS>;
  readonly value: SubscriptionSettings[SubscriptionSetting];
}

interface OfAccount {
  readonly userId: number;
}

export const subscriptionRemove = staticClientEvent<{
  readonly subscriptions: readonly { readonly stream_id: number; readonly name: string }[];
}>()({ kind: 'subscription/remove', rank: 1024 });

export const subscriptionUpdate = staticClientEvent<SubscriptionChange>()({ kind: 'subscription/update', rank: 1024 });

export const peerAdd = clientEvent<Peers>()({ kind: 'subscription/peer_add', rank: 2048 });

export const peerRemove = clientEvent<Peers>()({ kind: 'subscription/peer_remove', rank: 2048 });

/** `subscription/peer_remove` for every channel of a deactivated account. It precedes the event of the deactivation. */
export const subscriberDeactivated = clientEvent<OfAccount>()({ kind: 'subscription/gone', rank: 896 });

/** `subscription/peer_add` for every channel of a reactivated account. */
export const subscriberActivated = clientEvent<OfAccount>()({ kind: 'subscription/back', rank: 2560 });

/**
 * `subscription/peer_add`, one for each channel of `channelsAppear`. A reader may get up to 1,024 such client events. The
 * last has this rank, and the others have the ids below.
 */
export const subscribersAppear = clientEvent<Readonly<Record<never, never>>>()({
  kind: 'subscription/gained',
  rank: 3071,
});

export const subscriptionRules: ClientEventRules<SubscriptionEvent> = {
  UsersSubscribed: async (event, _after, documents) => {
    const { channelId, userIds } = event.data;
    const channel = await channelOf(channelId, documents);
    const payload = { channel: payloadOf(channel) };
    const peers = { channelIds: [channelId], userIds, isArchived: channel.isArchived };
    return [
      channelCreate.of(event, { userIds, except: seersOf(channel) }, payload),
      subscriptionAdd.of(event, { userIds }, payload),
      peerAdd.of(event, peersOf(channel, userIds), peers),
    ];
  },
  UsersUnsubscribed: async (event, _after, documents) => {
    const { channelId, userIds } = event.data;
    const channel = await channelOf(channelId, documents);
    const peers = { channelIds: [channelId], userIds, isArchived: channel.isArchived };
    const subscriptions = [{ stream_id: channelId, name: channel.name }];
    const lost = { userIds, except: seersOf(channel) };
    return [
      subscriptionRemove.of(event, { userIds }, { subscriptions }, forThoseWhoKnow(channel)),
      peerRemove.of(event, peersOf(channel, userIds), peers),
      channelDelete.of(event, lost, channelsGone([channelId]), forThoseWhoKnow(channel)),
      starsLost.of(event, { userIds }, {}),
    ];
  },
  SubscriptionSettingChanged: async (event, _after, documents) => {
    const { channelId: stream_id, userId, setting, to } = event.data;
    const without = forThoseWhoKnow(await channelOf(stream_id, documents));
    const audience = { userIds: [userId] };
    const update = (
      property: SubscriptionChange['property'],
      value: SubscriptionChange['value'],
      nth: number,
    ): ClientEventDocument =>
      subscriptionUpdate.of(event, audience, { stream_id, property, value }, { ...without, nth });
    // The older name comes first, for clients that know only this name.
    const names = [...olderFlags(SUBSCRIPTION_SETTINGS, setting, to), [setting, to] as const];
    return names.map(([property, value], nth) => update(property, value, nth));
  },
};

/** Selects other users who may see the channel's subscribers. */
const peersOf = (channel: FeedChannel, userIds: readonly number[]): Audience => ({
  ...seersOf(channel),
  subscribersOf: channel._id,
  except: { userIds },
});
