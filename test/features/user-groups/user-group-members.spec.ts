import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { UserGroupCreated, UserGroupEvent } from '../../../src/events/user-groups/user-groups.events.js';
import {
  decideUpdateMembers,
  decideUpdateSubgroups,
  type MemberChanges,
  UpdateMembers,
  UpdateSubgroups,
} from '../../../src/features/user-groups/domain/group-members.js';
import { type UserGroupsState, userGroups } from '../../../src/features/user-groups/domain/user-groups.state.js';
import { DomainError } from '../../../src/platform/kernel/deciding.js';
import { groupData } from '../../support/events/events.js';
import { given } from '../../support/events/given.js';

type Refusal = readonly [code: string, data?: Record<string, unknown>];

const by = { actorId: 1, client: 'test', correlationId: 'c' };

const created = (groupId: number, changes: Partial<UserGroupCreated['data']> = {}): UserGroupEvent => ({
  type: 'UserGroupCreated',
  data: groupData(groupId, changes),
});
const deactivated = (groupId: number): UserGroupEvent => ({ type: 'UserGroupDeactivated', data: { groupId } });
const membersAdded = (groupId: number, ...userIds: number[]): UserGroupEvent => ({
  type: 'UserGroupMembersAdded',
  data: { groupId, userIds },
});
const membersRemoved = (groupId: number, ...userIds: number[]): UserGroupEvent => ({
  type: 'UserGroupMembersRemoved',
  data: { groupId, userIds },
});
const subgroupsAdded = (groupId: number, ...subgroupIds: number[]): UserGroupEvent => ({
  type: 'UserGroupSubgroupsAdded',
  data: { groupId, subgroupIds },
});
const subgroupsRemoved = (groupId: number, ...subgroupIds: number[]): UserGroupEvent => ({
  type: 'UserGroupSubgroupsRemoved',
  data: { groupId, subgroupIds },
});

