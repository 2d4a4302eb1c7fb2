import { describe, expect, it } from '@jest/globals';
import {
  type Audience,
  type ClientEventDocument,
  clientEventId,
} from '../../../projections/client-events/client-events.documents.js';
import { isDirectoryEvent } from '../../../src/directory/directory.changes.js';
import { Directory } from '../../../src/directory/directory.js';
import { SYSTEM_GROUP_IDS } from '../../../src/events/shared/group-setting.js';
import { ROLES, type Role } from '../../../src/events/shared/role.js';
import { isFor } from '../../../src/features/event-queues/queries/audience.js';
import { groupData } from '../../support/events/events.js';
import { history, type InHistory } from '../../support/events/history.js';

const user = (userId: number, role: Role = ROLES.member): InHistory => [
  'users',
  {
    type: 'UserCreated',
    data: { userId, email: `u${userId}@example.com`, fullName: `U ${userId}`, role, passwordHash: null },
  },
];
const roleOf = (userId: number, from: Role, to: Role): InHistory => [
  'users',
  { type: 'UserRoleChanged', data: { userId, from, to } },
];
const inGroups = (type: string, data: object): InHistory => ['userGroups', { type, data }];

/** Answers a directory with the events applied, at positions from 1. */
function directoryAfter(...entries: readonly InHistory[]): Directory {
  const directory = new Directory();
  for (const event of history(...entries)) if (isDirectoryEvent(event)) directory.apply(event);
  return directory;
}

/** Answers which of the users 1 to 4 get an event of the audience that is caused at the position. */
function readers(directory: Directory, audience: Audience, position: number): number[] {
  const event: ClientEventDocument = {
    _id: clientEventId(position, 0),
    kind: 'default_streams',
    position,
    part: 'organization',
    audience,
    at: 0,
    payload: { body: {} },
  };
  return [1, 2, 3, 4].filter((userId) => isFor(userId, event, directory));
}

describe('the audience of a client event', () => {
  it('includes the users who have the role right after the event', () => {
    const directory = directoryAfter(
      user(1, ROLES.owner),
      user(2),
      roleOf(2, ROLES.member, ROLES.administrator),
      roleOf(2, ROLES.administrator, ROLES.member),
    );
    const administrators = { roles: [ROLES.owner, ROLES.administrator] };
    expect([2, 3, 4].map((position) => readers(directory, administrators, position))).toEqual([[1], [1, 2], [1]]);
  });

  it('includes direct and indirect members of the group at that time, except guests', () => {
    const directory = directoryAfter(
      user(1),
      user(2),
      user(3, ROLES.guest),
      inGroups('UserGroupCreated', groupData(9, { memberIds: [1, 3] })),
      inGroups('UserGroupCreated', groupData(10, { memberIds: [2], subgroupIds: [9] })),
      inGroups('UserGroupMembersRemoved', { groupId: 9, userIds: [1] }),
      inGroups('UserGroupSubgroupsRemoved', { groupId: 10, subgroupIds: [9] }),
      inGroups('UserGroupMembersAdded', { groupId: 9, userIds: [1] }),
    );
    const told = [4, 5, 6, 7, 8].map((position) => [
      readers(directory, { groups: [9] }, position),
      readers(directory, { groups: [10] }, position),
    ]);
    expect(told).toEqual([
      [[1], []],
      [[1], [1, 2]],
      [[], [2]],
      [[], [2]],
      [[1], [2]],
    ]);
  });

  it('includes the users of an anonymous group and the members of its groups', () => {
    const directory = directoryAfter(user(1, ROLES.owner), user(2), user(3), user(4, ROLES.moderator));
    const group = { direct_members: [3], direct_subgroups: [SYSTEM_GROUP_IDS['role:moderators']] };
    expect(readers(directory, { groups: [group] }, 4)).toEqual([1, 3, 4]);
  });

  it('excludes the users of the exception, by any of its criteria', () => {
    const directory = directoryAfter(
      user(1, ROLES.owner),
      user(2),
      user(3),
      inGroups('UserGroupCreated', groupData(9, { memberIds: [2] })),
    );
    expect(readers(directory, { everyone: true, except: { roles: [ROLES.owner], groups: [9] } }, 4)).toEqual([3]);
    expect(readers(directory, { userIds: [1, 2], except: { userIds: [2] } }, 4)).toEqual([1]);
  });
});
