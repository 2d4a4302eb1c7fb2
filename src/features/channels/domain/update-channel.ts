import type {
  ChannelArchived,
  ChannelEvent,
  ChannelPermissionChanged,
  ChannelPrivacyChanged,
} from '../../../events/channels/channels.events.js';
import {
  CHANNEL_PERMISSIONS,
  type ChannelPermission,
  type TopicsPolicy,
} from '../../../events/channels/channels.settings.js';
import type { GroupSettingUpdate } from '../../../events/shared/group-setting.js';
import { changedGroupSetting, type GroupFacts } from '../../../events/shared/group-setting-rules.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { foldCase } from '../../../platform/kernel/text.js';
import { folderForChannels } from './channel-folders.state.js';
import { CHANNEL_PERMISSION_NAMES } from './channel-options.js';
import { type ChannelState, type ChannelsState, channelDescription, channelName } from './channels.state.js';

/** Absent fields stay as they are. */
export interface ChannelChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly inviteOnly?: boolean | undefined;
  readonly webPublic?: boolean | undefined;
  readonly historyPublicToSubscribers?: boolean | undefined;
  readonly isDefault?: boolean | undefined;
  readonly topicsPolicy?: TopicsPolicy | undefined;
  /** Days; null: the organization's setting, -1: for ever. */
  readonly messageRetentionDays?: number | null | undefined;
  readonly isArchived?: boolean | undefined;
  /** null: in none. */
  readonly folderId?: number | null | undefined;
  readonly permissions?: Readonly<Partial<Record<ChannelPermission, GroupSettingUpdate>>>;
}

export class UpdateChannel extends Command<{ channelId: number; changes: ChannelChanges }> {}

/** The actor's permissions, and facts from other streams than the channel's (D4). */
export interface UpdateChannelFacts {
  readonly maySee: boolean;
  readonly mayRead: boolean;
  readonly mayAdminister: boolean;
  readonly mayCreatePublic: boolean;
  readonly mayCreatePrivate: boolean;
  readonly mayMakeDefault: boolean;
  readonly maySetRetention: boolean;
  readonly maySetTopicsPolicy: boolean;
  readonly maySetDeletePolicy: boolean;
  /** New users are subscribed to it. */
  readonly isDefault: boolean;
  /** The channel receives reported messages. */
  readonly takesReports: boolean;
  /** The channel has messages in another topic than the empty one. */
  readonly hasTopics: boolean;
  readonly hasSubscribers: boolean;
  readonly groups: GroupFacts;
  readonly render: (description: string) => string;
}

export const decideUpdateChannel: Decide<UpdateChannel, ChannelsState, ChannelEvent, UpdateChannelFacts> = (
  { channelId, changes },
  state,
  facts,
) => {
  const channel = state.byId.get(channelId);
  if (!channel || !facts.maySee) return refuse('INVALID_CHANNEL_ID');
  if (!facts.mayAdminister) refuse('CANNOT_ADMINISTER_CHANNEL');
  return [
    ...unarchiving(channelId, channel, changes, facts),
    ...privacy(channelId, channel, changes, facts),
    ...retention(channelId, channel, changes, facts),
    ...topicsPolicy(channelId, channel, changes, facts),
    ...folder(channelId, channel, changes, state),
    ...description(channelId, channel, changes, facts),
    ...name(channelId, channel, changes, state),
    ...permissions(channelId, channel, changes, facts),
  ];
};

type Changes<Needs = UpdateChannelFacts> = (
  channelId: number,
  channel: ChannelState,
  changes: ChannelChanges,
  needs: Needs,
) => readonly ChannelEvent[];

const unarchiving: Changes = (channelId, channel, { isArchived }, { hasSubscribers }) => {
  if (isArchived === undefined || isArchived === (channel.status === 'archived')) return [];
  // Archiving has a request of its own.
  if (isArchived) refuse('CHANNEL_CHANGE_INVALID');
  if (channel.inviteOnly && !hasSubscribers) refuse('CHANNEL_WITHOUT_SUBSCRIBERS');
  return [{ type: 'ChannelUnarchived', data: { channelId } }];
};

