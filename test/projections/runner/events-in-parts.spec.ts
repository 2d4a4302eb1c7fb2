import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { projections } from '../../../projections/index.js';
import { type BlockDocument, blockOf, ROW_LENGTH } from '../../../projections/messages/message-blocks.js';
import { messages } from '../../../projections/messages/messages.projection.js';
import { Generation } from '../../../projections/runner/generation.js';
import { MessageRows } from '../../../src/features/messages/services/message-rows.js';
import { Fence } from '../../../src/platform/cluster/fence.js';
import { TransactionTooLarge } from '../../../src/platform/documents/document-store.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import type { Projection } from '../../../src/platform/read-models/projection.js';
import { history } from '../../support/events/history.js';
import { recordedEvents } from '../../support/events/recorded.js';
import {
  AWAY,
  batchOf,
  documentsOf,
  type Hook,
  hooked,
  moved,
  NAME,
  readModelsOf,
  sent,
  UNBOUNDED,
  withStore,
} from '../../support/projections/events-in-parts.js';
import { type Documents, documentsIn } from '../../support/projections/projected.js';

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
});
