import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import { concernsChannel, usersNamedIn } from '../shared/concerned.js';
import type { GroupSettingValue } from '../shared/group-setting.js';
import type { ChannelPermission, ChannelPermissions, ChannelPrivacy, TopicsPolicy } from './channels.settings.js';
import { channelCreatedFrom1, channelCreatedFrom2 } from './channels.upcasters.js';

export const CHANNELS_STREAM = 'channels';

/** A channel is there. */
export type ChannelCreated = DomainEvent<
  'ChannelCreated',
  {
    readonly channelId: number;
    readonly name: string;
    readonly description: string;
    readonly renderedDescription: string;
    readonly inviteOnly: boolean;
    readonly historyPublicToSubscribers: boolean;
    readonly topicsPolicy: TopicsPolicy;
    /** Days; null: the organization's setting, -1: for ever. */
    readonly messageRetentionDays: number | null;
    readonly permissions: ChannelPermissions;
    readonly creatorId: number;
    /** Users to subscribe; a process manager subscribes them (D17). */
    readonly subscriberIds: readonly number[];
    /** Whether the channel becomes one that new users are subscribed to; a process manager adds it (D17). */
    readonly isDefault: boolean;
    /** null: in no folder. */
    readonly folderId: number | null;
  }
>;

/** A channel has another name. */
export type ChannelRenamed = DomainEvent<
  'ChannelRenamed',
  { readonly channelId: number; readonly from: string; readonly to: string }
>;

/** A channel has another description. */
export type ChannelDescriptionChanged = DomainEvent<
  'ChannelDescriptionChanged',
  { readonly channelId: number; readonly from: string; readonly to: string; readonly renderedDescription: string }
>;

/** Others can see the channel, or its older messages. */
export type ChannelPrivacyChanged = DomainEvent<
  'ChannelPrivacyChanged',
  { readonly channelId: number; readonly from: ChannelPrivacy; readonly to: ChannelPrivacy }
>;

/** Others may do something in the channel. */
export type ChannelPermissionChanged = DomainEvent<
  'ChannelPermissionChanged',
  {
    readonly channelId: number;
    readonly setting: ChannelPermission;
    readonly from: GroupSettingValue;
    readonly to: GroupSettingValue;
  }
>;

/** Whether the channel takes messages without a topic, or only such, has changed. */
export type ChannelTopicsPolicyChanged = DomainEvent<
  'ChannelTopicsPolicyChanged',
  { readonly channelId: number; readonly from: TopicsPolicy; readonly to: TopicsPolicy }
>;

/** Messages of the channel are kept for another time. Days, as in ChannelCreated. */
export type ChannelRetentionChanged = DomainEvent<
  'ChannelRetentionChanged',
  { readonly channelId: number; readonly from: number | null; readonly to: number | null }
>;

/** A channel is in another folder. Ids of folders; null: in none. */
export type ChannelPutInFolder = DomainEvent<
  'ChannelPutInFolder',
  { readonly channelId: number; readonly from: number | null; readonly to: number | null }
>;

/** Nobody writes in the channel any more. */
export type ChannelArchived = DomainEvent<'ChannelArchived', { readonly channelId: number }>;

/** An archived channel can be used again. */
export type ChannelUnarchived = DomainEvent<'ChannelUnarchived', { readonly channelId: number }>;

export type ChannelEvent =
  | ChannelCreated
  | ChannelRenamed
  | ChannelDescriptionChanged
  | ChannelPrivacyChanged
  | ChannelPermissionChanged
  | ChannelTopicsPolicyChanged
  | ChannelRetentionChanged
  | ChannelPutInFolder
  | ChannelArchived
  | ChannelUnarchived;

export const channelEvents = [
  defineEvent<ChannelCreated>({
    type: 'ChannelCreated',
    version: 3,
    concerns: ({ data: { channelId, creatorId, subscriberIds, permissions } }) => ({
      channelIds: [channelId],
      userIds: [creatorId, ...subscriberIds, ...usersNamedIn(...Object.values(permissions))],
    }),
    upcasters: { 1: channelCreatedFrom1, 2: channelCreatedFrom2 },
  }),
  defineEvent<ChannelRenamed>({ type: 'ChannelRenamed', concerns: concernsChannel }),
  defineEvent<ChannelDescriptionChanged>({ type: 'ChannelDescriptionChanged', concerns: concernsChannel }),
  defineEvent<ChannelPrivacyChanged>({ type: 'ChannelPrivacyChanged', concerns: concernsChannel }),
  defineEvent<ChannelPermissionChanged>({
    type: 'ChannelPermissionChanged',
    concerns: ({ data: { channelId, from, to } }) => ({ channelIds: [channelId], userIds: usersNamedIn(from, to) }),
  }),
  defineEvent<ChannelTopicsPolicyChanged>({ type: 'ChannelTopicsPolicyChanged', concerns: concernsChannel }),
  defineEvent<ChannelRetentionChanged>({ type: 'ChannelRetentionChanged', concerns: concernsChannel }),
  defineEvent<ChannelPutInFolder>({ type: 'ChannelPutInFolder', concerns: concernsChannel }),
  defineEvent<ChannelArchived>({ type: 'ChannelArchived', concerns: concernsChannel }),
  defineEvent<ChannelUnarchived>({ type: 'ChannelUnarchived', concerns: concernsChannel }),
];