const privacy: Changes = (channelId, channel, changes, facts): readonly ChannelPrivacyChanged[] => {
  const from = { inviteOnly: channel.inviteOnly, historyPublicToSubscribers: channel.historyPublicToSubscribers };
  const inviteOnly = changes.inviteOnly ?? from.inviteOnly;
  const usualHistory = inviteOnly === from.inviteOnly ? from.historyPublicToSubscribers : !inviteOnly;
  const to = { inviteOnly, historyPublicToSubscribers: changes.historyPublicToSubscribers ?? usualHistory };
  const isChanged =
    to.inviteOnly !== from.inviteOnly || to.historyPublicToSubscribers !== from.historyPublicToSubscribers;

  if (changes.webPublic && inviteOnly) refuse('CHANNEL_CHANGE_INVALID');
  if (changes.webPublic) refuse('WEB_PUBLIC_CHANNELS_OFF');
  if (isChanged && !to.inviteOnly && !to.historyPublicToSubscribers) refuse('CHANNEL_CHANGE_INVALID');
  if (changes.isDefault !== undefined && !facts.mayMakeDefault) refuse('ADMINISTRATOR_REQUIRED');
  if (changes.isDefault && (changes.isArchived ?? channel.status === 'archived')) refuse('CHANNEL_ARCHIVED');
  if (to.inviteOnly && (changes.isDefault ?? (isChanged && facts.isDefault))) refuse('CHANNEL_IS_DEFAULT');
  if (!isChanged) return [];
  if (!to.inviteOnly && facts.takesReports) refuse('CHANNEL_TAKES_REPORTS');
  if (!facts.mayRead) refuse('CHANNEL_CONTENT_OUT_OF_REACH');
  const mayCreate = to.inviteOnly ? facts.mayCreatePrivate : facts.mayCreatePublic;
  if (to.inviteOnly !== from.inviteOnly && !mayCreate) refuse('NOT_AUTHORIZED');
  return [{ type: 'ChannelPrivacyChanged', data: { channelId, from, to } }];
};

const retention: Changes = (channelId, { messageRetentionDays: from }, { messageRetentionDays: to }, facts) => {
  if (to === undefined || to === from) return [];
  if (!facts.maySetRetention) refuse('OWNER_REQUIRED');
  return [{ type: 'ChannelRetentionChanged', data: { channelId, from, to } }];
};

const topicsPolicy: Changes = (channelId, { topicsPolicy: from }, { topicsPolicy: to }, facts) => {
  if (to === undefined || to === from) return [];
  if (!facts.maySetTopicsPolicy) refuse('NOT_AUTHORIZED');
  if (to === 'empty_topic_only' && facts.hasTopics) refuse('CHANNEL_HAS_TOPICS');
  return [{ type: 'ChannelTopicsPolicyChanged', data: { channelId, from, to } }];
};

const folder: Changes<ChannelsState> = (channelId, { folderId: from }, { folderId: to }, { folders }) => {
  if (to === undefined || to === from) return [];
  if (to !== null) folderForChannels(to, folders);
  return [{ type: 'ChannelPutInFolder', data: { channelId, from, to } }];
};

const description: Changes = (channelId, { description: from }, changes, { render }) => {
  if (changes.description === undefined) return [];
  const to = channelDescription(changes.description);
  if (to === from) return [];
  return [{ type: 'ChannelDescriptionChanged', data: { channelId, from, to, renderedDescription: render(to) } }];
};

const name: Changes<ChannelsState> = (channelId, { name: from }, changes, { idByName }) => {
  if (changes.name === undefined) return [];
  const to = channelName(changes.name);
  if (to === from) return [];
  if ((idByName.get(foldCase(to)) ?? channelId) !== channelId) refuse('CHANNEL_ALREADY_EXISTS', { name: to });
  return [{ type: 'ChannelRenamed', data: { channelId, from, to } }];
};

const permissions: Changes = (channelId, channel, changes, facts): readonly ChannelPermissionChanged[] =>
  CHANNEL_PERMISSION_NAMES.flatMap((setting) => {
    const update = changes.permissions?.[setting];
    if (!update) return [];
    const from = channel.permissions[setting];
    const rule = CHANNEL_PERMISSIONS[setting];
    const to = changedGroupSetting(setting, rule, from, update, facts.groups);
    if (to === null) return [];
    if (rule.needs === 'content' && !facts.mayRead) refuse('CHANNEL_CONTENT_OUT_OF_REACH');
    if (rule.needs === 'can_set_delete_message_policy_group' && !facts.maySetDeletePolicy) refuse('NOT_AUTHORIZED');
    return [{ type: 'ChannelPermissionChanged', data: { channelId, setting, from, to } }];
  });

/** Archives a channel: it takes no more messages, and keeps its name, messages and subscribers. */
export class ArchiveChannel extends Command<{ channelId: number }> {}

export const decideArchiveChannel: Decide<
  ArchiveChannel,
  ChannelsState,
  ChannelArchived,
  Pick<UpdateChannelFacts, 'maySee' | 'mayAdminister'>
> = ({ channelId }, state, { maySee, mayAdminister }) => {
  const channel = state.byId.get(channelId);
  if (!channel || !maySee) return refuse('INVALID_CHANNEL_ID');
  if (!mayAdminister) refuse('CANNOT_ADMINISTER_CHANNEL');
  if (channel.status === 'archived') return [];
  return [{ type: 'ChannelArchived', data: { channelId } }];
};
