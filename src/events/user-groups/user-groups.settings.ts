import { type GroupSettingValue, type PermissionSetting, permissionSetting } from '../shared/group-setting.js';

/** The permissions of a user group, with the API's defaults. */
export const USER_GROUP_PERMISSIONS = {
  can_add_members_group: permissionSetting('creator'),
  can_join_group: permissionSetting('role:nobody'),
  can_leave_group: permissionSetting('role:everyone', { allowEveryone: true }),
  can_manage_group: permissionSetting('creator'),
  can_mention_group: permissionSetting('role:everyone', { allowEveryone: true }),
  can_remove_members_group: permissionSetting('role:nobody'),
} satisfies Record<string, PermissionSetting>;

export type UserGroupPermission = keyof typeof USER_GROUP_PERMISSIONS;

export type UserGroupPermissions = Readonly<Record<UserGroupPermission, GroupSettingValue>>;

/** In Unicode code points. */
export const MAX_GROUP_NAME = 100;
export const MAX_GROUP_DESCRIPTION = 1024;
