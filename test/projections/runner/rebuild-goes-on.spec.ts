import { describe, expect, it } from '@jest/globals';
import { Generation } from '../../../projections/runner/generation.js';
import { rebuild } from '../../../projections/runner/rebuild.js';
import type { BuildProgress } from '../../../projections/runner/rebuild-protocol.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { Fence, Fenced } from '../../../src/platform/cluster/fence.js';
import type { DocumentStore } from '../../../src/platform/documents/document-store.js';
import { MongoDocumentStore } from '../../../src/platform/documents/mongodb/mongo-document-store.js';
import { describeMongodb, ownDatabase } from '../../support/engines/mongodb.js';
import { keyIssued, Roster, roster, userCreated } from '../../support/projections/roster.js';
import { withScratch } from '../../support/scratch.js';

const NAME = 'roster.v1.g1';
const USERS = 300;
const users = (from: number) => Array.from({ length: USERS }, (_, index) => userCreated(from + index));

type GoOn = (token?: number) => Promise<readonly BuildProgress[]>;

interface Unfinished {
  /** Has the log. */
  readonly server: Roster;
  /** Has the database `NAME`. */
  readonly store: DocumentStore;
  readonly goOn: GoOn;
}

type WithStore = (embedded: DocumentStore, work: (store: DocumentStore) => Promise<void>) => Promise<void>;

const embedded: WithStore = (store, work) => work(store);

const onMongodb: WithStore = async (_embedded, work) => {
  const own = ownDatabase();
  try {
    await work(await MongoDocumentStore.open(await own.connect()));
  } finally {
    await own.remove();
  }
};

/** Runs `work` with a log of users, and an unfinished database that has their events. */
const withUnfinished = (withStore: WithStore, work: (unfinished: Unfinished) => Promise<void>) => () =>
  withScratch(async (dataDirectory) => {
    const server = await Roster.open({ dataDirectory });
    const warn = (line: string): void => expect(line).toBe('nothing');
    const run = (store: DocumentStore): Promise<void> => {
      const engines = { ...server.engines, documentStore: store, eventRegistry };
      const fill = async (goesOn: boolean, token: number): Promise<readonly BuildProgress[]> => {
        const told: BuildProgress[] = [];
        const build = { projection: roster, database: NAME, goesOn, fence: new Fence(token) };
        expect(await rebuild(engines, [build], (progress) => told.push(progress), warn)).toEqual([]);
        return told;
      };
      const goOn: GoOn = (token = 1) => fill(true, token);
      return fill(false, 1).then(() => work({ server, store, goOn }));
    };
    await server.appendTogether(users(1));
    await withStore(server.engines.documentStore, run).finally(() => server.engines.close());
  });

const peopleIn = async (store: DocumentStore): Promise<number> =>
  (await store.database(NAME)).collection('people').countDocuments({});

const goesOn = (withStore: WithStore): void => {
  it(
    'counts what was applied before in its progress',
    withUnfinished(withStore, async ({ server, store, goOn }) => {
      const position = await server.appendTogether(users(USERS + 1));
      const [progress] = await goOn();
      expect(progress).toMatchObject({ done: 2 * USERS, total: 2 * USERS, position, head: position });
      expect(await peopleIn(store)).toBe(2 * USERS);
    }),
  );

  it(
    'is begun anew if it has come further than the log',
    withUnfinished(withStore, async ({ store, goOn }) => {
      const database = await store.database(NAME);
      await database.transaction(async (transaction) => {
        await transaction.collection('people').bulkWrite([{ deleteMany: { filter: {} } }]);
        await transaction.setCheckpoint(10 * USERS);
      });
      await database.close();
      await goOn();
      expect(await peopleIn(store)).toBe(USERS);
    }),
  );

  it(
    'belongs to the newest holder of the lease',
    withUnfinished(withStore, async ({ server, store, goOn }) => {
      await goOn(2);
      await server.append(keyIssued(1), userCreated(USERS + 1));
      await expect(goOn(1)).rejects.toThrow(Fenced);
      const later = await Generation.open(store, roster, NAME, new Fence(2));
      expect(later?.position).toBe(USERS);
      await later?.close();
    }),
  );
};

describe('a build that goes on', () => goesOn(embedded));

describeMongodb('a build that goes on on MongoDB', () => goesOn(onMongodb));
