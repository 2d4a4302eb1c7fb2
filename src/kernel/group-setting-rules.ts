import { refuse } from './domain-error.js';
import {
  canonicalGroupSetting,
  type GroupSettingValue,
  isSameGroupSetting,
  isSystemGroupId,
  type PermissionSetting,
  SYSTEM_GROUP_IDS,
  type SystemGroupName,
} from './group-setting.js';

/** What a decision about a permission setting has to know of others (D4). */
export interface GroupFacts {
  /** Of a group that people have made. */
  readonly group: (id: number) => 'active' | 'deactivated' | 'unknown';
  /** Whether there is such an active account. */
  readonly isActiveUser: (id: number) => boolean;
}

/** A new value of a setting, and what the client believes it to be now; `old` absent or null: it does not say. */
export interface GroupSettingUpdate {
  readonly new: GroupSettingValue;
  readonly old?: GroupSettingValue | null;
}

/**
 * The value in canonical form, if the setting may be set to it. Refuses with SETTING_GROUP_UNKNOWN,
 * SETTING_GROUP_DEACTIVATED, SETTING_USER_UNKNOWN, SETTING_NEEDS_SYSTEM_GROUP, SETTING_GROUP_NOT_ALLOWED.
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

/**
 * What the update comes to; null where nothing changes. It is held against what clients are told, which is `now` without
 * the users whose accounts have ended. Refuses with EXPECTATION_MISMATCH, and as usableGroupSetting does.
 */
export function changedGroupSetting(
  name: string,
  rule: PermissionSetting,
  now: GroupSettingValue,
  update: GroupSettingUpdate,
  facts: GroupFacts,
): GroupSettingValue | null {
  const told = canonicalGroupSetting(withoutEnded(now, facts));
  const believed = update.old ?? null;
  if (believed !== null && !isSameGroupSetting(canonicalGroupSetting(believed), told)) refuse('EXPECTATION_MISMATCH');
  const value = usableGroupSetting(name, rule, update.new, facts);
  return isSameGroupSetting(value, told) ? null : value;
}

const withoutEnded = (value: GroupSettingValue, { isActiveUser }: GroupFacts): GroupSettingValue =>
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
  const isAllowed =
    (rule.allowInternet || group !== 'role:internet') &&
    (rule.allowEveryone || group !== 'role:everyone') &&
    (rule.allowNobody || group !== 'role:nobody') &&
    (rule.allowedSystemGroups?.includes(group) ?? true);
  if (!isAllowed) refuse('SETTING_GROUP_NOT_ALLOWED', { setting: name, group });
}

function systemGroupName(groupId: number): SystemGroupName {
  for (const [name, id] of Object.entries(SYSTEM_GROUP_IDS)) if (id === groupId) return name as SystemGroupName;
  throw new Error(`${groupId} is no system group`);
}
