import { describe, expect, it } from '@jest/globals';
import {
  type Collection,
  type CollectionSpec,
  type DocumentStore,
  type Filter,
  type FindOptions,
  type Sort,
  UnboundedFilter,
} from '../../src/platform/documents/document-store.js';
import { dice, oneOf, type Roll } from '../support/dice.js';
import { filled, type Thing } from '../support/engines/document-store-collections.js';

const SPEC: CollectionSpec = {
  indexes: [
    { keys: { about: 1, _id: 1 }, sparse: true, multikey: 'about' },
    { keys: { actor: 1, _id: 1 }, sparse: true },
    { keys: { kind: 1, _id: 1 } },
    { keys: { day: 1 } },
  ],
};
const COUNT = 300;
const QUESTIONS = 150;

interface Event extends Thing {
  readonly about?: readonly string[];
  readonly actor?: number;
  readonly kind: string | null;
  readonly day: number;
}

const drawn = (_id: number | string, roll: Roll): Event => ({
  _id,
  kind: roll(9) === 0 ? null : oneOf(['sent', 'edited', 's"quoted"', '7'], roll),
  day: roll(5),
  ...(roll(4) > 0 && { actor: roll(4) }),
  ...(roll(4) > 0 && { about: ['a', 'b', 'c'].filter(() => roll(2) === 0) }),
});

const numbered = (at: number): number => at * 3;
const named = (at: number): string => `n${String(at).padStart(4, '0')}`;

/** A condition, and whether a document meets it. */
interface Condition {
  readonly filter: object;
  readonly holds: (event: Event) => boolean;
}

const about = (key: string): Condition => ({
  filter: { about: key },
  holds: (event) => event.about?.includes(key) ?? false,
});
const actors = (wanted: readonly number[]): Condition => ({
  filter: { actor: { $in: wanted } },
  holds: ({ actor }) => actor !== undefined && wanted.includes(actor),
});
const kinds = (wanted: readonly (string | null)[]): Condition => ({
  filter: { kind: wanted.length === 1 ? wanted[0] : { $in: wanted } },
  holds: ({ kind }) => wanted.includes(kind),
});

function other(roll: Roll): Condition {
  return oneOf(
    [
      about(oneOf(['a', 'b', 'c', 'd'], roll)),
      actors([roll(5)]),
      actors([roll(4), roll(4)]),
      kinds([oneOf(['sent', 's"quoted"', '7', 'none'], roll)]),
      kinds(['sent', oneOf(['edited', 's"quoted"', '7', null], roll)]),
      kinds([null]),
      { filter: { day: { $gte: 3 } }, holds: ({ day }) => day >= 3 },
      { filter: { $or: [{ day: 1 }, { actor: 2 }] }, holds: ({ day, actor }) => day === 1 || actor === 2 },
    ],
    roll,
  );
}

