import type { GroupSettingUpdate } from '../../kernel/group-setting-rules.js';
import {
  USER_GROUP_PERMISSIONS,
  type UserGroupPermission,
  type UserGroupPermissions,
} from '../domain/user-groups.settings.js';

const NAMES = Object.keys(USER_GROUP_PERMISSIONS) as UserGroupPermission[];

/** Those of the parameters that are permissions of a group and were sent. */
export function permissionsSent(parameters: Partial<UserGroupPermissions>): Partial<UserGroupPermissions> {
  return Object.fromEntries(
    NAMES.flatMap((name) => (parameters[name] === undefined ? [] : [[name, parameters[name]]])),
  );
}

type Updates = Partial<Readonly<Record<UserGroupPermission, GroupSettingUpdate>>>;

/** The same where they are changed; `"old": null` says nothing. */
export function updatesSent(parameters: Updates): Updates {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const update = parameters[name];
      return update === undefined ? [] : [[name, { new: update.new, ...(update.old ? { old: update.old } : {}) }]];
    }),
  );
}
