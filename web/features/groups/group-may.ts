import type { Group, GroupRight } from '../../platform/all-groups.js';
import { isGiven, isGivenEverywhere } from '../../platform/given.js';

/** What to offer of a group to who is signed in, as `permissions.ts` of the server decides. */

const has = (group: Group, right: GroupRight): boolean => isGiven('group', right, group);

export const mayManage = (group: Group): boolean =>
  isGivenEverywhere('can_manage_all_groups') || has(group, 'can_manage_group');

export const mayAdd = (group: Group): boolean => has(group, 'can_add_members_group') || mayManage(group);

export const mayRemove = (group: Group): boolean => has(group, 'can_remove_members_group') || mayManage(group);

export const mayJoin = (group: Group): boolean => has(group, 'can_join_group') || mayAdd(group);

export const mayLeave = (group: Group): boolean => has(group, 'can_leave_group') || mayRemove(group);
