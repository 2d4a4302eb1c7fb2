import { namesOf } from '../../../events/shared/settings.js';
import type { UserGroupPermission } from '../../../events/user-groups/user-groups.settings.js';
import type { Description, Descriptions } from '../../../platform/http/openapi/described-api.js';

const GROUP_ID = 'The id of the group';

/** By the names of the permissions, what their holders may do. */
const PERMISSIONS: Readonly<Record<UserGroupPermission, string>> = {
  can_add_members_group: 'Who may add members and subgroups',
  can_join_group: 'Who may add themselves',
  can_leave_group: 'Who may remove themselves',
  can_manage_group: 'Who may change and deactivate the group, besides those in `can_manage_all_groups`',
  can_mention_group: 'Who may mention the group',
  can_remove_members_group: 'Who may remove members and subgroups',
};

const DEFAULTS: Readonly<Record<UserGroupPermission, string>> = {
  can_add_members_group: 'its creator',
  can_join_group: 'nobody',
  can_leave_group: 'everyone',
  can_manage_group: 'its creator',
  can_mention_group: 'everyone',
  can_remove_members_group: 'nobody',
};

const withDefaults = (): Readonly<Record<string, string>> =>
  Object.fromEntries(namesOf(PERMISSIONS).map((name) => [name, `${PERMISSIONS[name]}. Default: ${DEFAULTS[name]}`]));

const LIST: Description = {
  summary: 'List the user groups, those of roles too.',
  text: 'For all but guests.',
  parameters: { include_deactivated_groups: 'Whether deactivated groups are listed, too. Default false' },
};

const CREATE: Description = {
  summary: 'Create a user group.',
  text: 'For those in `can_create_groups` who are no guests. A permission is the id of a group, or an object with `direct_members`, ids of accounts, and `direct_subgroups`, ids of groups.',
  parameters: {
    name: 'The name: 1 to 100 characters, which no other group has in any case, not a deactivated one either. It does not begin with `@`, `role:`, `user:`, `stream:` or `channel:`',
    description: 'What the group is, at most 1,024 characters',
    members: 'The ids of its members: active accounts',
    subgroups: 'The ids of groups whose members are members of this group, too. Default: none',
    ...withDefaults(),
  },
};

const UPDATE: Description = {
  summary: 'Change the name, description or permissions of a user group, or reactivate it.',
  text: 'For those who may manage the group. A deactivated group can be changed, too. Groups of roles cannot. A permission is an object with `new`, which has the form of a new group, and, to be refused if the value is another one meanwhile, `old`.',
  parameters: {
    user_group_id: GROUP_ID,
    name: 'The new name, under the rules of a new group',
    description: 'The new description, at most 1,024 characters',
    deactivated: 'false reactivates the group; true changes nothing',
    ...PERMISSIONS,
  },
};

const DEACTIVATE: Description = {
  summary: 'Deactivate a user group.',
  text: 'For those who may manage the group. Refused while another group, a channel or the organization uses it: `objections` names the uses.',
  parameters: { user_group_id: GROUP_ID },
};

const REMOVE: Description = {
  ...DEACTIVATE,
  id: 'remove-user-group',
  tag: 'users',
  summary: 'Deactivate a user group, for older clients.',
  answer: {},
};

const DIRECTLY = 'Whether members of subgroups are left out. Default false';

const MEMBERS: Description = {
  summary: 'List the ids of the members of a user group.',
  text: 'For all but guests.',
  parameters: { user_group_id: GROUP_ID, direct_member_only: DIRECTLY },
};

const IS_MEMBER: Description = {
  summary: 'Tell whether an account is a member of a user group.',
  text: 'For all but guests.',
  parameters: { user_group_id: GROUP_ID, direct_member_only: DIRECTLY },
};

const UPDATE_MEMBERS: Description = {
  summary: 'Add members and subgroups to a user group, and remove them.',
  text: 'For those who may add or remove members of the group, or join or leave it themselves. Adds before it removes, and makes all changes or none. Refused if somebody to be added is a member already, or somebody to be removed is not.',
  parameters: {
    user_group_id: GROUP_ID,
    add: 'Ids of active accounts that become members',
    delete: 'Ids of active accounts that are members no longer',
    add_subgroups: 'Ids of active groups that become subgroups. No group is among its own subgroups',
    delete_subgroups: 'Ids of groups that are subgroups no longer',
  },
};

const SUBGROUPS: Description = {
  summary: 'List the ids of the subgroups of a user group.',
  text: 'For all but guests.',
  parameters: {
    user_group_id: GROUP_ID,
    direct_subgroup_only: 'Whether subgroups of subgroups are left out. Default false',
  },
};

const UPDATE_SUBGROUPS: Description = {
  summary: 'Add subgroups to a user group, and remove them.',
  text: 'For those who may add or remove members of the group. Adds before it removes, and makes all changes or none.',
  parameters: {
    user_group_id: GROUP_ID,
    add: 'Ids of active groups that become subgroups. No group is among its own subgroups',
    delete: 'Ids of groups that are subgroups no longer',
  },
};

export const descriptions: Descriptions = {
  'GET /user_groups': LIST,
  'POST /user_groups/create': CREATE,
  'PATCH /user_groups/{user_group_id}': UPDATE,
  'DELETE /user_groups/{user_group_id}': REMOVE,
  'POST /user_groups/{user_group_id}/deactivate': DEACTIVATE,
  'GET /user_groups/{user_group_id}/members': MEMBERS,
  'POST /user_groups/{user_group_id}/members': UPDATE_MEMBERS,
  'GET /user_groups/{user_group_id}/members/{user_id}': IS_MEMBER,
  'GET /user_groups/{user_group_id}/subgroups': SUBGROUPS,
  'POST /user_groups/{user_group_id}/subgroups': UPDATE_SUBGROUPS,
};
