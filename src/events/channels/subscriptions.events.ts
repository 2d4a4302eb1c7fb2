import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import type { SubscriptionSetting, SubscriptionSettings } from './subscriptions.settings.js';

export const subscriptionsStream = (channelId: number): string => `subscriptions-${channelId}`;

/** Users are subscribed to a channel. */
export type UsersSubscribed = DomainEvent<
  'UsersSubscribed',
  { readonly channelId: number; readonly userIds: readonly number[] }
>;

/** Users are no longer subscribed to a channel. */
export type UsersUnsubscribed = DomainEvent<
  'UsersUnsubscribed',
  { readonly channelId: number; readonly userIds: readonly number[] }
>;

/** A subscriber has changed a setting of their own for the channel. */
export type SubscriptionSettingChanged = DomainEvent<
  'SubscriptionSettingChanged',
  {
    readonly channelId: number;
    readonly userId: number;
    readonly setting: SubscriptionSetting;
    readonly from: SubscriptionSettings[SubscriptionSetting];
    readonly to: SubscriptionSettings[SubscriptionSetting];
  }
>;

export type SubscriptionEvent = UsersSubscribed | UsersUnsubscribed | SubscriptionSettingChanged;

export const subscriptionEvents = [
  defineEvent<UsersSubscribed>({
    type: 'UsersSubscribed',
    concerns: ({ data: { channelId, userIds } }) => ({ channelIds: [channelId], userIds }),
  }),
  defineEvent<UsersUnsubscribed>({
    type: 'UsersUnsubscribed',
    concerns: ({ data: { channelId, userIds } }) => ({ channelIds: [channelId], userIds }),
  }),
  defineEvent<SubscriptionSettingChanged>({
    type: 'SubscriptionSettingChanged',
    concerns: ({ data: { channelId, userId } }) => ({ channelIds: [channelId], userIds: [userId] }),
  }),
];
