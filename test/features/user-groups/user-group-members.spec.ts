import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { UserGroupCreated, UserGroupEvent } from '../../../src/events/user-groups/user-groups.events.js';
import {
  decideUpdateMembers,
  type MemberChanges,
  UpdateMembers,
} from '../../../src/features/user-groups/domain/update-members.js';
import { decideUpdateSubgroups, UpdateSubgroups } from '../../../src/features/user-groups/domain/update-subgroups.js';
import { type UserGroupsState, userGroups } from '../../../src/features/user-groups/domain/user-groups.state.js';
import { DomainError } from '../../../src/platform/kernel/domain-error.js';
import { groupData } from '../../support/events.js';
import { given } from '../../support/given.js';

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
    new UpdateMembers(groupId, { add: [], remove: [], addSubgroups: [], removeSubgroups: [], ...changes }, by);

  it('come and go, each kind in one event, by id', () => {
    given(userGroups, [...history, subgroupsAdded(9, 4)])
      .when(
        decideUpdateMembers,
        update({ add: [5, 4, 5], remove: [3, 2], addSubgroups: [10, 6], removeSubgroups: [4] }),
        facts,
      )
      .then([membersAdded(9, 4, 5), membersRemoved(9, 2, 3), subgroupsAdded(9, 6, 10), subgroupsRemoved(9, 4)]);
  });

  it('may come and go in one request', () => {
    given(userGroups, history)
      .when(decideUpdateMembers, update({ add: [4], remove: [4] }), facts)
      .then([membersAdded(9, 4), membersRemoved(9, 4)]);
  });

  it('of a deactivated group change like those of others', () => {
    given(userGroups, [...history, deactivated(9)])
      .when(decideUpdateMembers, update({ add: [4], addSubgroups: [10] }), facts)
      .then([membersAdded(9, 4), subgroupsAdded(9, 10)]);
  });

  it.each<[string, Partial<MemberChanges>, Refusal]>([
    ['nothing', {}, ['NO_MEMBERS_GIVEN']],
    ['who is in it already', { add: [4, 3] }, ['ALREADY_GROUP_MEMBER', { userId: 3 }]],
    ['whom there is not', { add: [4, 6] }, ['GROUP_MEMBER_UNKNOWN', { userId: 6 }]],
    ['that somebody goes who is not in it', { remove: [2, 4] }, ['NOT_A_GROUP_MEMBER', { userId: 4 }]],
    ['that somebody goes who is not there', { remove: [6] }, ['GROUP_MEMBER_UNKNOWN', { userId: 6 }]],
    ['a subgroup that holds it', { addSubgroups: [11] }, ['SUBGROUP_CYCLE', { groupId: 9, subgroupId: 11 }]],
    ['that a group goes which is not in it', { removeSubgroups: [10] }, ['NOT_A_SUBGROUP', { groupId: 10 }]],
  ])('refuses %s, and then does none of the rest', (_, changes, refusal) => {
    given(userGroups, history)
      .when(decideUpdateMembers, update(changes), facts)
      .thenRefuses(...refusal);
  });

  it.each<[string, keyof typeof facts, Partial<MemberChanges>]>([
    ['adding others', 'mayAdd', { add: [4] }],
    ['adding others and oneself', 'mayAdd', { add: [1, 4] }],
    ['adding groups', 'mayAdd', { addSubgroups: [10] }],
    ['removing others', 'mayRemove', { remove: [2] }],
    ['removing groups', 'mayRemove', { removeSubgroups: [10] }],
    ['joining', 'mayJoin', { add: [1] }],
  ])('%s is refused without the right to it', (_, right, changes) => {
    given(userGroups, history)
      .when(decideUpdateMembers, update(changes), { ...facts, [right]: false })
      .thenRefuses('NOT_AUTHORIZED');
  });

  it('join and leave by a right of their own, which is not one to add and remove others', () => {
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

  it('of system groups follow from roles', () => {
    given(userGroups, history)
      .when(decideUpdateMembers, update({ add: [4] }, 7), facts)
      .thenRefuses('USER_GROUP_NOT_FOUND');
  });
});

