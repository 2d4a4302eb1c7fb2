import { expect, it } from '@jest/globals';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { USER_GROUPS_STREAM, type UserGroupCreated } from '../../../src/events/user-groups/user-groups.events.js';
import { decideUpdateSubgroups, UpdateSubgroups } from '../../../src/features/user-groups/domain/group-members.js';
import { userGroups } from '../../../src/features/user-groups/domain/user-groups.state.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { SqliteContentKeys } from '../../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import { type Decide, DomainError } from '../../../src/platform/kernel/deciding.js';
import { UnavailableError } from '../../../src/platform/kernel/outcome-errors.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { SqliteEventStore } from '../../../src/platform/log/sqlite/sqlite-event-store.js';
import { groupData } from '../../support/events/events.js';
import { withScratch } from '../../support/scratch.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const FIRST = 9;
const GROUPS = 10;
const WRITERS = 50;

type Edge = readonly [groupId: number, subgroupId: number];

const create: Decide<null, unknown, UserGroupCreated> = () =>
  Array.from({ length: GROUPS }, (_, index) => ({ type: 'UserGroupCreated', data: groupData(FIRST + index) }));

/** Five rounds with different steps around a ring of ten groups. The edges of any round alone close a cycle. */
const wanted: readonly Edge[] = Array.from({ length: WRITERS }, (_, index) => {
  const at = index % GROUPS;
  const step = 1 + Math.floor(index / GROUPS);
  return [FIRST + at, FIRST + ((at + step) % GROUPS)];
});

/** Whether a path along the edges leads from one group to another. */
function leads(edges: readonly Edge[], from: number, to: number, seen = new Set<number>()): boolean {
  if (from === to) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  return edges.some(([groupId, subgroupId]) => groupId === from && leads(edges, subgroupId, to, seen));
}

/** Repeats a command that fails as unavailable after too many conflicts. Nothing was stored then. */
async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
    }
  }
}

it('50 writers in three processes close no cycle together, and a refused one would have closed a cycle', () =>
  withScratch(async (directory) => {
    const store = await SqliteEventStore.open(directory);
    const keys = await SqliteContentKeys.open(directory);
    try {
      const runners = Array.from(
        { length: 3 },
        () => new CommandRunner(store, keys, new EventCodec(keys, eventRegistry)),
      );
      const request = { stream: USER_GROUPS_STREAM, decider: userGroups, expects: 'any', by } as const;
      await (runners[0] as CommandRunner).decide({ ...request, decide: create, command: null, context: undefined });
      const race = await Promise.allSettled(
        wanted.map(([groupId, subgroupId], index) =>
          untilAnswered(() =>
            (runners[index % 3] as CommandRunner).decide({
              ...request,
              decide: decideUpdateSubgroups,
              command: new UpdateSubgroups({ groupId, add: [subgroupId], remove: [], by }),
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
