import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { projections } from '../../../projections/index.js';
import { type BlockDocument, blockOf, ROW_LENGTH } from '../../../projections/messages/message-blocks.js';
import { messages } from '../../../projections/messages/messages.projection.js';
import { Generation } from '../../../projections/runner/generation.js';
import type { WriteSize } from '../../../projections/runner/write-size.js';
import { MessageRows } from '../../../src/features/narrow/queries/rows/message-rows.js';
import { Fence } from '../../../src/platform/cluster/fence.js';
import {
  type DocumentDatabase,
  type DocumentStore,
  DocumentStoreUnavailable,
  TransactionTooLarge,
  type WholeWrite,
} from '../../../src/platform/documents/document-store.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { allWrites } from '../../../src/platform/documents/whole-write.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import type { Projection } from '../../../src/platform/read-models/projection.js';
import type { ReadModels } from '../../../src/platform/read-models/read-models.js';
import { history, type InHistory } from '../../support/history.js';
import { move } from '../../support/moves.js';
import { type Documents, documentsIn } from '../../support/projected.js';
import { recordedEvents } from '../../support/recorded.js';
import { withScratch } from '../../support/scratch.js';

const NAME = 'parted.v1.g1';
const UNBOUNDED: WriteSize = { documents: Number.MAX_SAFE_INTEGER, bytes: Number.MAX_SAFE_INTEGER };
const AWAY = new DocumentStoreUnavailable('away');

const withStore = <T>(work: (store: DocumentStore) => Promise<T>): Promise<T> =>
  withScratch(async (directory) => {
    const store = await SqliteDocumentStore.open(directory);
    return work(store).finally(() => store.close());
  });

/** The documents of one generation. */
const readModelsOf = ({ database, position }: Generation): ReadModels => ({
  collection: (_projection, name) => database.collection(name),
  position: () => position,
  waitFor: async () => {},
  onApplied: () => () => {},
});

const batchOf = (events: readonly Recorded[]) => ({ events, undecodable: [] });

/** Number of the projection's own documents that a write names. */
function documentsOf(write: WholeWrite): number {
  const own = allWrites(write).filter(({ collection }) => !['fence', 'eventInParts'].includes(collection));
  return own
    .flatMap(({ operations }) => operations)
    .reduce((sum, operation) => {
      const { filter } = Object.values(operation)[0] as { filter?: { _id?: { $in?: unknown[] } } };
      return sum + (filter?._id?.$in?.length ?? 1);
    }, 0);
}

/** Hears of each write before it is stored, and may refuse it before, or hide that it is stored. */
type Hook = (write: WholeWrite) => { readonly before?: Error; readonly after?: Error } | undefined;

function hooked(database: DocumentDatabase, hook: Hook): void {
  const write = database.write.bind(database);
  database.write = async (whole) => {
    const { before, after } = hook(whole) ?? {};
    if (before) throw before;
    const results = await write(whole);
    if (after) throw after;
    return results;
  };
}

