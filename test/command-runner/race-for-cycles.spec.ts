import { expect, it } from '@jest/globals';
import { CommandRunner } from '../../src/command-runner/command-runner.js';
import { SqliteContentKeys } from '../../src/content-keys/sqlite/sqlite-content-keys.js';
import { EventCodec } from '../../src/event-codec/event-codec.js';
import { SqliteEventStore } from '../../src/event-store/sqlite/sqlite-event-store.js';
import type { Decide } from '../../src/kernel/decider.js';
import { DomainError, UnavailableError } from '../../src/kernel/domain-error.js';
import { decideUpdateSubgroups, UpdateSubgroups } from '../../src/user-groups/domain/update-subgroups.js';
import { USER_GROUPS_STREAM, type UserGroupCreated } from '../../src/user-groups/domain/user-groups.events.js';
import { userGroups } from '../../src/user-groups/domain/user-groups.state.js';
import { groupData } from '../support/events.js';
import { withScratch } from '../support/scratch.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const FIRST = 9;
const GROUPS = 10;
const WRITERS = 50;

type Edge = readonly [groupId: number, subgroupId: number];

const create: Decide<null, unknown, UserGroupCreated> = () =>
  Array.from({ length: GROUPS }, (_, index) => ({ type: 'UserGroupCreated', data: groupData(FIRST + index) }));

/** Five turns, each of another width, round a ring of ten groups: any turn alone closes a cycle. */
const wanted: readonly Edge[] = Array.from({ length: WRITERS }, (_, index) => {
  const at = index % GROUPS;
  const step = 1 + Math.floor(index / GROUPS);
  return [FIRST + at, FIRST + ((at + step) % GROUPS)];
});

/** Whether somebody gets from a group to another along the edges. */
function leads(edges: readonly Edge[], from: number, to: number, seen = new Set<number>()): boolean {
  if (from === to) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  return edges.some(([groupId, subgroupId]) => groupId === from && leads(edges, subgroupId, to, seen));
}

/** Who has lost the race too often is answered that nothing was stored, and asks again. */
async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
    }
  }
}

it('50 writers in three processes close no cycle together, and none is refused that would have closed none', () =>
  withScratch(async (directory) => {
    const store = await SqliteEventStore.open(directory);
    const keys = await SqliteContentKeys.open(directory);
    try {
      const runners = Array.from({ length: 3 }, () => new CommandRunner(store, keys, new EventCodec(keys)));
      const request = { stream: USER_GROUPS_STREAM, decider: userGroups, by } as const;
      await (runners[0] as CommandRunner).decide({ ...request, decide: create, command: null, context: undefined });
      const race = await Promise.allSettled(
        wanted.map(([groupId, subgroupId], index) =>
          untilAnswered(() =>
            (runners[index % 3] as CommandRunner).decide({
              ...request,
              decide: decideUpdateSubgroups,
              command: new UpdateSubgroups(groupId, [subgroupId], [], by),
              context: { mayAdd: true, mayRemove: true },
            }),
          ),
        ),
      );

      const made = wanted.filter((_, index) => race[index]?.status === 'fulfilled');
      const stored = (await store.readStream(USER_GROUPS_STREAM)).slice(GROUPS);
      expect(stored).toHaveLength(made.length);
      for (const [groupId, subgroupId] of made) expect(leads(made, subgroupId, groupId)).toBe(false);
      for (const [index, outcome] of race.entries()) {
        if (outcome.status === 'fulfilled') continue;
        const [groupId, subgroupId] = wanted[index] as Edge;
        expect(outcome.reason).toEqual(new DomainError('SUBGROUP_CYCLE', { groupId, subgroupId }));
        expect(leads(made, subgroupId, groupId)).toBe(true);
      }
    } finally {
      await keys.close();
      await store.close();
    }
  }));