describe('subgroups', () => {
  const facts = { mayAdd: true, mayRemove: true };
  const history = [created(9, { subgroupIds: [10, 5] }), created(10), created(11), created(12), deactivated(12)];
  const update = (add: number[], remove: number[] = [], groupId = 9) => new UpdateSubgroups(groupId, add, remove, by);

  it('come and go, system groups among them', () => {
    given(userGroups, history)
      .when(decideUpdateSubgroups, update([11, 7, 11], [5]), facts)
      .then([subgroupsAdded(9, 7, 11), subgroupsRemoved(9, 5)]);
  });

  it('of deactivated groups change like those of others', () => {
    given(userGroups, history)
      .when(decideUpdateSubgroups, update([11], [], 12), facts)
      .then([subgroupsAdded(12, 11)]);
  });

  it('go though they are deactivated', () => {
    given(userGroups, [...history, subgroupsAdded(9, 11), deactivated(11)])
      .when(decideUpdateSubgroups, update([], [11]), facts)
      .then([subgroupsRemoved(9, 11)]);
  });

  it.each<[string, UpdateSubgroups, Refusal]>([
    ['nothing', update([]), ['NO_SUBGROUPS_GIVEN']],
    ['a group that there is not', update([11, 99]), ['SUBGROUP_UNKNOWN', { groupId: 99 }]],
    ['that one goes which there is not', update([], [99]), ['SUBGROUP_UNKNOWN', { groupId: 99 }]],
    ['a deactivated one', update([12]), ['USER_GROUP_DEACTIVATED']],
    ['one that is in it already', update([11, 10]), ['ALREADY_SUBGROUP', { groupId: 10 }]],
    ['that one goes which is not in it', update([], [10, 11]), ['NOT_A_SUBGROUP', { groupId: 11 }]],
    ['itself', update([9]), ['SUBGROUP_CYCLE', { groupId: 9, subgroupId: 9 }]],
    ['a group that holds it', update([11, 9], [], 10), ['SUBGROUP_CYCLE', { groupId: 10, subgroupId: 9 }]],
    ['changes of a system group', update([11], [], 3), ['USER_GROUP_NOT_FOUND']],
    ['changes of no group', update([11], [], 99), ['USER_GROUP_NOT_FOUND']],
  ])('refuses %s', (_, command, refusal) => {
    given(userGroups, history)
      .when(decideUpdateSubgroups, command, facts)
      .thenRefuses(...refusal);
  });

  it('refuses a cycle through many groups, and lets go again what no longer closes one', () => {
    const chain = [9, 10, 11, 12, 13].map((id) => created(id, { subgroupIds: id === 13 ? [] : [id + 1] })).reverse();
    given(userGroups, chain)
      .when(decideUpdateSubgroups, update([9], [], 13), facts)
      .thenRefuses('SUBGROUP_CYCLE', { groupId: 13, subgroupId: 9 });
    given(userGroups, [...chain, subgroupsRemoved(11, 12)])
      .when(decideUpdateSubgroups, update([9], [], 13), facts)
      .then([subgroupsAdded(13, 9)]);
  });

  it.each(['mayAdd', 'mayRemove'] as const)('are refused to who has no right to it: %s', (right) => {
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

  it('hold no group that holds itself, whatever is asked; and none is refused that would close no cycle', () => {
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

/** The code that it was refused with; null where it was not. */
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

/** Groups without subgroups go, again and again: what stays is in a cycle, or holds one. */
function naiveCycle(edges: Edges): boolean {
  let left = [...edges];
  for (;;) {
    const ids = new Set(left.map(([id]) => id));
    const next = left.filter(([, to]) => to.some((id) => ids.has(id)));
    if (next.length === left.length) return left.length > 0;
    left = next;
  }
}
