import type { UserGroupEvent } from '../../src/user-groups/domain/user-groups.events.js';
import { silent, type TellingRules } from './directory-rules.js';

export const userGroupTelling: TellingRules<UserGroupEvent> = {
  UserGroupCreated: silent,
  UserGroupRenamed: silent,
  UserGroupDescriptionChanged: silent,
  UserGroupPermissionChanged: silent,
  UserGroupDeactivated: silent,
  UserGroupReactivated: silent,
  UserGroupMembersAdded: silent,
  UserGroupMembersRemoved: silent,
  UserGroupSubgroupsAdded: silent,
  UserGroupSubgroupsRemoved: silent,
};
