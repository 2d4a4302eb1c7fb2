import { describe, expect, it } from '@jest/globals';
import { messages } from '../../../projections/messages/messages.projection.js';
import { Generation } from '../../../projections/runner/generation.js';
import { allWrites } from '../../../src/platform/documents/whole-write.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import type { Projection } from '../../../src/platform/read-models/projection.js';
import { history } from '../../support/events/history.js';
import {
  AWAY,
  batchOf,
  documentsOf,
  hooked,
  moved,
  NAME,
  sent,
  UNBOUNDED,
  withStore,
} from '../../support/projections/events-in-parts.js';
import { type Documents, documentsIn } from '../../support/projections/projected.js';

describe('the plan of an event that is applied in parts', () => {
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

  it('is left half done when the generation leaves the log, and done by the next that opens the documents', () =>
    withStore(async (store) => {
      const [x, y] = [sent(1, 'a'), sent(2, 'b')];
      const events = history(x, x, x, moved, y);
      const most = { documents: 2, bytes: UNBOUNDED.bytes };
      const generation = await Generation.create(store, messages, NAME, undefined, most);
      await generation.apply(batchOf(events.slice(0, 3)), 3);
      const leaving = new AbortController();
      generation.stopWith(leaving.signal);
      let parts = 0;
      hooked(generation.database, (write) => {
        if (documentsOf(write) > 0 && ++parts === 2) leaving.abort(new Error('leaves'));
        return undefined;
      });
      await expect(generation.apply(batchOf(events), 5)).rejects.toThrow('leaves');
      expect(parts).toBe(2);
      expect(generation.position).toBe(3);

      const next = await Generation.open(store, messages, NAME, undefined, most);
      await next?.apply(batchOf(events), 5);
      expect(await documentsIn(generation.database, messages)).toEqual(await documentsAfter(events));
    }));
});
