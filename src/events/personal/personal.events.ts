import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import { concernsUser } from '../shared/concerned.js';
import type { TopicPolicy } from './personal.settings.js';
import { type UserSettingChanged, userSettingsEvents } from './user-settings.events.js';

/** The prefix of all users' streams. */
export const PERSONAL_STREAMS = 'user-';

/** The stream of events that concern one user alone. */
export const personalStream = (userId: number): string => `${PERSONAL_STREAMS}${userId}`;

/**
 * A user mutes, unmutes or follows a topic, or no longer does. Topics that differ only in case are the same topic, under
 * the name that it got first.
 */
export type TopicPolicySet = DomainEvent<
  'TopicPolicySet',
  {
    readonly userId: number;
    readonly channelId: number;
    readonly topic: string;
    readonly from: TopicPolicy;
    readonly to: TopicPolicy;
  }
>;

/** A user wants to be alerted to words. */
export type AlertWordsAdded = DomainEvent<
  'AlertWordsAdded',
  { readonly userId: number; readonly words: readonly string[] }
>;

/** A user no longer wants to be alerted to words. */
export type AlertWordsRemoved = DomainEvent<
  'AlertWordsRemoved',
  { readonly userId: number; readonly words: readonly string[] }
>;

/** A user no longer wants to see the messages of another. */
export type UserMuted = DomainEvent<'UserMuted', { readonly userId: number; readonly mutedUserId: number }>;

/** A user sees the messages of another again. */
export type UserUnmuted = DomainEvent<'UserUnmuted', { readonly userId: number; readonly mutedUserId: number }>;

/** Changes of the lists that clients get whole. */
export type PersonalListEvent = AlertWordsAdded | AlertWordsRemoved | UserMuted | UserUnmuted;

/** Events outside the directory. User settings are in it: what the server does for other users depends on them. */
export type OwnRecordsEvent = TopicPolicySet | PersonalListEvent;

export type PersonalEvent = OwnRecordsEvent | UserSettingChanged;

export const personalEvents = [
  defineEvent<TopicPolicySet>({
    type: 'TopicPolicySet',
    concerns: ({ data: { userId, channelId, topic } }) => ({ userIds: [userId], topics: [{ channelId, topic }] }),
  }),
  defineEvent<AlertWordsAdded>({ type: 'AlertWordsAdded', concerns: concernsUser }),
  defineEvent<AlertWordsRemoved>({ type: 'AlertWordsRemoved', concerns: concernsUser }),
  defineEvent<UserMuted>({
    type: 'UserMuted',
    concerns: ({ data: { userId, mutedUserId } }) => ({ userIds: [userId, mutedUserId] }),
  }),
  defineEvent<UserUnmuted>({
    type: 'UserUnmuted',
    concerns: ({ data: { userId, mutedUserId } }) => ({ userIds: [userId, mutedUserId] }),
  }),
  ...userSettingsEvents,
];
