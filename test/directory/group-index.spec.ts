import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDirectoryEvent } from '../../src/directory/directory.changes.js';
import { Directory } from '../../src/directory/directory.js';
import type { GroupSettingValue } from '../../src/events/shared/group-setting.js';
import { ROLES, type Role } from '../../src/events/shared/role.js';
import { groupData } from '../support/events/events.js';
import { history, type InHistory } from '../support/events/history.js';

const USERS = [1, 2, 3, 4, 5];
const GROUPS = [9, 10, 11, 12, 13, 14];
const SYSTEM = [1, 2, 3, 4, 5, 6, 7, 8];

/** A simple model of the facts that decide who is in a group. */
interface Model {
  readonly roles: ReadonlyMap<number, Role>;
  readonly active: ReadonlySet<number>;
  readonly members: ReadonlyMap<number, ReadonlySet<number>>;
  readonly subgroups: ReadonlyMap<number, ReadonlySet<number>>;
}

/** The role of the direct members of each system group, from the widest. Each system group also contains the next one. */
const OWN_ROLE: Readonly<Record<number, Role>> = { 2: 600, 3: 400, 4: 400, 5: 300, 6: 200, 7: 100 };

function isIn(userId: number, groupId: number, model: Model, seen: readonly number[] = []): boolean {
  if (seen.includes(groupId)) return false;
  if (groupId === 8) return false;
  if (groupId < 8) {
    if (OWN_ROLE[groupId] === model.roles.get(userId)) return true;
    return groupId < 7 && isIn(userId, groupId + 1, model, seen);
  }
  if (model.members.get(groupId)?.has(userId)) return true;
  return [...(model.subgroups.get(groupId) ?? [])].some((id) => isIn(userId, id, model, [...seen, groupId]));
}

function isGiven(userId: number, value: GroupSettingValue, model: Model): boolean {
  if (!model.active.has(userId)) return false;
  if (typeof value === 'number') return isIn(userId, value, model);
  return value.direct_members.includes(userId) || value.direct_subgroups.some((id) => isIn(userId, id, model));
}

type Step =
  | { readonly what: 'member' | 'subgroup'; readonly groupId: number; readonly id: number }
  | { readonly what: 'role'; readonly userId: number; readonly role: Role }
  | { readonly what: 'account'; readonly userId: number };

const user = fc.constantFrom(...USERS);
const group = fc.constantFrom(...GROUPS);
const anyGroup = fc.constantFrom(...GROUPS, ...GROUPS, ...SYSTEM);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ what: fc.constant('member' as const), groupId: group, id: user }),
  fc.record({ what: fc.constant('subgroup' as const), groupId: group, id: anyGroup }),
  fc.record({ what: fc.constant('role' as const), userId: user, role: fc.constantFrom(...Object.values(ROLES)) }),
  fc.record({ what: fc.constant('account' as const), userId: user }),
);
const value: fc.Arbitrary<GroupSettingValue> = fc.oneof(
  anyGroup,
  fc.record({
    direct_members: fc.uniqueArray(user, { maxLength: 2 }),
    direct_subgroups: fc.uniqueArray(anyGroup, { maxLength: 3 }),
  }),
);

/** At the start, everybody has the role of a member, and every group is empty. */
const BEGINNING: Model = {
  roles: new Map(USERS.map((id) => [id, ROLES.member])),
  active: new Set(USERS),
  members: new Map(GROUPS.map((id) => [id, new Set()])),
  subgroups: new Map(GROUPS.map((id) => [id, new Set()])),
};
const BEGINNINGS: readonly InHistory[] = [
  ...USERS.map((userId): InHistory => {
    const account = { userId, email: `u${userId}@x.org`, fullName: `U ${userId}`, role: ROLES.member };
    return ['users', { type: 'UserCreated', data: { ...account, passwordHash: null, channelIds: [] } }];
  }),
  ...GROUPS.map(
    (groupId): InHistory => ['userGroups', { type: 'UserGroupCreated', data: groupData(groupId, { memberIds: [] }) }],
  ),
];

