import { isRecord } from '../../platform/kernel/json.js';
import { checkedBy, type ValueType } from '../../platform/kernel/value-type.js';
import { eachOf } from './settings.js';

/** A permission's value that lists users and groups instead of naming one group. */
export interface AnonymousGroup {
  /** User ids, ascending. */
  readonly direct_members: readonly number[];
  /** Group ids, ascending. */
  readonly direct_subgroups: readonly number[];
}

/** The holders of a permission: a group's id, or an anonymous group. Stored, compared and sent in this form. */
export type GroupSettingValue = number | AnonymousGroup;

/** Sorts ids ascending and removes repeats. */
export const distinct = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);

/** One form for each meaning: ids ascending and without repeats; one group without users is that group's id. */
export function canonicalGroupSetting(value: GroupSettingValue): GroupSettingValue {
  if (typeof value === 'number') return value;
  const direct_members = distinct(value.direct_members);
  const direct_subgroups = distinct(value.direct_subgroups);
  const [only] = direct_subgroups;
  if (direct_members.length === 0 && direct_subgroups.length === 1 && only !== undefined) return only;
  return { direct_members, direct_subgroups };
}

/** @param a in canonical form @param b in canonical form */
export function isSameGroupSetting(a: GroupSettingValue, b: GroupSettingValue): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b;
  return isSameList(a.direct_members, b.direct_members) && isSameList(a.direct_subgroups, b.direct_subgroups);
}

const isSameList = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((id, index) => id === b[index]);

/** Ids of the groups that the value names. */
export const groupsOf = (value: GroupSettingValue): readonly number[] =>
  typeof value === 'number' ? [value] : value.direct_subgroups;

/** The groups that a permission may be given to (`server_supported_permission_settings`). */
export interface PermissionRules {
  /** The value must be a system group. */
  readonly requireSystemGroup: boolean;
  readonly allowNobody: boolean;
  /** Guests may have the permission too. */
  readonly allowEveryone: boolean;
  readonly allowInternet: boolean;
  /** The only system groups allowed; null: any that the other rules allow. */
  readonly allowedSystemGroups: readonly SystemGroupName[] | null;
}

/** A row of a table of permissions. */
export interface PermissionSetting extends PermissionRules {
  readonly type: ValueType<GroupSettingValue>;
  /** The value until one is chosen. */
  readonly default: PermissionDefault;
}

/** The most ids that one setting may name. */
const MAX_IDS = 20_000;

const isId = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;
const isIds = (value: unknown): boolean => Array.isArray(value) && value.length <= MAX_IDS && value.every(isId);

const isGroupSetting = (value: unknown): boolean =>
  isId(value) || (isRecord(value) && isIds(value.direct_members) && isIds(value.direct_subgroups));

/** `7`, or `{"direct_members": [1], "direct_subgroups": [7]}`. */
const groupSetting = checkedBy<GroupSettingValue>(
  { name: 'isGroupSettingValue', test: isGroupSetting, complaint: 'a group setting' },
  { form: 'json' },
);

/** A new value, and the current value as the client knows it; `old` absent or null: not checked. */
export interface GroupSettingUpdate {
  readonly new: GroupSettingValue;
  readonly old?: GroupSettingValue | null;
}

const isGroupSettingUpdate = (value: unknown): boolean =>
  isRecord(value) &&
  isGroupSetting(value.new) &&
  (value.old === undefined || value.old === null || isGroupSetting(value.old));

/** `{"new": …, "old"?: …}`. */
const groupSettingUpdate = checkedBy<GroupSettingUpdate>(
  { name: 'isGroupSettingUpdate', test: isGroupSettingUpdate, complaint: 'a group setting with its new value' },
  { form: 'json' },
);

/** The types of the parameters that change a table's permissions. */
export const updatesOf = <Name extends string>(table: Readonly<Record<Name, PermissionSetting>>) =>
  eachOf(table, () => ({ type: groupSettingUpdate }));

/** `creator`: the user who creates the channel or the group; nobody if the server itself does. */
export type PermissionDefault = SystemGroupName | 'creator';

/** The groups that follow from roles. Their ids are the same in every organization; ids of other groups come after. */
export const SYSTEM_GROUP_IDS = {
  'role:internet': 1,
  'role:everyone': 2,
  'role:members': 3,
  'role:fullmembers': 4,
  'role:moderators': 5,
  'role:administrators': 6,
  'role:owners': 7,
  'role:nobody': 8,
} as const;

export type SystemGroupName = keyof typeof SYSTEM_GROUP_IDS;

/** What people read in place of the names, which are for programs. */
export const SYSTEM_GROUP_TITLES: Readonly<Record<SystemGroupName, string>> = {
  'role:internet': 'Everyone on the internet',
  'role:everyone': 'Everyone',
  'role:members': 'Members',
  'role:fullmembers': 'Full members',
  'role:moderators': 'Moderators',
  'role:administrators': 'Administrators',
  'role:owners': 'Owners',
  'role:nobody': 'Nobody',
};

export const isSystemGroupName = (name: string): name is SystemGroupName => Object.hasOwn(SYSTEM_GROUP_IDS, name);

export const LAST_SYSTEM_GROUP_ID = 8;

export const isSystemGroupId = (id: number): boolean => id >= 1 && id <= LAST_SYSTEM_GROUP_ID;

const NOBODY_AT_ALL: AnonymousGroup = { direct_members: [], direct_subgroups: [] };

/** @param creatorId null if the server itself is the creator */
export function defaultGroupSetting(setting: PermissionSetting, creatorId: number | null = null): GroupSettingValue {
  if (setting.default !== 'creator') return SYSTEM_GROUP_IDS[setting.default];
  return creatorId === null ? NOBODY_AT_ALL : { direct_members: [creatorId], direct_subgroups: [] };
}

export const allowsSystemGroup = (
  { allowInternet, allowEveryone, allowNobody, allowedSystemGroups }: PermissionRules,
  group: SystemGroupName,
): boolean =>
  (allowInternet || group !== 'role:internet') &&
  (allowEveryone || group !== 'role:everyone') &&
  (allowNobody || group !== 'role:nobody') &&
  (allowedSystemGroups?.includes(group) ?? true);

/**
 * A row of a table of permissions. Rules left out have their most usual value.
 * @throws TypeError if the permission does not allow its own default
 */
export function permissionSetting(
  defaultsTo: PermissionDefault,
  more: Partial<PermissionRules> = {},
): PermissionSetting {
  const setting: PermissionSetting = {
    type: groupSetting,
    default: defaultsTo,
    requireSystemGroup: false,
    allowNobody: true,
    allowEveryone: false,
    allowInternet: false,
    allowedSystemGroups: null,
    ...more,
  };
  const isAllowed = defaultsTo === 'creator' ? !setting.requireSystemGroup : allowsSystemGroup(setting, defaultsTo);
  if (!isAllowed) throw new TypeError(`a permission does not allow its own default, ${defaultsTo}`);
  return setting;
}

/** The numbers by which older clients know the holders of a permission, the widest group first. */
export type OlderPolicies = Readonly<Partial<Record<SystemGroupName, number>>>;

/** The group's number; the widest group's for a value without one, which may hold anybody. */
export function olderPolicyOf(value: GroupSettingValue, policies: OlderPolicies): number {
  for (const [group, policy] of Object.entries(policies))
    if (SYSTEM_GROUP_IDS[group as SystemGroupName] === value) return policy;
  const [widest = 1] = Object.values(policies);
  return widest;
}
