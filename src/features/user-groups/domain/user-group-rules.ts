import { isSystemGroupId } from '../../../events/shared/group-setting.js';
import type { GroupFacts } from '../../../events/shared/group-setting-rules.js';
import { MAX_GROUP_DESCRIPTION, MAX_GROUP_NAME } from '../../../events/user-groups/user-groups.settings.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { foldCase, isBlank } from '../../../platform/kernel/text.js';
import type { UserGroup, UserGroupsState } from './user-groups.state.js';

/** Reserved beginnings of names: for mentions, links and system groups. */
const RESERVED_BEGINNINGS = ['@', 'role:', 'user:', 'stream:', 'channel:'] as const;

/** Facts about accounts for decisions about groups (D4). */
export interface AccountFacts {
  /** Tells whether the account exists and is active. */
  readonly isActiveUser: (id: number) => boolean;
}

/** Finds a group made by people. System groups follow from roles and are never changed. */
export const changeableGroup = (state: UserGroupsState, groupId: number): UserGroup =>
  state.byId.get(groupId) ?? refuse('USER_GROUP_NOT_FOUND');

/** Trims and checks a name. Names are unique in any case, and deactivated groups keep theirs. @param ownId group of the name */
export function usableName(name: string, state: UserGroupsState, ownId: number): string {
  const usable = name.trim();
  if (isBlank(usable)) refuse('USER_GROUP_NAME_EMPTY');
  if ([...usable].length > MAX_GROUP_NAME) refuse('USER_GROUP_NAME_TOO_LONG', { limit: MAX_GROUP_NAME });
  if (/\p{Cc}|\p{Cn}/u.test(usable)) refuse('USER_GROUP_NAME_INVALID');
  const beginning = RESERVED_BEGINNINGS.find((reserved) => foldCase(usable).startsWith(reserved));
  if (beginning !== undefined) refuse('USER_GROUP_NAME_RESERVED', { beginning });
  const takenBy = state.idByName.get(foldCase(usable));
  if (takenBy !== undefined && takenBy !== ownId) refuse('USER_GROUP_NAME_TAKEN', { name: usable });
  return usable;
}

export function usableDescription(description: string): string {
  if ([...description].length > MAX_GROUP_DESCRIPTION)
    refuse('USER_GROUP_DESCRIPTION_TOO_LONG', { limit: MAX_GROUP_DESCRIPTION });
  return description;
}

/** Sorts ids ascending and removes repeats. */
export const distinct = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);

export function activeUsers(ids: readonly number[], { isActiveUser }: AccountFacts): number[] {
  const unknown = ids.find((id) => !isActiveUser(id));
  if (unknown !== undefined) refuse('GROUP_MEMBER_UNKNOWN', { userId: unknown });
  return distinct(ids);
}

/** Checks that groups exist. */
export function knownGroups(ids: readonly number[], state: UserGroupsState): number[] {
  const unknown = ids.find((id) => !isSystemGroupId(id) && !state.byId.has(id));
  if (unknown !== undefined) refuse('SUBGROUP_UNKNOWN', { groupId: unknown });
  return distinct(ids);
}

/** Checks that groups exist and are not deactivated. */
export function activeGroups(ids: readonly number[], state: UserGroupsState): number[] {
  const known = knownGroups(ids, state);
  if (known.some((id) => state.byId.get(id)?.status === 'deactivated')) refuse('USER_GROUP_DEACTIVATED');
  return known;
}

/** Gives facts about groups that permissions name. The groups are in the same stream, so the facts hold at the append. */
export const settingFacts = (state: UserGroupsState, { isActiveUser }: AccountFacts): GroupFacts => ({
  group: (id) => state.byId.get(id)?.status ?? 'unknown',
  isActiveUser,
});
