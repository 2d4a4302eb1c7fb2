import { describe, expect, it } from '@jest/globals';
import {
  type CollectionSpec,
  type DocumentStore,
  UnboundedFilter,
} from '../../src/platform/documents/document-store.js';
import { examinedBy, filled, newCollection, type Thing } from '../support/engines/document-store-collections.js';
import type { Shortfalls } from '../support/engines/document-store-shortfalls.js';

const MESSAGES: CollectionSpec = {
  indexes: [
    { keys: { channelId: 1, position: 1 } },
    { keys: { people: 1, position: 1 }, multikey: 'people', sparse: true },
    { keys: { position: 1 } },
    { keys: { secret: 1 }, sparse: true },
  ],
};

/** Twenty messages in each channel, with interleaved positions, and a hundred direct messages. */
function history(channels: number): Thing[] {
  const sent = channels * 20;
  return Array.from({ length: sent + 100 }, (_, at) =>
    at < sent
      ? { _id: at, position: (at * 7919) % sent, channelId: at % channels, tenth: ((at * 7919) >> 4) % 10 }
      : { _id: at, position: at, people: [at % 5, 7] },
  );
}

/** The cost of a filter is part of the contract: it needs an index, and examines few more documents than it returns. */
export function bounds(store: () => DocumentStore, shortfalls: Shortfalls): void {
  describe('a filter that no index bounds', () => {
    it.each([
      ['without any condition', {}],
      ['of a field without an index', { tenth: 1 }],
      ['of the second key only', { people: { $exists: true } }],
      ['that only excludes', { $nor: [{ position: 5 }] }],
      ['that only negates', { $nor: [{ position: { $gt: 5 } }] }],
      ['with one unbounded branch', { $or: [{ channelId: 1 }, { tenth: 1 }] }],
      ['of null in a sparse index', { secret: null }],
      ['of null among others in a sparse index', { secret: { $in: [1, null] } }],
    ])('is refused: %s', async (_, filter) => {
      const things = await newCollection(store(), MESSAGES);
      await expect(things.find(filter)).rejects.toThrow(UnboundedFilter);
      await expect(things.findOne(filter)).rejects.toThrow(UnboundedFilter);
      await expect(things.updateMany(filter, { $set: { x: 1 } })).rejects.toThrow(UnboundedFilter);
      await expect(things.deleteOne(filter)).rejects.toThrow(UnboundedFilter);
      if (Object.keys(filter).length > 0) {
        await expect(things.countDocuments(filter)).rejects.toThrow(UnboundedFilter);
        await expect(things.deleteMany(filter)).rejects.toThrow(UnboundedFilter);
        await expect(things.find(filter, { sort: { _id: 1 }, limit: 1 })).rejects.toThrow(UnboundedFilter);
      }
    });

    it('may be empty if there is a limit, and the order is the order of an index of every document', async () => {
      const things = await filled(store(), MESSAGES, history(1).slice(0, 10));
      expect(await things.find({}, { sort: { position: -1 }, limit: 3 })).toHaveLength(3);
      expect(await things.findOne({}, { sort: { _id: -1 } })).toMatchObject({ _id: 9 });
      await expect(things.find({}, { sort: { position: -1 } })).rejects.toThrow(UnboundedFilter);
      await expect(things.find({}, { limit: 3 })).rejects.toThrow(UnboundedFilter);
      await expect(things.find({}, { sort: { tenth: 1 }, limit: 3 })).rejects.toThrow(UnboundedFilter);
      await expect(things.find({}, { sort: { secret: 1 }, limit: 3 })).rejects.toThrow(UnboundedFilter);
      expect(await things.countDocuments({})).toBe(10);
    });
  });

  it('examines few more documents than it returns', async () => {
    // If the server does not report the cost of merging, a few channels show as much as a thousand.
    const CHANNELS = shortfalls.rowsExamined || shortfalls.plans ? 40 : 1000;
    const SENT = CHANNELS * 20;
    const messages = history(CHANNELS);
    const channels = Array.from({ length: CHANNELS }, (_, at) => at);
    const things = await filled(store(), MESSAGES, messages);
    const newest = (filter: object, sort: Record<string, 1 | -1> = { position: -1 }) =>
      examinedBy(store(), () => things.find({ ...filter }, { sort, limit: 100 }), shortfalls);
    const looksAt = async (filter: object, count: number, sort?: Record<string, 1 | -1>): Promise<void> => {
      const { result, examined } = await newest(filter, sort);
      expect(result).toHaveLength(count);
      expect(examined).toBe(count);
    };
    const positions = (found: Thing[]) => found.map(({ position }) => position);

    // A range of one index examines exactly the documents that it returns.
    if (!shortfalls.rowsExamined) {
      await looksAt({ position: { $lt: 15_000 } }, 100);
      await looksAt({ _id: { $gt: 500 } }, 100, { _id: 1 });
      await looksAt({ people: 7 }, 100);
      await looksAt({ channelId: 5 }, 20, { position: 1 });
    }

    const expectAtMost = (most: number, { examined }: { readonly examined: number }): void => {
      if (!shortfalls.plans) expect(examined).toBeLessThan(most);
    };

    // A thousand ranges are merged: one document of each is examined, and then little more than the answer.
    for (const below of [SENT, SENT / 2, 300]) {
      const found = await newest({ channelId: { $in: channels }, position: { $lt: below } });
      expect(positions(found.result)).toEqual(Array.from({ length: 100 }, (_, at) => below - 1 - at));
      expectAtMost(CHANNELS + 400, found);
    }

    // A thousand branches with bounds of their own are merged in the same way.
    const branches = channels.map((channelId) => ({
      channelId,
      position: { $gt: channelId, $lte: SENT - channelId },
    }));
    const satisfies = ({ position, channelId, people }: Thing) =>
      people !== undefined || (Number(position) > Number(channelId) && Number(position) <= SENT - Number(channelId));
    const newestOf = (some: Thing[]) =>
      positions(some)
        .sort((a, b) => Number(b) - Number(a))
        .slice(0, 100);
    const merged = await newest({ $or: [...branches, { people: 7 }] });
    expect(positions(merged.result)).toEqual(newestOf(messages.filter(satisfies)));
    expectAtMost(CHANNELS + 400, merged);

    // This holds even if nine of ten documents do not match the rest of the filter, and if branches overlap.
    const some = await newest({ $or: branches, tenth: 3 });
    expect(positions(some.result)).toEqual(
      newestOf(messages.filter((each) => each.people === undefined && satisfies(each) && each.tenth === 3)),
    );
    expectAtMost(CHANNELS + 3000, some);
    const twice = await newest({ $or: [...branches, ...branches, { position: { $lt: SENT } }] });
    expect(positions(twice.result)).toEqual(Array.from({ length: 100 }, (_, at) => SENT - 1 - at));
  });

  const itIfCounted = shortfalls.rowsExamined ? it.skip : it;
  itIfCounted('counts the documents that it examines, not only those that it returns', async () => {
    const things = await filled(store(), MESSAGES, history(50).slice(0, 1000));
    const { examined, returned } = await examinedBy(store(), () =>
      things.find({ position: { $gte: 0 }, tenth: 'never' }),
    );
    expect(examined).toBeGreaterThanOrEqual(1000);
    expect(returned).toBe(0);
  });
}
