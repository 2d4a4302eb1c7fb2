import {
  defaultGroupSetting,
  type GroupSettingValue,
  type PermissionSetting,
} from '../../src/events/shared/group-setting.js';

/** Gives every permission of a table its default, as for a channel or a group that the server itself makes. */
export const defaultPermissions = <Name extends string>(table: Readonly<Record<Name, PermissionSetting>>) =>
  Object.fromEntries(
    Object.entries<PermissionSetting>(table).map(([name, setting]) => [name, defaultGroupSetting(setting)]),
  ) as Record<Name, GroupSettingValue>;
