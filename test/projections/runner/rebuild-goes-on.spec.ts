import { describe, expect, it } from '@jest/globals';
import { Generation } from '../../../projections/runner/generation.js';
import { rebuild } from '../../../projections/runner/rebuild.js';
import type { BuildProgress } from '../../../projections/runner/rebuild-protocol.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { Fence, Fenced } from '../../../src/platform/cluster/fence.js';
import { keyIssued, Roster, roster, userCreated } from '../../support/roster.js';
import { withScratch } from '../../support/scratch.js';

const NAME = 'roster.v1.g1';
const USERS = 300;
const users = (from: number) => Array.from({ length: USERS }, (_, index) => userCreated(from + index));

/** Runs `work` with a log of users, and an unfinished database that has their events. */
const unfinished = (work: (server: Roster, goOn: GoOn) => Promise<void>) => () =>
  withScratch(async (dataDirectory) => {
    const server = await Roster.open({ dataDirectory });
    const warn = (line: string): void => expect(line).toBe('nothing');
    const engines = { ...server.engines, eventRegistry };
    const fill = async (goesOn: boolean, token: number): Promise<readonly BuildProgress[]> => {
      const told: BuildProgress[] = [];
      const build = { projection: roster, database: NAME, goesOn, fence: new Fence(token) };
      expect(await rebuild(engines, [build], (progress) => told.push(progress), warn)).toEqual([]);
      return told;
    };
    await server.appendTogether(users(1));
    await fill(false, 1);
    await work(server, (token = 1) => fill(true, token)).finally(() => server.engines.close());
  });

type GoOn = (token?: number) => Promise<readonly BuildProgress[]>;

const peopleIn = async ({ engines }: Roster): Promise<number> => {
  const database = await engines.documentStore.database(NAME);
  return database.collection('people').countDocuments({});
};

describe('a build that goes on', () => {
  it(
    'counts what was applied before in its progress',
    unfinished(async (server, goOn) => {
      const position = await server.appendTogether(users(USERS + 1));
      const [progress] = await goOn();
      expect(progress).toMatchObject({ done: 2 * USERS, total: 2 * USERS, position, head: position });
      expect(await peopleIn(server)).toBe(2 * USERS);
    }),
  );

  it(
    'is begun anew if it has come further than the log',
    unfinished(async (server, goOn) => {
      const database = await server.engines.documentStore.database(NAME);
      await database.transaction(async (transaction) => {
        await transaction.collection('people').deleteMany({});
        await transaction.setCheckpoint(10 * USERS);
      });
      await database.close();
      await goOn();
      expect(await peopleIn(server)).toBe(USERS);
    }),
  );

  it(
    'belongs to the newest holder of the lease',
    unfinished(async (server, goOn) => {
      await goOn(2);
      await server.append(keyIssued(1), userCreated(USERS + 1));
      await expect(goOn(1)).rejects.toThrow(Fenced);
      const later = await Generation.open(server.engines.documentStore, roster, NAME, new Fence(2));
      expect(later?.position).toBe(USERS);
      await later?.close();
    }),
  );
});
