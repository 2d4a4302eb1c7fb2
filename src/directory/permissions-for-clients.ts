import type { GroupSettingValue } from '../events/shared/group-setting.js';
import type { Directory } from './directory.js';

/** Leaves out the users whose accounts are deactivated: clients see a permission without them. */
function permissionForClients(value: GroupSettingValue, directory: Directory): GroupSettingValue {
  if (typeof value === 'number' || value.direct_members.every((id) => directory.user(id)?.isActive)) return value;
  return { ...value, direct_members: value.direct_members.filter((id) => directory.user(id)?.isActive) };
}

export function permissionsForClients<Name extends string>(
  values: Readonly<Record<Name, GroupSettingValue>>,
  directory: Directory,
): Record<Name, GroupSettingValue> {
  const shown = Object.entries<GroupSettingValue>(values).map(([name, value]) => [
    name,
    permissionForClients(value, directory),
  ]);
  return Object.fromEntries(shown) as Record<Name, GroupSettingValue>;
}
