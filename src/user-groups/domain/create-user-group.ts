import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import { defaultGroupSetting, type GroupSettingValue } from '../../kernel/group-setting.js';
import { type GroupFacts, usableGroupSetting } from '../../kernel/group-setting-rules.js';
import {
  type AccountFacts,
  activeGroups,
  activeUsers,
  settingFacts,
  usableDescription,
  usableName,
} from './user-group-rules.js';
import type { UserGroupCreated } from './user-groups.events.js';
import { USER_GROUP_PERMISSIONS, type UserGroupPermission, type UserGroupPermissions } from './user-groups.settings.js';
import type { UserGroupsState } from './user-groups.state.js';

/** Its creator may put anybody and any group into it, whatever its permissions will be. */
export class CreateUserGroup {
  constructor(
    readonly group: {
      readonly name: string;
      readonly description: string;
      readonly memberIds: readonly number[];
      readonly subgroupIds: readonly number[];
      /** Those that the creator has chosen. */
      readonly permissions: Partial<UserGroupPermissions>;
    },
    readonly by: CommandContext,
  ) {}
}

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
  return [
    {
      type: 'UserGroupCreated',
      data: {
        groupId,
        name: usableName(group.name, state, groupId),
        description: usableDescription(group.description),
        creatorId: by.actorId,
        memberIds: activeUsers(group.memberIds, facts),
        subgroupIds: activeGroups(group.subgroupIds, state),
        permissions: permissionsOf(group.permissions, by.actorId, settingFacts(state, facts)),
      },
    },
  ];
};

function permissionsOf(
  chosen: Partial<UserGroupPermissions>,
  creatorId: number | null,
  facts: GroupFacts,
): UserGroupPermissions {
  const chosenOrDefault = (name: UserGroupPermission): GroupSettingValue => {
    const rule = USER_GROUP_PERMISSIONS[name];
    const value = chosen[name];
    return value === undefined ? defaultGroupSetting(rule, creatorId) : usableGroupSetting(name, rule, value, facts);
  };
  return {
    can_add_members_group: chosenOrDefault('can_add_members_group'),
    can_join_group: chosenOrDefault('can_join_group'),
    can_leave_group: chosenOrDefault('can_leave_group'),
    can_manage_group: chosenOrDefault('can_manage_group'),
    can_mention_group: chosenOrDefault('can_mention_group'),
    can_remove_members_group: chosenOrDefault('can_remove_members_group'),
  };
}
