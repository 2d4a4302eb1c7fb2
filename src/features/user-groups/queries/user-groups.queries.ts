import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { requireMember } from '../../../directory/permissions.js';
import { type GroupSettingValue, isSystemGroupId } from '../../../events/shared/group-setting.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { Query } from '../../../platform/kernel/query.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import {
  ReadsState,
  type RegisterContext,
  type StateParts,
  type StateReader,
} from '../../event-queues/state-reader.js';
import { anonymousGroupName } from '../domain/user-groups.state.js';
import {
  isDirectMember,
  memberIds,
  subgroupIds,
  type UserGroupForClients,
  userGroupsForClients,
  withGroupIds,
} from './groups-for-clients.js';

/**
 * Finds a group by its id: the id itself, or the value of a permission. Refuses readers without access to groups, and
 * groups that do not exist. System and deactivated groups are readable.
 */
function readableGroup(reader: UserRecord, groupId: number, directory: Directory): GroupSettingValue {
  requireMember(reader);
  if (isSystemGroupId(groupId) || directory.groups.group(groupId)) return groupId;
  const name = anonymousGroupName(groupId);
  const value = name && directory.groups.group(name.groupId)?.permissions[name.permission];
  return value && typeof value !== 'number' ? value : refuse('USER_GROUP_NOT_FOUND');
}

export class GetUserGroups extends Query<
  {
    reader: UserRecord;
    includeDeactivated: boolean;
  },
  readonly UserGroupForClients[]
> {}

/** Lists ids of a group's members: only direct members, or also members through subgroups. */
export class GetGroupMembers extends Query<
  {
    reader: UserRecord;
    groupId: number;
    directly: boolean;
  },
  readonly number[]
> {}

/** Lists ids of a group's subgroups: only direct subgroups, or all. */
export class GetSubgroups extends Query<
  {
    reader: UserRecord;
    groupId: number;
    directly: boolean;
  },
  readonly number[]
> {}

export class IsGroupMember extends Query<
  {
    reader: UserRecord;
    groupId: number;
    userId: number;
    directly: boolean;
  },
  boolean
> {}

export const userGroupQueries = [
  answersFrom(GetUserGroups, Directory, ({ reader, includeDeactivated }, directory) => {
    requireMember(reader);
    return userGroupsForClients(directory, includeDeactivated).map(withGroupIds);
  }),
  answersFrom(GetGroupMembers, Directory, ({ reader, groupId, directly }, directory) => {
    return memberIds(readableGroup(reader, groupId, directory), directly, directory);
  }),
  answersFrom(GetSubgroups, Directory, ({ reader, groupId, directly }, directory) => {
    return subgroupIds(readableGroup(reader, groupId, directory), directly, directory);
  }),
  answersFrom(IsGroupMember, Directory, ({ reader, groupId, userId, directly }, directory) => {
    const group = readableGroup(reader, groupId, directory);
    const user = directory.existingUser(userId);
    return directly ? isDirectMember(user, group, directory) : directory.isInGroup(user, group);
  }),
];

@ReadsState()
export class UserGroupStateReader implements StateReader {
  constructor(private readonly directory: Directory) {}

  parts({ request: { clientCapabilities } }: RegisterContext): StateParts {
    const withDeactivated = clientCapabilities.include_deactivated_groups ?? false;
    return {
      organization: {
        realm_user_groups: () => ({ realm_user_groups: userGroupsForClients(this.directory, withDeactivated) }),
      },
    };
  }
}
