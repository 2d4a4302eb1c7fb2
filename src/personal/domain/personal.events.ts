import type { DomainEvent } from '../../kernel/event.js';
import { defineEvent } from '../../kernel/event-definition.js';
import type { TopicPolicy } from './personal.settings.js';
import { type UserSettingChanged, userSettingsEvents } from './user-settings.events.js';

/** What the streams of all users begin with. */
export const PERSONAL_STREAMS = 'user-';

/** What concerns one user alone. */
export const personalStream = (userId: number): string => `${PERSONAL_STREAMS}${userId}`;

/** Topics that differ only in case are one, whose name stays as it was given first. */
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

export type AlertWordsAdded = DomainEvent<
  'AlertWordsAdded',
  { readonly userId: number; readonly words: readonly string[] }
>;

export type AlertWordsRemoved = DomainEvent<
  'AlertWordsRemoved',
  { readonly userId: number; readonly words: readonly string[] }
>;

export type UserMuted = DomainEvent<'UserMuted', { readonly userId: number; readonly mutedUserId: number }>;
export type UserUnmuted = DomainEvent<'UserUnmuted', { readonly userId: number; readonly mutedUserId: number }>;

/** Of the lists that are told whole. */
export type PersonalListEvent = AlertWordsAdded | AlertWordsRemoved | UserMuted | UserUnmuted;

/** The directory has everybody's settings: they decide what the server does for others, too. */
export type OwnRecordsEvent = TopicPolicySet | PersonalListEvent;

export type PersonalEvent = OwnRecordsEvent | UserSettingChanged;

export const personalEvents = [
  defineEvent<TopicPolicySet>({ type: 'TopicPolicySet', version: 1 }),
  defineEvent<AlertWordsAdded>({ type: 'AlertWordsAdded', version: 1 }),
  defineEvent<AlertWordsRemoved>({ type: 'AlertWordsRemoved', version: 1 }),
  defineEvent<UserMuted>({ type: 'UserMuted', version: 1 }),
  defineEvent<UserUnmuted>({ type: 'UserUnmuted', version: 1 }),
  ...userSettingsEvents,
];
