import { expect, it } from '@jest/globals';
import { directoryProjection } from '../../../projections/directory/directory.projection.js';
import { isDirectoryEvent } from '../../../src/directory/directory.changes.js';
import { Directory } from '../../../src/directory/directory.js';
import type { DirectoryKind, RecordChange } from '../../../src/directory/directory.records.js';
import { ROLES } from '../../../src/events/shared/role.js';
import type { UserGroupEvent } from '../../../src/events/user-groups/user-groups.events.js';
import { userGroupsForClients } from '../../../src/features/user-groups/queries/groups-for-clients.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { groupData } from '../../support/events/events.js';
import { history, type InHistory } from '../../support/events/history.js';
import { projected } from '../../support/projections/projected.js';

const user = (userId: number): InHistory => {
  const account = { userId, email: `u${userId}@x.org`, fullName: `U ${userId}`, role: ROLES.member };
  return ['users', { type: 'UserCreated', data: { ...account, passwordHash: null, channelIds: [] } }];
};
const of = (event: UserGroupEvent): InHistory => ['userGroups', event];

/** Every type of event about groups. Members, subgroups and names are removed and added again. */
const everything = history(
  user(1),
  user(2),
  of({ type: 'UserGroupCreated', data: groupData(9, { name: 'first' }) }),
  of({ type: 'UserGroupCreated', data: groupData(10, { name: 'second', memberIds: [1, 2], subgroupIds: [9, 5] }) }),
  of({ type: 'UserGroupRenamed', data: { groupId: 9, from: 'first', to: 'third' } }),
  of({ type: 'UserGroupRenamed', data: { groupId: 10, from: 'second', to: 'first' } }),
  of({ type: 'UserGroupDescriptionChanged', data: { groupId: 9, from: '', to: 'd' } }),
  of({ type: 'UserGroupPermissionChanged', data: { groupId: 9, setting: 'can_join_group', from: 8, to: 10 } }),
  of({ type: 'UserGroupMembersAdded', data: { groupId: 9, userIds: [2] } }),
  of({ type: 'UserGroupMembersRemoved', data: { groupId: 10, userIds: [1, 2] } }),
  of({ type: 'UserGroupSubgroupsRemoved', data: { groupId: 10, subgroupIds: [9] } }),
  of({ type: 'UserGroupMembersAdded', data: { groupId: 10, userIds: [2] } }),
  ['users', { type: 'UserDeactivated', data: { userId: 2, notice: null } }],
  of({ type: 'UserGroupSubgroupsAdded', data: { groupId: 10, subgroupIds: [9, 6] } }),
  of({ type: 'UserGroupDeactivated', data: { groupId: 10 } }),
  ['users', { type: 'UserReactivated', data: { userId: 2 } }],
  of({ type: 'UserGroupReactivated', data: { groupId: 10 } }),
);

function fromEvents(events: readonly Recorded[]): Directory {
  const directory = new Directory();
  for (const event of events) if (isDirectoryEvent(event)) directory.apply(event);
  return directory;
}

async function fromDocuments(events: readonly Recorded[]): Promise<Directory> {
  const directory = new Directory();
  for (const [kind, records] of Object.entries(await projected(directoryProjection, events))) {
    for (const record of records) directory.put({ kind: kind as DirectoryKind, record } as unknown as RecordChange);
  }
  return directory;
}

/** The answers of a directory about groups, as of now and as of every earlier position. */
const told = (directory: Directory): object => ({
  groups: userGroupsForClients(directory, true),
  names: ['first', 'SECOND', 'third'].map((name) => directory.groups.groupByName(name)?._id),
  groupsOf2: directory.groups.groupIdsOf(2),
  reach: [9, 10].map((groupId) => directory.allUsers().map((account) => directory.isInGroup(account, groupId))),
  atEach: everything.map(({ position }) =>
    [1, 2].map((userId) => [
      directory.wasInGroupAfter(userId, 10, position),
      directory.memberIdsAfter(10, position).includes(userId),
    ]),
  ),
});

it('groups are the same in a directory loaded from documents as in one that applied the events', async () => {
  for (let length = 0; length <= everything.length; length++) {
    const events = everything.slice(0, length);
    expect(told(await fromDocuments(events))).toEqual(told(fromEvents(events)));
  }
});

it('groups have the names, members and subgroups that their events gave them', () => {
  const directory = fromEvents(everything);
  expect(userGroupsForClients(directory, false).slice(8)).toMatchObject([
    { id: 9, name: 'third', description: 'd', members: [1, 2], direct_subgroup_ids: [], can_join_group: 10 },
    { id: 10, name: 'first', members: [2], direct_subgroup_ids: [5, 6, 9], deactivated: false },
  ]);
  expect(directory.groups.groupByName('second')).toBeUndefined();
});