/** `skip` leaves out documents, and `hint` names the index to read: neither changes which documents satisfy a filter. */
export function hints(store: () => DocumentStore): void {
  describe.each([
    ['numbers', numbered],
    ['texts', named],
  ])('with ids that are %s', (_, idOf) => {
    const made = async (seed: number): Promise<readonly [Collection<Thing>, readonly Event[]]> => {
      const roll = dice(seed);
      const events = Array.from({ length: COUNT }, (_each, at) => drawn(idOf(at), roll));
      return [await filled(store(), SPEC, events), events];
    };

    it('a hint and further conditions find what a look at each document finds', async () => {
      const [things, events] = await made(1);
      const roll = dice(2);
      let found = 0;
      for (let n = 0; n < QUESTIONS; n++) {
        const [first, hint] = oneOf<readonly [Condition, Sort]>(
          [
            [about(oneOf(['a', 'b', 'c'], roll)), { about: 1, _id: 1 }],
            [actors([roll(4)]), { actor: 1, _id: 1 }],
            [actors([1, 3]), { actor: 1, _id: 1 }],
            [kinds([oneOf(['sent', '7'], roll)]), { kind: 1, _id: 1 }],
          ],
          roll,
        );
        const conditions = [first, ...Array.from({ length: roll(4) }, () => other(roll))];
        const window = { $gt: idOf(roll(100)), $lt: idOf(200 + roll(100)) };
        const direction = roll(2) === 0 ? 1 : -1;
        const [skip, limit] = [roll(3) === 0 ? roll(20) : 0, 1 + roll(60)];
        const filter = { $and: conditions.map((condition) => ({ ...condition.filter, _id: window })) };
        const options: FindOptions = { sort: { _id: direction }, skip, limit, hint };
        const expected = events
          .filter(({ _id }) => _id > window.$gt && _id < window.$lt)
          .filter((event) => conditions.every(({ holds }) => holds(event)));
        if (direction === -1) expected.reverse();
        const told = { n, filter, options };
        expect({ ...told, found: await things.find(filter, options) }).toEqual({
          ...told,
          found: expected.slice(skip, skip + limit),
        });
        if (expected.length > 0) found++;
      }
      expect(found).toBeGreaterThan(QUESTIONS / 3);
    });

    it('a skip leaves out the first documents, in one range, in several, and behind other conditions', async () => {
      const [things, events] = await made(3);
      const skipped = async (filter: Filter<Thing>, options: FindOptions, holds: (event: Event) => boolean) => {
        const ids = events.filter(holds).map(({ _id }) => _id);
        for (const skip of [0, 1, 7, ids.length - 1, ids.length, COUNT * 2]) {
          for (const limit of [undefined, 1, 5, COUNT]) {
            for (const projection of [undefined, { _id: 1 } as const]) {
              const found = await things.find(filter, {
                ...options,
                skip,
                ...(limit !== undefined && { limit }),
                ...(projection && { projection }),
              });
              const told = { filter, skip, limit };
              expect({ ...told, ids: found.map(({ _id }) => _id) }).toEqual({
                ...told,
                ids: ids.slice(skip, limit === undefined ? undefined : skip + limit),
              });
            }
          }
        }
      };
      const byId: FindOptions = { sort: { _id: 1 } };
      await skipped({ about: 'a' }, byId, about('a').holds);
      await skipped({ actor: 2 }, byId, actors([2]).holds);
      await skipped({ actor: { $in: [0, 3] } }, byId, actors([0, 3]).holds);
      await skipped(
        { $or: [{ about: 'a' }, { actor: 1 }] },
        byId,
        (event) => event.actor === 1 || about('a').holds(event),
      );
      await skipped(
        { about: { $in: ['a', 'b'] } },
        byId,
        (event) => about('a').holds(event) || about('b').holds(event),
      );
      await skipped({ actor: 2, kind: 'sent' }, byId, ({ actor, kind }) => actor === 2 && kind === 'sent');
      await skipped({ day: { $gte: 3 } }, byId, ({ day }) => day >= 3);
    });
  });

  it('reads `_id` alone of a range, and nothing else', async () => {
    const things = await filled(store(), SPEC, [{ _id: 4, actor: 1, kind: 'sent', day: 2, about: ['a'] }]);
    const options = { sort: { _id: 1 }, projection: { _id: 1 } } as const;
    for (const filter of [{ actor: 1 }, { about: 'a' }, { kind: 'sent' }, { _id: { $gt: 1 } }])
      expect(await things.find(filter, options)).toEqual([{ _id: 4 }]);
  });

  it('refuses a hint of an index that does not bound the filter, or that is not there', async () => {
    const things = await filled(store(), SPEC, [{ _id: 4, actor: 1, kind: 'sent' }]);
    const hint: Sort = { actor: 1, _id: 1 };
    for (const filter of [{ kind: 'sent' }, { _id: 4 }, { actor: null }, { $or: [{ actor: 1 }, { kind: 'sent' }] }])
      await expect(things.find(filter, { hint })).rejects.toThrow(UnboundedFilter);
    await expect(things.find({ actor: 1 }, { hint: { actor: 1 } })).rejects.toThrow(TypeError);
    await expect(things.find({ actor: 1 }, { hint: { actor: -1, _id: 1 } })).rejects.toThrow(TypeError);
  });
}
