/** Who has a permission: a group by its id, or people and groups. */
export type Holders =
  | number
  | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] };

/** Whom a permission can be given to. */
export interface PermissionRule {
  readonly require_system_group: boolean;
  readonly allow_internet_group: boolean;
  readonly allow_nobody_group: boolean;
  readonly allow_everyone_group: boolean;
  /** Empty: all that the rest allows. */
  readonly allowed_system_groups: readonly string[];
}

/** By the name of the permission. */
export type PermissionRules = Readonly<Record<string, PermissionRule>>;

export const isHolders = (value: unknown): value is Holders =>
  typeof value === 'number' || (typeof value === 'object' && value !== null && 'direct_members' in value);

/** What a group's people follow from. */
interface Membership {
  readonly id: number;
  readonly members: readonly number[];
  readonly direct_subgroup_ids: readonly number[];
}

/** Groups of people who were named one by one are not told of by their ids: then this says yes, and the server decides. */
export function isHolder(userId: number, holders: Holders, groups: readonly Membership[]): boolean {
  const isIn = (id: number): boolean => {
    const group = groups.find((one) => one.id === id);
    return !group || group.members.includes(userId) || group.direct_subgroup_ids.some(isIn);
  };
  if (typeof holders === 'number') return isIn(holders);
  return holders.direct_members.includes(userId) || holders.direct_subgroups.some(isIn);
}
