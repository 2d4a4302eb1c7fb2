/** Users and groups that have no name of their own, where a permission asks for a group (api-coverage §1.1). */
export interface AnonymousGroup {
  /** User ids, ascending. */
  readonly direct_members: readonly number[];
  /** Group ids, ascending. */
  readonly direct_subgroups: readonly number[];
}

/** Whom a permission is given: the id of a group, or an anonymous group. Stored, compared and told in this one form. */
export type GroupSettingValue = number | AnonymousGroup;

const ascending = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);

/** One form for each meaning: ids ascending and once each; exactly one group and nobody else is that group's id. */
export function canonicalGroupSetting(value: GroupSettingValue): GroupSettingValue {
  if (typeof value === 'number') return value;
  const direct_members = ascending(value.direct_members);
  const direct_subgroups = ascending(value.direct_subgroups);
  const [only] = direct_subgroups;
  if (direct_members.length === 0 && direct_subgroups.length === 1 && only !== undefined) return only;
  return { direct_members, direct_subgroups };
}

/** Both in canonical form. */
export function isSameGroupSetting(a: GroupSettingValue, b: GroupSettingValue): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b;
  return isSameList(a.direct_members, b.direct_members) && isSameList(a.direct_subgroups, b.direct_subgroups);
}

const isSameList = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((id, index) => id === b[index]);

/** Groups that a setting names. */
export const groupsOf = (value: GroupSettingValue): readonly number[] =>
  typeof value === 'number' ? [value] : value.direct_subgroups;

/** What a permission setting may be set to, and what it is until somebody sets it (`server_supported_permission_settings`). */
export interface PermissionSetting {
  readonly default: PermissionDefault;
  /** Only a system group, never a group that people have made. */
  readonly requireSystemGroup: boolean;
  readonly allowNobody: boolean;
  /** Guests too. */
  readonly allowEveryone: boolean;
  readonly allowInternet: boolean;
  /** The only groups to choose from; null: any that the other rules allow. */
  readonly allowedSystemGroups: readonly SystemGroupName[] | null;
}

/** `creator`: whoever makes the channel or the group; nobody where that was no user. */
export type PermissionDefault = SystemGroupName | 'creator';

/** The groups that follow from roles. Their ids are the same in every organisation; groups that people make come after. */
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

export const LAST_SYSTEM_GROUP_ID = 8;

export const isSystemGroupId = (id: number): boolean => id >= 1 && id <= LAST_SYSTEM_GROUP_ID;

const NOBODY_AT_ALL: AnonymousGroup = { direct_members: [], direct_subgroups: [] };

/** @param creatorId null where the server itself was the creator */
export function defaultGroupSetting(setting: PermissionSetting, creatorId: number | null = null): GroupSettingValue {
  if (setting.default !== 'creator') return SYSTEM_GROUP_IDS[setting.default];
  return creatorId === null ? NOBODY_AT_ALL : { direct_members: [creatorId], direct_subgroups: [] };
}

/** A row of a table of permission settings; what is not said is the most usual. */
export const permissionSetting = (
  defaultsTo: PermissionDefault,
  more: Partial<Omit<PermissionSetting, 'default'>> = {},
): PermissionSetting => ({
  default: defaultsTo,
  requireSystemGroup: false,
  allowNobody: true,
  allowEveryone: false,
  allowInternet: false,
  allowedSystemGroups: null,
  ...more,
});
