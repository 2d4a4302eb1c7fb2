import { CHANNEL_PERMISSIONS } from '../../../events/channels/channels.settings.js';
import { isTold, REALM_PERMISSIONS } from '../../../events/organization/realm.settings.js';
import type { PermissionSetting } from '../../../events/shared/group-setting.js';
import { USER_GROUP_PERMISSIONS } from '../../../events/user-groups/user-groups.settings.js';

/** Clients' names of the group of the creator. */
const CREATOR = { stream: 'channel_creator', group: 'group_creator' } as const;

/** Values that the permission settings may have. */
export const supportedPermissionSettings = {
  realm: Object.fromEntries(Object.entries(supported(REALM_PERMISSIONS)).filter(([name]) => isTold(name))),
  stream: supported(CHANNEL_PERMISSIONS),
  group: supported(USER_GROUP_PERMISSIONS),
};

function supported(settings: Readonly<Record<string, PermissionSetting>>): Readonly<Record<string, object>> {
  return Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, configuration(name, setting)]));
}

function configuration(name: string, setting: PermissionSetting): object {
  const creator = name in CHANNEL_PERMISSIONS ? CREATOR.stream : CREATOR.group;
  return {
    require_system_group: setting.requireSystemGroup,
    allow_internet_group: setting.allowInternet,
    allow_nobody_group: setting.allowNobody,
    allow_everyone_group: setting.allowEveryone,
    default_group_name: setting.default === 'creator' ? creator : setting.default,
    default_for_system_groups: name in USER_GROUP_PERMISSIONS ? 'role:nobody' : null,
    allowed_system_groups: setting.allowedSystemGroups ?? [],
  };
}