describe('members of a user group', () => {
  /** Users 1 to 5 are active. */
  const facts = {
    mayAdd: true,
    mayRemove: true,
    mayJoin: true,
    mayLeave: true,
    isActiveUser: (id: number): boolean => id <= 5,
  };
  const history = [created(9, { memberIds: [2, 3] }), created(10), created(11, { subgroupIds: [9] })];
  const update = (changes: Partial<MemberChanges>, groupId = 9) =>
    new UpdateMembers({
      groupId,
      changes: { add: [], remove: [], addSubgroups: [], removeSubgroups: [], ...changes },
      by,
    });

  it('are added and removed with one event for each kind, ordered by id', () => {
    given(userGroups, [...history, subgroupsAdded(9, 4)])
      .when(
        decideUpdateMembers,
        update({ add: [5, 4, 5], remove: [3, 2], addSubgroups: [10, 6], removeSubgroups: [4] }),
        facts,
      )
      .then([membersAdded(9, 4, 5), membersRemoved(9, 2, 3), subgroupsAdded(9, 6, 10), subgroupsRemoved(9, 4)]);
  });

  it('may be added and removed in one request', () => {
    given(userGroups, history)
      .when(decideUpdateMembers, update({ add: [4], remove: [4] }), facts)
      .then([membersAdded(9, 4), membersRemoved(9, 4)]);
  });

  it('of a deactivated group are changed like others', () => {
    given(userGroups, [...history, deactivated(9)])
      .when(decideUpdateMembers, update({ add: [4], addSubgroups: [10] }), facts)
      .then([membersAdded(9, 4), subgroupsAdded(9, 10)]);
  });

  it.each<[string, Partial<MemberChanges>, Refusal]>([
    ['a request without a change', {}, ['NO_MEMBERS_GIVEN']],
    ['to add a member again', { add: [4, 3] }, ['ALREADY_GROUP_MEMBER', { userId: 3 }]],
    ['to add a user who does not exist', { add: [4, 6] }, ['GROUP_MEMBER_UNKNOWN', { userId: 6 }]],
    ['to remove a user who is not a member', { remove: [2, 4] }, ['NOT_A_GROUP_MEMBER', { userId: 4 }]],
    ['to remove a user who does not exist', { remove: [6] }, ['GROUP_MEMBER_UNKNOWN', { userId: 6 }]],
    [
      'to add a subgroup that contains the group',
      { addSubgroups: [11] },
      ['SUBGROUP_CYCLE', { groupId: 9, subgroupId: 11 }],
    ],
    ['to remove a group that is not a subgroup', { removeSubgroups: [10] }, ['NOT_A_SUBGROUP', { groupId: 10 }]],
  ])('refuses %s, and carries out nothing else', (_, changes, refusal) => {
    given(userGroups, history)
      .when(decideUpdateMembers, update(changes), facts)
      .thenRefuses(...refusal);
  });

  it.each<[string, keyof typeof facts, Partial<MemberChanges>]>([
    ['adding others', 'mayAdd', { add: [4] }],
    ['adding others and the caller', 'mayAdd', { add: [1, 4] }],
    ['adding groups', 'mayAdd', { addSubgroups: [10] }],
    ['removing others', 'mayRemove', { remove: [2] }],
    ['removing groups', 'mayRemove', { removeSubgroups: [10] }],
    ['joining', 'mayJoin', { add: [1] }],
  ])('need the permission for %s', (_, right, changes) => {
    given(userGroups, history)
      .when(decideUpdateMembers, update(changes), { ...facts, [right]: false })
      .thenRefuses('NOT_AUTHORIZED');
  });

  it('may join and leave by permissions of their own', () => {
    const only = { ...facts, mayAdd: false, mayRemove: false };
    given(userGroups, history)
      .when(decideUpdateMembers, update({ add: [1, 1] }), only)
      .then([membersAdded(9, 1)]);
    given(userGroups, history)
      .when(decideUpdateMembers, update({ remove: [1] }, 10), only)
      .then([membersRemoved(10, 1)]);
    given(userGroups, history)
      .when(decideUpdateMembers, update({ remove: [1] }, 10), { ...only, mayLeave: false })
      .thenRefuses('NOT_AUTHORIZED');
  });

  it('of system groups cannot be changed', () => {
    given(userGroups, history)
      .when(decideUpdateMembers, update({ add: [4] }, 7), facts)
      .thenRefuses('USER_GROUP_NOT_FOUND');
  });
});