/** Answers the event and the model after a step: present members and subgroups are removed, others added. Allows cycles. */
function taken(step: Step, model: Model): { readonly event: InHistory; readonly after: Model } {
  switch (step.what) {
    case 'member':
    case 'subgroup': {
      const { groupId, id } = step;
      const kind = step.what === 'member' ? 'members' : 'subgroups';
      const before = model[kind].get(groupId) ?? new Set();
      const held = new Set(before.has(id) ? [...before].filter((other) => other !== id) : [...before, id]);
      const ids = step.what === 'member' ? { userIds: [id] } : { subgroupIds: [id] };
      const name = `${step.what === 'member' ? 'Members' : 'Subgroups'}${before.has(id) ? 'Removed' : 'Added'}`;
      return {
        event: ['userGroups', { type: `UserGroup${name}`, data: { groupId, ...ids } }],
        after: { ...model, [kind]: new Map([...model[kind], [groupId, held]]) },
      };
    }
    case 'role': {
      const { userId, role: to } = step;
      return {
        event: ['users', { type: 'UserRoleChanged', data: { userId, from: model.roles.get(userId), to } }],
        after: { ...model, roles: new Map([...model.roles, [userId, to]]) },
      };
    }
    default: {
      const { userId } = step;
      const isActive = model.active.has(userId);
      const active = isActive ? [...model.active].filter((id) => id !== userId) : [...model.active, userId];
      return {
        event: ['users', { type: isActive ? 'UserDeactivated' : 'UserReactivated', data: { userId } }],
        after: { ...model, active: new Set(active) },
      };
    }
  }
}

/** Applies the steps to a directory, and shows it with the model after each step. */
function played(steps: readonly Step[], look: (directory: Directory, model: Model) => void): Directory {
  const models: Model[] = [];
  const events: InHistory[] = [];
  for (const step of steps) {
    const { event, after } = taken(step, models.at(-1) ?? BEGINNING);
    events.push(event);
    models.push(after);
  }
  const directory = new Directory();
  for (const event of history(...BEGINNINGS, ...events)) {
    if (isDirectoryEvent(event)) directory.apply(event);
    const model = models[event.position - BEGINNINGS.length - 1];
    if (model) look(directory, model);
  }
  return directory;
}

const who = (directory: Directory, test: (userId: number) => boolean): number[] =>
  directory.allUsers().flatMap(({ _id }) => (test(_id) ? [_id] : []));

describe('the membership of groups', () => {
  it('equals the simple model after every event', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 40 }),
        fc.array(value, { minLength: 1, maxLength: 4 }),
        (steps, values) => {
          played(steps, (directory, model) => {
            for (const one of values) {
              const found = directory.allUsers().filter((account) => directory.isInGroup(account, one));
              expect(found.map(({ _id }) => _id)).toEqual(USERS.filter((userId) => isGiven(userId, one, model)));
            }
          });
        },
      ),
    );
  });

  it('is known as of every past event', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 40 }),
        fc.array(value, { minLength: 1, maxLength: 4 }),
        (steps, values) => {
          const then: { position: number; value: GroupSettingValue; users: number[] }[] = [];
          const directory = played(steps, ({ position }, model) => {
            for (const one of values)
              then.push({ position, value: one, users: USERS.filter((userId) => isGiven(userId, one, model)) });
          });
          for (const { position, value: one, users } of then)
            expect(who(directory, (userId) => directory.wasInGroupAfter(userId, one, position))).toEqual(users);
        },
      ),
    );
  });

  it('knows the direct members as of every past event, without deactivated accounts', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const then: { position: number; groupId: number; users: number[] }[] = [];
        const directory = played(steps, ({ position }, { members, active }) => {
          for (const groupId of GROUPS)
            then.push({
              position,
              groupId,
              users: USERS.filter((id) => members.get(groupId)?.has(id) && active.has(id)),
            });
        });
        for (const { position, groupId, users } of then)
          expect(directory.memberIdsAfter(groupId, position)).toEqual(users);
      }),
    );
  });
});
