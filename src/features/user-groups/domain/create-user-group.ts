import { initialPermissions } from '../../../events/shared/group-setting-rules.js';
import type { UserGroupCreated } from '../../../events/user-groups/user-groups.events.js';
import { USER_GROUP_PERMISSIONS, type UserGroupPermissions } from '../../../events/user-groups/user-groups.settings.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import {
  type AccountFacts,
  activeGroups,
  activeUsers,
  settingFacts,
  usableDescription,
  usableName,
} from './user-group-rules.js';
import type { UserGroupsState } from './user-groups.state.js';

/** Creates a group. The creator may add all users and groups: the new group's permissions do not apply yet. */
export class CreateUserGroup extends Command<
  {
    group: {
      readonly name: string;
      readonly description: string;
      readonly memberIds: readonly number[];
      readonly subgroupIds: readonly number[];
      /** The permissions that the creator chose. */
      readonly permissions: Partial<UserGroupPermissions>;
    };
  },
  number
> {}

export interface CreateUserGroupFacts extends AccountFacts {
  readonly mayCreate: boolean;
}

export const decideCreateUserGroup: Decide<CreateUserGroup, UserGroupsState, UserGroupCreated, CreateUserGroupFacts> = (
  { group, by },
  state,
  facts,
) => {
  if (!facts.mayCreate) refuse('NOT_AUTHORIZED');
  const groupId = state.lastId + 1;
  const name = usableName(group.name, state, groupId);
  const description = usableDescription(group.description);
  const memberIds = activeUsers(group.memberIds, facts);
  const subgroupIds = activeGroups(group.subgroupIds, state);
  return [
    {
      type: 'UserGroupCreated',
      data: {
        groupId,
        name,
        description,
        creatorId: by.actorId,
        memberIds,
        subgroupIds,
        permissions: initialPermissions(
          USER_GROUP_PERMISSIONS,
          group.permissions,
          by.actorId,
          settingFacts(state, facts),
        ),
      },
    },
  ];
};
