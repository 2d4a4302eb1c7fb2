import type { GroupSettingValue } from '../kernel/group-setting.js';
import type { Directory } from './directory.js';

/** A permission as clients are told of it: without the users whose accounts have ended (api-coverage §1.1). */
export function toldSetting(value: GroupSettingValue, directory: Directory): GroupSettingValue {
  if (typeof value === 'number' || value.direct_members.every((id) => directory.user(id)?.isActive)) return value;
  return { ...value, direct_members: value.direct_members.filter((id) => directory.user(id)?.isActive) };
}

export function toldSettings<Name extends string>(
  values: Readonly<Record<Name, GroupSettingValue>>,
  directory: Directory,
): Record<Name, GroupSettingValue> {
  const told = Object.entries<GroupSettingValue>(values).map(([name, value]) => [name, toldSetting(value, directory)]);
  return Object.fromEntries(told) as Record<Name, GroupSettingValue>;
}
