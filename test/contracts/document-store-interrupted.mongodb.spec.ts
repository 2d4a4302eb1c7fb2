import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Binary } from 'mongodb';
import {
  type DocumentDatabase,
  type DocumentStore,
  DocumentStoreUnavailable,
} from '../../src/platform/documents/document-store.js';
import { MongoDocumentStore } from '../../src/platform/documents/mongodb/mongo-document-store.js';
import type { MongoConnection } from '../../src/platform/mongodb/mongo-connection.js';
import type { Thing } from '../support/engines/document-store-collections.js';
import type { MongodbProxy } from '../support/engines/mongodb/mongodb-proxy.js';
import { describeMongodb, mongodbWith, type OwnDatabase, ownDatabase } from '../support/engines/mongodb.js';

/** An interrupted command, and what was stored before. */
type Interruption = 'write, nothing stored' | 'commit, nothing stored' | 'commit, all stored';

type Case = readonly [name: string, interruptions: readonly Interruption[]];
const named = (...interruptions: Interruption[]): Case => [interruptions.join('; '), interruptions];

const NONE_STORED = [named('write, nothing stored'), named('commit, nothing stored')];
const ALL_STORED = [
  named('commit, all stored'),
  // The server says the same of a commit that is repeated in vain as of one that stored nothing.
  named('commit, all stored', 'commit, nothing stored', 'commit, all stored'),
];
const SEVERAL = [named('write, nothing stored', 'commit, nothing stored', 'commit, all stored')];

describeMongodb('transactions whose commands others interrupt', () => {
  describe.each([
    ['with one command for several collections', {}],
    ['with a command for each collection', { maxWireVersion: 21 }],
  ])('%s', (_kind, server) => {
    let proxy: MongodbProxy;
    let own: OwnDatabase;
    let connection: MongoConnection;
    let store: DocumentStore;
    let left: DocumentDatabase;
    let right: DocumentDatabase;
    /** The interruptions to come, in order. */
    let due: Interruption[];

    beforeEach(async () => {
      due = [];
      proxy = await mongodbWith({ ...server, interruption: (command) => interrupted(command) });
      own = ownDatabase(proxy.url);
      connection = await own.connect();
      store = await MongoDocumentStore.open(connection);
      [left, right] = [await store.database('left'), await store.database('right')];
      for (const each of [left, right]) {
        await each.ensure({ things: { text: ['title'] }, others: {} });
        await each.collection<Thing>('things').insertOne({ _id: 'text', title: 'before' });
      }
    });
    afterEach(async () => {
      await store.close();
      await own.remove();
      await proxy.stop();
    });

    function interrupted(command: string): 'before' | 'after' | null {
      const kind = command === 'commitTransaction' ? 'commit' : 'write';
      if (!due[0]?.startsWith(kind)) return null;
      return due.shift() === 'commit, all stored' ? 'after' : 'before';
    }

    /** A second insert would be refused. */
    const insert = (database: DocumentDatabase) => {
      const operations = [{ insertOne: { document: { _id: 1 } } }];
      const writes = ['things', 'others'].map((collection) => ({ collection, operations }));
      return database.write({ writes, checkpoint: 1 });
    };
    const stored = async (database: DocumentDatabase) => [
      await database.collection('things').countDocuments({ _id: 1 }),
      await database.collection('others').countDocuments({ _id: 1 }),
      await database.checkpoint(),
    ];
    const inTransaction = async (database: DocumentDatabase): Promise<number> => {
      let runs = 0;
      await database.transaction(async (transaction) => {
        runs++;
        await transaction.collection('things').insertOne({ _id: 1 });
        await transaction.collection('others').insertOne({ _id: 1 });
        await transaction.setCheckpoint(1);
      });
      return runs;
    };

    it.each([...NONE_STORED, ...ALL_STORED, ...SEVERAL])(
      'are stored once if they are whole writes: %s',
      async (_, interruptions) => {
        due = [...interruptions];
        expect(await insert(left)).toMatchObject([{ inserted: 1 }, { inserted: 1 }]);
        expect(due).toEqual([]);
        expect(await stored(left)).toEqual([1, 1, 1]);
      },
    );

    it.each([...NONE_STORED, ...ALL_STORED])(
      'are stored once if several whole writes share one: %s',
      async (_, interruptions) => {
        due = [...interruptions];
        await Promise.all([insert(left), insert(right)]);
        expect(due).toEqual([]);
        expect([await stored(left), await stored(right)]).toEqual([
          [1, 1, 1],
          [1, 1, 1],
        ]);
      },
    );

    it.each([...NONE_STORED, ...ALL_STORED])(
      'are stored once if a searched text is changed: %s',
      async (_, interruptions) => {
        due = [...interruptions];
        const things = left.collection<Thing>('things');
        expect(await things.updateOne({ _id: 'text' }, { $set: { title: 'after' } })).toMatchObject({ modified: 1 });
        expect(due).toEqual([]);
        expect(await things.find({ $text: { $search: 'after' } })).toEqual([{ _id: 'text', title: 'after' }]);
      },
    );

    it.each(ALL_STORED)('are told as stored, and run once, if the commit is stored: %s', async (_, interruptions) => {
      due = [...interruptions];
      expect(await inTransaction(left)).toBe(1);
      expect(due).toEqual([]);
      expect(await stored(left)).toEqual([1, 1, 1]);
    });

    it.each(NONE_STORED)(
      'fail as unavailable without a second run if nothing is stored: %s',
      async (_, interruptions) => {
        due = [...interruptions];
        await expect(inTransaction(left)).rejects.toThrow(DocumentStoreUnavailable);
        expect(due).toEqual([]);
        expect(await stored(left)).toEqual([0, 0, null]);
        expect(await inTransaction(left)).toBe(1);
        expect(await stored(left)).toEqual([1, 1, 1]);
      },
    );

    it('leave no session to single commands, which others would interrupt with it', async () => {
      due = ['write, nothing stored'];
      await Promise.all([insert(left), insert(right)]);
      due = ['write, nothing stored'];
      await expect(inTransaction(left)).rejects.toThrow(DocumentStoreUnavailable);

      const records = await connection.database.collection('documentDatabases').find({}).toArray();
      const noted = records.flatMap(({ sessions = [] }) => sessions.map((id: Binary) => id.toString('hex')));
      expect(noted.length).toBeGreaterThanOrEqual(3);
      const free = Array.from({ length: 20 }, () => connection.startSession());
      expect(free.map(({ id }) => id?.id.toString('hex')).filter((id) => noted.includes(id))).toEqual([]);
      await Promise.all(free.map((session) => session.endSession()));
    });
  });
});
