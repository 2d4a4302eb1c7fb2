import { refuse } from '../../platform/kernel/deciding.js';
import {
  allowsSystemGroup,
  canonicalGroupSetting,
  defaultGroupSetting,
  type GroupSettingUpdate,
  type GroupSettingValue,
  isSameGroupSetting,
  isSystemGroupId,
  type PermissionSetting,
  SYSTEM_GROUP_IDS,
  type SystemGroupName,
} from './group-setting.js';
import { eachOf } from './settings.js';

/** The facts of other streams that a decision about a permission setting needs (D4). */
export interface GroupFacts {
  /** The status of a group that people have made. */
  readonly group: (id: number) => 'active' | 'deactivated' | 'unknown';
  /** Whether the account exists and is active. */
  readonly isActiveUser: (id: number) => boolean;
}

/**
 * The value in canonical form. Refuses a value that the setting may not have, with SETTING_GROUP_UNKNOWN,
 * SETTING_GROUP_DEACTIVATED, SETTING_USER_UNKNOWN, SETTING_NEEDS_SYSTEM_GROUP or SETTING_GROUP_NOT_ALLOWED.
 */
export function usableGroupSetting(
  name: string,
  rule: PermissionSetting,
  value: GroupSettingValue,
  facts: GroupFacts,
): GroupSettingValue {
  const canonical = canonicalGroupSetting(value);
  if (typeof canonical !== 'number') {
    if (rule.requireSystemGroup) refuse('SETTING_NEEDS_SYSTEM_GROUP', { setting: name });
    const unknown = canonical.direct_members.find((userId) => !facts.isActiveUser(userId));
    if (unknown !== undefined) refuse('SETTING_USER_UNKNOWN', { userId: unknown });
    for (const groupId of canonical.direct_subgroups) requireUsableGroup(name, rule, groupId, facts);
    return canonical;
  }
  requireUsableGroup(name, rule, canonical, facts);
  return canonical;
}

/** All permissions of a new channel or group: chosen ones, else defaults. Refuses as usableGroupSetting does. */
export const initialPermissions = <Name extends string>(
  table: Readonly<Record<Name, PermissionSetting>>,
  chosen: Readonly<Partial<Record<Name, GroupSettingValue>>>,
  creatorId: number | null,
  facts: GroupFacts,
): Readonly<Record<Name, GroupSettingValue>> =>
  eachOf(table, (name) => {
    const value = chosen[name];
    return value === undefined
      ? defaultGroupSetting(table[name], creatorId)
      : usableGroupSetting(name, table[name], value, facts);
  });

/**
 * The new value of an update; null if nothing changes. The update is compared with the value that clients see: `now`
 * without deactivated users. Refuses with EXPECTATION_MISMATCH, and as usableGroupSetting does.
 * @param ownId an id by which clients may name the value that the setting has now
 */
export function changedGroupSetting(
  name: string,
  rule: PermissionSetting,
  now: GroupSettingValue,
  update: GroupSettingUpdate,
  facts: GroupFacts,
  ownId?: number,
): GroupSettingValue | null {
  const seen = canonicalGroupSetting(withoutDeactivated(now, facts));
  const isSeen = (value: GroupSettingValue): boolean =>
    isSameGroupSetting(canonicalGroupSetting(value), seen) || (value === ownId && typeof seen !== 'number');
  const expected = update.old ?? null;
  if (expected !== null && !isSeen(expected)) refuse('EXPECTATION_MISMATCH');
  if (update.new === ownId && isSeen(update.new)) return null;
  const value = usableGroupSetting(name, rule, update.new, facts);
  return isSameGroupSetting(value, seen) ? null : value;
}

const withoutDeactivated = (value: GroupSettingValue, { isActiveUser }: GroupFacts): GroupSettingValue =>
  typeof value === 'number' ? value : { ...value, direct_members: value.direct_members.filter(isActiveUser) };

function requireUsableGroup(name: string, rule: PermissionSetting, groupId: number, facts: GroupFacts): void {
  if (!isSystemGroupId(groupId)) {
    const status = facts.group(groupId);
    if (status === 'unknown') refuse('SETTING_GROUP_UNKNOWN', { groupId });
    if (status === 'deactivated') refuse('SETTING_GROUP_DEACTIVATED', { groupId });
    if (rule.requireSystemGroup) refuse('SETTING_NEEDS_SYSTEM_GROUP', { setting: name });
    return;
  }
  const group = systemGroupName(groupId);
  if (!allowsSystemGroup(rule, group)) refuse('SETTING_GROUP_NOT_ALLOWED', { setting: name, group });
}

function systemGroupName(groupId: number): SystemGroupName {
  for (const [name, id] of Object.entries(SYSTEM_GROUP_IDS)) if (id === groupId) return name as SystemGroupName;
  throw new Error(`${groupId} is no system group`);
}
