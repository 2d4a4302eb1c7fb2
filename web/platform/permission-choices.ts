import type { Group } from './all-groups.js';
import type { Holders, PermissionRule } from './rights.js';
import type { People } from './state/directory.js';

/** Groups that follow from roles, the widest first. */
const TITLES = new Map([
  ['role:internet', 'Everybody on the internet'],
  ['role:everyone', 'Everybody'],
  ['role:members', 'Everybody but guests'],
  ['role:fullmembers', 'Full members'],
  ['role:moderators', 'Moderators'],
  ['role:administrators', 'Administrators'],
  ['role:owners', 'Owners'],
  ['role:nobody', 'Nobody'],
]);

const ORDER = [...TITLES.keys()];

/** The groups that can be chosen: those of roles first. */
export const choosable = (rule: PermissionRule, groups: readonly Group[]): readonly Group[] => [
  ...groups.filter((group) => isOfRole(group) && allows(rule, group)).sort((one, other) => rank(one) - rank(other)),
  ...groups.filter((group) => !isOfRole(group) && !group.deactivated && !rule.require_system_group),
];

const isOfRole = ({ is_system_group: isOf }: Group): boolean => isOf;

const rank = ({ name }: Group): number => ORDER.indexOf(name);

const allows = (rule: PermissionRule, { name }: Group): boolean =>
  (rule.allow_internet_group || name !== 'role:internet') &&
  (rule.allow_everyone_group || name !== 'role:everyone') &&
  (rule.allow_nobody_group || name !== 'role:nobody') &&
  (rule.allowed_system_groups.length === 0 || rule.allowed_system_groups.includes(name));

export const titleOf = ({ name }: Group): string => TITLES.get(name) ?? name;

/** Names those who have it. */
export function holdersInWords(holders: Holders, groups: readonly Group[], people: People): string {
  if (typeof holders === 'number') return groupInWords(holders, groups);
  const named = [
    ...holders.direct_subgroups.map((id) => groupInWords(id, groups)),
    ...holders.direct_members.map((id) => people.get(id)?.full_name ?? `account ${id}`),
  ];
  return named.length === 0 ? 'Nobody' : named.join(', ');
}

function groupInWords(id: number, groups: readonly Group[]): string {
  const group = groups.find((one) => one.id === id);
  return group ? titleOf(group) : `group ${id}`;
}
