import type { DomainEvent } from '../../kernel/event.js';
import { defineEvent } from '../../kernel/event-definition.js';

export const subscriptionsStream = (channelId: number): string => `subscriptions-${channelId}`;

export type UsersSubscribed = DomainEvent<
  'UsersSubscribed',
  { readonly channelId: number; readonly userIds: readonly number[] }
>;

export type UsersUnsubscribed = DomainEvent<
  'UsersUnsubscribed',
  { readonly channelId: number; readonly userIds: readonly number[] }
>;

export type SubscriptionEvent = UsersSubscribed | UsersUnsubscribed;

export const subscriptionEvents = [
  defineEvent<UsersSubscribed>({ type: 'UsersSubscribed', version: 1 }),
  defineEvent<UsersUnsubscribed>({ type: 'UsersUnsubscribed', version: 1 }),
];