describe('subgroups', () => {
  const facts = { mayAdd: true, mayRemove: true };
  const history = [created(9, { subgroupIds: [10, 5] }), created(10), created(11), created(12), deactivated(12)];
  const update = (add: number[], remove: number[] = [], groupId = 9) =>
    new UpdateSubgroups({ groupId, add, remove, by });

  it('are added and removed, including system groups', () => {
    given(userGroups, history)
      .when(decideUpdateSubgroups, update([11, 7, 11], [5]), facts)
      .then([subgroupsAdded(9, 7, 11), subgroupsRemoved(9, 5)]);
  });

  it('of deactivated groups are changed like others', () => {
    given(userGroups, history)
      .when(decideUpdateSubgroups, update([11], [], 12), facts)
      .then([subgroupsAdded(12, 11)]);
  });

  it('can be removed if they are deactivated', () => {
    given(userGroups, [...history, subgroupsAdded(9, 11), deactivated(11)])
      .when(decideUpdateSubgroups, update([], [11]), facts)
      .then([subgroupsRemoved(9, 11)]);
  });

  it.each<[string, UpdateSubgroups, Refusal]>([
    ['a request without a change', update([]), ['NO_SUBGROUPS_GIVEN']],
    ['to add a group that does not exist', update([11, 99]), ['SUBGROUP_UNKNOWN', { groupId: 99 }]],
    ['to remove a group that does not exist', update([], [99]), ['SUBGROUP_UNKNOWN', { groupId: 99 }]],
    ['to add a deactivated group', update([12]), ['USER_GROUP_DEACTIVATED']],
    ['to add a subgroup again', update([11, 10]), ['ALREADY_SUBGROUP', { groupId: 10 }]],
    ['to remove a group that is not in it', update([], [10, 11]), ['NOT_A_SUBGROUP', { groupId: 11 }]],
    ['to add the group to itself', update([9]), ['SUBGROUP_CYCLE', { groupId: 9, subgroupId: 9 }]],
    ['to add a group that contains it', update([11, 9], [], 10), ['SUBGROUP_CYCLE', { groupId: 10, subgroupId: 9 }]],
    ['changes to a system group', update([11], [], 3), ['USER_GROUP_NOT_FOUND']],
    ['changes to a group that does not exist', update([11], [], 99), ['USER_GROUP_NOT_FOUND']],
  ])('refuses %s', (_, command, refusal) => {
    given(userGroups, history)
      .when(decideUpdateSubgroups, command, facts)
      .thenRefuses(...refusal);
  });

  it('refuse a cycle through many groups, and allow the subgroup after the cycle is broken', () => {
    const chain = [9, 10, 11, 12, 13].map((id) => created(id, { subgroupIds: id === 13 ? [] : [id + 1] })).reverse();
    given(userGroups, chain)
      .when(decideUpdateSubgroups, update([9], [], 13), facts)
      .thenRefuses('SUBGROUP_CYCLE', { groupId: 13, subgroupId: 9 });
    given(userGroups, [...chain, subgroupsRemoved(11, 12)])
      .when(decideUpdateSubgroups, update([9], [], 13), facts)
      .then([subgroupsAdded(13, 9)]);
  });

  it.each(['mayAdd', 'mayRemove'] as const)('are refused to users without the permission %s', (right) => {
    given(userGroups, history)
      .when(decideUpdateSubgroups, update([11], [5]), { ...facts, [right]: false })
      .thenRefuses('NOT_AUTHORIZED');
  });

  const id = fc.integer({ min: 9, max: 18 });
  const request = fc.record({
    groupId: id,
    add: fc.uniqueArray(id, { maxLength: 3 }),
    remove: fc.uniqueArray(id, { maxLength: 2 }),
  });
  const tenGroups = Array.from({ length: 10 }, (_, index) => created(index + 9));

  it('never form a cycle, and are refused only if they would close one', () => {
    fc.assert(
      fc.property(fc.array(request, { maxLength: 60 }), (requests) => {
        let state = tenGroups.reduce(userGroups.evolve, userGroups.initialState);
        for (const { groupId, add, remove } of requests) {
          const asked = add.length > 0 ? update(add, [], groupId) : update([], remove, groupId);
          const refusal = attempt(() => {
            state = decideUpdateSubgroups(asked, state, facts).reduce<UserGroupsState>(userGroups.evolve, state);
          });
          if (refusal === 'SUBGROUP_CYCLE') expect(naiveCycle(withEdges(state, groupId, add))).toBe(true);
          expect(naiveCycle(edgesOf(state))).toBe(false);
        }
      }),
    );
  });
});

/** Answers the code of the refusal, or null if there is none. */
function attempt(act: () => void): string | null {
  try {
    act();
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

type Edges = ReadonlyMap<number, readonly number[]>;

const edgesOf = (state: UserGroupsState): Edges =>
  new Map([...state.byId].map(([id, { subgroupIds }]) => [id, [...subgroupIds]]));

const withEdges = (state: UserGroupsState, from: number, to: readonly number[]): Edges => {
  const edges = edgesOf(state);
  return new Map([...edges, [from, [...(edges.get(from) ?? []), ...to]]]);
};

/** Removes groups without subgroups repeatedly. The remaining groups are in a cycle or contain one. */
function naiveCycle(edges: Edges): boolean {
  let left = [...edges];
  for (;;) {
    const ids = new Set(left.map(([id]) => id));
    const next = left.filter(([, to]) => to.some((id) => ids.has(id)));
    if (next.length === left.length) return left.length > 0;
    left = next;
  }
}
