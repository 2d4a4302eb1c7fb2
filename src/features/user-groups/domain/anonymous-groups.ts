import { USER_GROUP_PERMISSIONS, type UserGroupPermission } from '../../../events/user-groups/user-groups.settings.js';

/** Above the ids of all groups that people make, and below 2^31, which some clients cannot count beyond. */
const FIRST_ID = 2 ** 30;

/** Ids kept for one group, so that more permissions can come. */
const IDS_A_GROUP = 16;

const PERMISSIONS = Object.keys(USER_GROUP_PERMISSIONS) as UserGroupPermission[];

/** The holders of one permission on a group, where these are no group of their own. */
export interface AnonymousGroupName {
  readonly groupId: number;
  readonly permission: UserGroupPermission;
}

/** Gives the id under which `GET /user_groups` knows the anonymous group. */
export const anonymousGroupId = ({ groupId, permission }: AnonymousGroupName): number =>
  FIRST_ID + groupId * IDS_A_GROUP + PERMISSIONS.indexOf(permission);

/** Gives null for an id that no anonymous group can have. */
export function anonymousGroupName(id: number): AnonymousGroupName | null {
  const permission = PERMISSIONS[(id - FIRST_ID) % IDS_A_GROUP];
  if (id < FIRST_ID || permission === undefined) return null;
  return { groupId: Math.floor((id - FIRST_ID) / IDS_A_GROUP), permission };
}
