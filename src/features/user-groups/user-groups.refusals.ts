import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';

/** Refusals of changes to user groups. */
export const userGroupRefusals = {
  USER_GROUP_NOT_FOUND: badRequest('Invalid user group'),
  USER_GROUP_DEACTIVATED: badRequest('User group is deactivated.'),
  USER_GROUP_NAME_EMPTY: badRequest("User group name can't be empty!"),
  USER_GROUP_NAME_TOO_LONG: badRequest('User group name cannot exceed {limit} characters.'),
  USER_GROUP_NAME_INVALID: badRequest('User group name has characters that are not allowed'),
  USER_GROUP_NAME_RESERVED: badRequest("User group name cannot start with '{beginning}'."),
  USER_GROUP_NAME_TAKEN: badRequest("User group '{name}' already exists."),
  USER_GROUP_DESCRIPTION_TOO_LONG: badRequest('User group description is too long (limit: {limit} characters)'),
  NO_GROUP_CHANGES: badRequest('No new data supplied'),
  NO_SUBGROUPS_GIVEN: badRequest('Nothing to do. Specify at least one of "add" or "delete".'),
  NO_MEMBERS_GIVEN: badRequest(
    'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".',
  ),
  GROUP_MEMBER_UNKNOWN: badRequest('Invalid user ID: {userId}'),
  ALREADY_GROUP_MEMBER: badRequest('User {userId} is already a member of this group'),
  NOT_A_GROUP_MEMBER: badRequest("There is no member '{userId}' in this user group"),
  SUBGROUP_UNKNOWN: badRequest('Invalid user group ID: {groupId}'),
  ALREADY_SUBGROUP: badRequest('User group {groupId} is already a subgroup of this group.'),
  NOT_A_SUBGROUP: badRequest('User group {groupId} is not a subgroup of this group.'),
  SUBGROUP_CYCLE: badRequest('User group {groupId} is already a subgroup of one of the passed subgroups.'),
  CANNOT_DEACTIVATE_GROUP_IN_USE: {
    status: 400,
    code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
    message: 'Cannot deactivate user group in use.',
    keys: ['objections'],
  },
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof userGroupRefusals> {}
}
