import type { ChannelCreated } from '../../../src/events/channels/channels.events.js';
import { CHANNEL_PERMISSIONS, type ChannelPermissions } from '../../../src/events/channels/channels.settings.js';
import { defaultGroupSetting } from '../../../src/events/shared/group-setting.js';
import type { UserGroupCreated } from '../../../src/events/user-groups/user-groups.events.js';
import {
  USER_GROUP_PERMISSIONS,
  type UserGroupPermissions,
} from '../../../src/events/user-groups/user-groups.settings.js';

/** Default settings of a channel that user 1 creates. */
export const channelPermissions = (changes: Partial<ChannelPermissions> = {}): ChannelPermissions =>
  ({
    ...Object.fromEntries(
      Object.entries(CHANNEL_PERMISSIONS).map(([name, setting]) => [name, defaultGroupSetting(setting, 1)]),
    ),
    ...changes,
  }) as ChannelPermissions;

/** Creation of a public channel by user 1. */
export const channelData = (
  channelId: number,
  changes: Partial<ChannelCreated['data']> = {},
): ChannelCreated['data'] => ({
  channelId,
  name: `channel ${channelId}`,
  description: 'd',
  renderedDescription: '<p>d</p>',
  inviteOnly: false,
  historyPublicToSubscribers: true,
  topicsPolicy: 'inherit',
  messageRetentionDays: null,
  permissions: channelPermissions(),
  creatorId: 1,
  subscriberIds: [1],
  isDefault: false,
  folderId: null,
  ...changes,
});

export const groupPermissions = (changes: Partial<UserGroupPermissions> = {}): UserGroupPermissions =>
  ({
    ...Object.fromEntries(
      Object.entries(USER_GROUP_PERMISSIONS).map(([name, setting]) => [name, defaultGroupSetting(setting, 1)]),
    ),
    ...changes,
  }) as UserGroupPermissions;

/** Creation of a group by user 1, its only member. */
export const groupData = (
  groupId: number,
  changes: Partial<UserGroupCreated['data']> = {},
): UserGroupCreated['data'] => ({
  groupId,
  name: `group ${groupId}`,
  description: '',
  creatorId: 1,
  memberIds: [1],
  subgroupIds: [],
  permissions: groupPermissions(),
  ...changes,
});
