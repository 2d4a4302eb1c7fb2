import type {
  UserGroupCreated,
  UserGroupEvent,
  UserGroupMembersAdded,
  UserGroupMembersRemoved,
} from '../../events/user-groups/user-groups.events.js';
import type { Recorded } from '../../platform/kernel/event.js';
import { foldCase } from '../../platform/kernel/text.js';
import type { MembershipRecord, RecordChange, RecordLookup } from '../directory.records.js';
import { alters, begun, ended, type Rules } from './rule.js';

const membershipId = (groupId: number, userId: number): string => `${groupId}/${userId}`;

const ofGroup = ({ data }: { readonly data: { readonly groupId: number } }): number => data.groupId;

export const userGroupRules: Rules<UserGroupEvent> = {
  UserGroupCreated: {
    touches: () => [],
    changes: ({ data, metadata, position }) => [
      {
        kind: 'userGroups',
        record: {
          _id: data.groupId,
          name: data.name,
          nameKey: foldCase(data.name),
          description: data.description,
          creatorId: data.creatorId,
          createdAt: metadata.at,
          isDeactivated: false,
          permissions: data.permissions,
          subgroupIntervals: data.subgroupIds.map((groupId) => ({ groupId, from: position, to: null })),
          position,
        },
      },
      ...firstMembers(data, position),
    ],
  },
  UserGroupRenamed: alters('userGroups', ofGroup, ({ data }) => ({ name: data.to, nameKey: foldCase(data.to) })),
  UserGroupDescriptionChanged: alters('userGroups', ofGroup, ({ data }) => ({ description: data.to })),
  UserGroupPermissionChanged: alters('userGroups', ofGroup, ({ data }, { permissions }) => ({
    permissions: { ...permissions, [data.setting]: data.to },
  })),
  UserGroupDeactivated: alters('userGroups', ofGroup, () => ({ isDeactivated: true })),
  UserGroupReactivated: alters('userGroups', ofGroup, () => ({ isDeactivated: false })),
  UserGroupMembersAdded: { touches: memberships, changes: (event, get) => members(event, get, begun) },
  UserGroupMembersRemoved: { touches: memberships, changes: (event, get) => members(event, get, ended) },
  UserGroupSubgroupsAdded: alters('userGroups', ofGroup, ({ data, position }, { subgroupIntervals }) => ({
    subgroupIntervals: [
      ...subgroupIntervals,
      ...data.subgroupIds.map((groupId) => ({ groupId, from: position, to: null })),
    ],
  })),
  UserGroupSubgroupsRemoved: alters('userGroups', ofGroup, ({ data, position }, { subgroupIntervals }) => ({
    subgroupIntervals: subgroupIntervals.map((interval) =>
      interval.to === null && data.subgroupIds.includes(interval.groupId) ? { ...interval, to: position } : interval,
    ),
  })),
};

type MembersChanged = UserGroupMembersAdded | UserGroupMembersRemoved;

function memberships({ data }: Recorded<MembersChanged>): readonly (readonly ['memberships', string])[] {
  return data.userIds.map((userId) => ['memberships', membershipId(data.groupId, userId)]);
}

function members(
  { data, position }: Recorded<MembersChanged>,
  get: RecordLookup,
  change: typeof begun,
): readonly RecordChange[] {
  return data.userIds.flatMap((userId) => {
    const before = get('memberships', membershipId(data.groupId, userId));
    if (before && before.position >= position) return [];
    return [membership(data.groupId, userId, change(before?.intervals ?? [], position), position)];
  });
}

const firstMembers = ({ groupId, memberIds }: UserGroupCreated['data'], position: number): RecordChange[] =>
  memberIds.map((userId) => membership(groupId, userId, begun([], position), position));

function membership(
  groupId: number,
  userId: number,
  intervals: MembershipRecord['intervals'],
  position: number,
): RecordChange {
  return { kind: 'memberships', record: { _id: membershipId(groupId, userId), groupId, userId, intervals, position } };
}