describe('an event that changes more than a transaction may write', () => {
  let recorded: readonly Recorded[];
  beforeAll(async () => {
    recorded = await recordedEvents();
  });

  const inOneGo = (projection: Projection): Promise<Documents> =>
    withStore(async (store) => {
      const generation = await Generation.create(store, projection, NAME, undefined, UNBOUNDED);
      await generation.apply(batchOf(recorded), recorded.at(-1)?.position ?? 0);
      return documentsIn(generation.database, projection);
    });

  it.each(projections.map((each) => [each.name, each] as const))(
    'leaves the same documents of %s as in one go, whichever parts fail and whoever goes on',
    async (_name, projection) => {
      const expected = await inOneGo(projection);
      const end = recorded.at(-1)?.position ?? 0;
      const fault = fc.infiniteStream(
        fc.oneof(
          { weight: 12, arbitrary: fc.constant('none' as const) },
          fc.constantFrom('before' as const, 'after' as const),
        ),
      );
      const takenOver = fc.infiniteStream(fc.boolean());
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fault, takenOver, async (documents, faults, takeOvers) =>
          withStore(async (store) => {
            const most = { documents, bytes: UNBOUNDED.bytes };
            const hook: Hook = (write) => {
              expect(documentsOf(write)).toBeLessThanOrEqual(documents);
              const what = faults.next().value;
              return what === 'none' ? undefined : { [what]: AWAY };
            };
            let token = 1;
            let generation = await Generation.create(store, projection, NAME, new Fence(token), most);
            hooked(generation.database, hook);
            while (generation.position < end) {
              try {
                await generation.apply(batchOf(recorded), end);
              } catch (error) {
                expect(error).toBe(AWAY);
                if (takeOvers.next().value) {
                  token++;
                  const next = await Generation.open(store, projection, NAME, new Fence(token), most);
                  if (!next) throw new Error('the documents are gone');
                  generation = next;
                } else await generation.recover();
              }
            }
            expect(await documentsIn(generation.database, projection)).toEqual(expected);
            if (await generation.database.has('eventInParts')) {
              expect(await generation.database.collection('eventInParts').countDocuments({})).toBe(0);
            }
          }),
        ),
        { numRuns: 6 },
      );
    },
  );

  const sent = (channelId: number, topic: string): InHistory => [
    'messages',
    {
      type: 'MessageSent',
      data: {
        senderId: 1,
        recipient: { type: 'channel', channelId, topic },
        readBySender: true,
        localEcho: null,
        sendKey: null,
        content: { text: 'x', rendered: 'x', rendererVersion: 1 },
      },
    },
  ];
  const [from, to] = [
    { channelId: 1, topic: 'a' },
    { channelId: 2, topic: 'b' },
  ];
  const moved: InHistory = [
    'topics-1',
    { type: 'MessagesMoved', data: move(from, to, { anchorId: 1 }) },
    { actorId: 9 },
  ];

  it('shows every message in one place only while a topic moves, as its block does, also to readers that hold blocks', () =>
    withStore(async (store) => {
      const count = 2500;
      const events = history(...Array.from({ length: count }, () => sent(1, 'a')), moved);
      const generation = await Generation.create(store, messages, NAME);
      await generation.apply(batchOf(events.slice(0, count)), count);
      const { database } = generation;
      const rows = new MessageRows(readModelsOf(generation));
      const seen = async (): Promise<readonly number[]> => {
        const ids = Array.from({ length: count }, (_, index) => index + 1);
        return (await rows.byIds(ids)).map((row) => (row.type === 'channel' ? row.channelId : 0));
      };
      const shares: number[] = [];
      const look = async (): Promise<void> => {
        const all = await database
          .collection<{ _id: number; channelId: number }>('messages')
          .find({ _id: { $gte: 1 } }, { sort: { _id: 1 } });
        expect(all).toHaveLength(count);
        const blocks = await database.collection<BlockDocument>('blocks').find({ _id: { $gte: 0 } });
        const columnsOf = new Map(blocks.map(({ _id, columns }) => [_id, columns]));
        const inBlocks = all.map(({ _id }) => columnsOf.get(blockOf(_id))?.[(_id % 512) * ROW_LENGTH]);
        expect(all.map(({ channelId }) => channelId)).toEqual(inBlocks);
        expect(await seen()).toEqual(inBlocks);
        const topics = await database.collection('topics').find({ channelId: { $in: [1, 2] } });
        for (const channelId of new Set(inBlocks))
          expect(topics).toContainEqual(expect.objectContaining({ channelId }));
        shares.push(all.filter(({ channelId }) => channelId === 2).length);
      };
      const write = database.write.bind(database);
      database.write = async (whole) => {
        const results = await write(whole);
        await look();
        return results;
      };
      await generation.apply(batchOf(events), count + 1);
      expect(generation.position).toBe(count + 1);
      expect(shares.at(-1)).toBe(count);
      // Some of the looks saw the move half done.
      expect(shares.filter((share) => share > 0 && share < count).length).toBeGreaterThan(1);
    }));

  it('is applied in smaller parts if the engine refuses one as too large', () =>
    withStore(async (store) => {
      const events = history(sent(1, 'a'), sent(1, 'a'), sent(1, 'a'), moved, sent(1, 'a'));
      const generation = await Generation.create(store, messages, NAME);
      const sizes: number[] = [];
      hooked(generation.database, (write) => {
        const documents = documentsOf(write);
        if (documents > 2) return { before: new TransactionTooLarge('messages', 0) };
        sizes.push(documents);
        return undefined;
      });
      await generation.apply(batchOf(events), 5);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(2);
      const { messages: all = [] } = await documentsIn(generation.database, messages);
      expect(all.map((each) => (each as unknown as { channelId: number }).channelId)).toEqual([2, 2, 2, 1]);
    }));

  /** Refuses writes until half of the parts are stored, then all. */
  const halfApplied = async (generation: Generation, events: readonly Recorded[]): Promise<void> => {
    let parts = 0;
    const write = generation.database.write.bind(generation.database);
    hooked(generation.database, (whole) => {
      const isPart = documentsOf(whole) > 0;
      return isPart && ++parts > 2 ? { before: AWAY } : undefined;
    });
    await expect(generation.apply(batchOf(events), events.length)).rejects.toBe(AWAY);
    generation.database.write = write;
  };

  it('is not resumed once a process of an older version has applied it whole', () =>
    withStore(async (store) => {
      const [x, y] = [sent(1, 'a'), sent(2, 'b')];
      const events = history(x, x, x, moved, y, y, y);
      const most = { documents: 2, bytes: UNBOUNDED.bytes };
      const generation = await Generation.create(store, messages, NAME, undefined, most);
      await generation.apply(batchOf(events.slice(0, 3)), 3);
      await halfApplied(generation, events.slice(0, 4));

      const { database } = generation;
      expect(await database.collection('eventInParts').countDocuments({})).toBeGreaterThan(0);
      const older = await documentsAfter(events.slice(0, 6));
      const writes = Object.entries(older).flatMap(([collection, documents]) => [
        { collection, operations: [{ deleteMany: { filter: {} } }] },
        { collection, operations: documents.map((document) => ({ insertOne: { document } })) },
      ]);
      await database.write({ writes, checkpoint: 6 });

      const next = await Generation.open(store, messages, NAME, undefined, most);
      await next?.apply(batchOf(events), 7);
      expect(await documentsIn(database, messages)).toEqual(await documentsAfter(events));
      expect(await database.collection('eventInParts').countDocuments({})).toBe(0);
    }));

  const documentsAfter = (events: readonly Recorded[]): Promise<Documents> =>
    withStore(async (store) => {
      const generation = await Generation.create(store, messages, NAME, undefined, UNBOUNDED);
      await generation.apply(batchOf(events), events.length);
      return documentsIn(generation.database, messages);
    });

  it('may name a million documents in one change', () =>
    withStore(async (store) => {
      const ids = Array.from({ length: 1_000_000 }, (_, n) => 9_007_199_000_000_000 + n);
      const clearing: Projection = {
        name: 'clearing',
        version: 1,
        collections: { kept: {} },
        on: {
          MessageSent: () => [{ collection: 'kept', operation: { deleteMany: { filter: { _id: { $in: ids } } } } }],
        },
      };
      const most = { documents: 100_000, bytes: UNBOUNDED.bytes };
      const generation = await Generation.create(store, clearing, NAME, undefined, most);
      let longest = 0;
      hooked(generation.database, (write) => {
        for (const { operations } of allWrites(write))
          for (const operation of operations)
            if ('insertOne' in operation) longest = Math.max(longest, JSON.stringify(operation).length);
        return undefined;
      });
      await generation.apply(batchOf(history(sent(1, 'a'))), 1);
      expect(generation.position).toBe(1);
      expect(longest).toBeGreaterThan(0);
      // MongoDB refuses documents of 16 MB.
      expect(longest).toBeLessThan(8 * 1024 * 1024);
    }));
});
