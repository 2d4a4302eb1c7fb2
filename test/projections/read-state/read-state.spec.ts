import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  CHUNK_SIZE,
  chunkOf,
  decodeChunk,
  encodeChunk,
  noIds,
  setRange,
} from '../../../projections/read-state/id-chunk.js';
import { FLAGS, type FlagDocument, MUTES, readState } from '../../../projections/read-state/read-state.projection.js';
import { type IdRange, rangesOf, readStateStream } from '../../../src/events/read-state/read-state.events.js';
import { ReadState } from '../../../src/features/message-flags/queries/read-state.js';
import { history, type InHistory } from '../../support/events/history.js';
import { projected } from '../../support/projections/projected.js';

const change = (
  type: 'FlagsAdded' | 'FlagsRemoved',
  flag: string,
  ranges: readonly IdRange[],
  userId = 7,
): InHistory => [readStateStream(userId), { type, data: { userId, flag, ranges } }];
const added = (flag: string, ...ranges: IdRange[]): InHistory => change('FlagsAdded', flag, ranges);
const removed = (flag: string, ...ranges: IdRange[]): InHistory => change('FlagsRemoved', flag, ranges);
const allRead = (userId = 7): InHistory => [readStateStream(userId), { type: 'AllMessagesRead', data: { userId } }];

const documentsOf = async (...events: InHistory[]): Promise<readonly FlagDocument[]> =>
  (await projected(readState, history(...events)))[FLAGS] as readonly FlagDocument[];
const stateOf = async (...events: InHistory[]): Promise<ReadState> =>
  ReadState.none(7).with((await documentsOf(...events)).filter(({ userId }) => userId === 7));

const offset = fc.integer({ min: 0, max: CHUNK_SIZE - 1 });
const ranges = fc.array(
  fc
    .tuple(offset, fc.integer({ min: 0, max: 300 }))
    .map(([from, length]) => [from, Math.min(from + length, CHUNK_SIZE - 1)] as const),
  { maxLength: 40 },
);

describe('a chunk of ids', () => {
  it('holds the ids that were added and not removed, also after encoding and decoding', () => {
    fc.assert(
      fc.property(ranges, ranges, (ins, outs) => {
        const bits = noIds();
        const expected = new Set<number>();
        for (const [from, to] of ins) {
          setRange(bits, from, to, true);
          for (let id = from; id <= to; id++) expected.add(id);
        }
        for (const [from, to] of outs) {
          setRange(bits, from, to, false);
          for (let id = from; id <= to; id++) expected.delete(id);
        }
        const read = decodeChunk(encodeChunk(bits));
        expect(read).toEqual(bits);
        const ids: number[] = [];
        for (let id = 0; id < CHUNK_SIZE; id++) if (((read[id >>> 5] ?? 0) >>> (id & 31)) & 1) ids.push(id);
        expect(ids).toEqual([...expected].sort((a, b) => a - b));
      }),
      { numRuns: 40 },
    );
  });

  it('has a short encoding if it is full, empty or scattered', () => {
    const bits = noIds();
    expect(encodeChunk(bits)).toBe('r');
    for (let id = 0; id < CHUNK_SIZE; id += 2) setRange(bits, id, id, true);
    expect(encodeChunk(bits).length).toBeLessThan(11_000);
    setRange(bits, 0, CHUNK_SIZE - 1, true);
    expect(encodeChunk(bits).length).toBeLessThan(10);
    expect(decodeChunk(encodeChunk(bits))).toEqual(bits);
  });
});

describe('the read-state projection', () => {
  it('keeps each set in chunks, each with the position that last changed it', async () => {
    const far = CHUNK_SIZE * 3;
    const documents = await documentsOf(added('starred', [1, 2], [far - 1, far + 1]), added('collapsed', [5, 5]));
    expect(documents.map(({ _id, userId, set, position }) => ({ _id, userId, set, position }))).toEqual([
      { _id: '7/collapsed/0', userId: 7, set: 'collapsed', position: 2 },
      { _id: '7/starred/0', userId: 7, set: 'starred', position: 1 },
      { _id: '7/starred/2', userId: 7, set: 'starred', position: 1 },
      { _id: '7/starred/3', userId: 7, set: 'starred', position: 1 },
    ]);
    const state = await stateOf(added('starred', [1, 2], [far - 1, far + 1]));
    expect(state.ids('starred')).toEqual([1, 2, far - 1, far, far + 1]);
    expect(chunkOf(far)).toBe(3);
  });

  it('keeps messages that are marked as unread apart from messages that are not read yet', async () => {
    const state = await stateOf(added('read', [1, 5]), removed('read', [2, 3]), added('read', [3, 3]));
    expect([state.ids('read'), state.markedIds()]).toEqual([[1, 3, 4, 5], [2]]);
    const message = (_id: number) => ({ _id, sentPosition: 1 });
    expect([1, 2, 3, 6].map((id) => state.isMarkedRead(message(id)))).toEqual([true, false, true, null]);
  });

  it('keeps the position at which each message was marked as unread', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.boolean(), fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 })), {
          maxLength: 12,
        }),
        async (changes) => {
          const expected = new Map<number, number>();
          const events = changes.map(([isMarked, ids], index) => {
            for (const id of ids) {
              if (isMarked) expected.set(id, index + 1);
              else expected.delete(id);
            }
            return (isMarked ? removed : added)('read', ...rangesOf(ids));
          });
          const state = await stateOf(...events);
          const ids = [...expected.keys()].sort((a, b) => a - b);
          expect(state.markedIds()).toEqual(ids);
          for (let id = 1; id <= 60; id++) expect(state.markedUnreadAt(id)).toBe(expected.get(id) ?? null);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('empties the sets when everything is marked as read, and keeps the stars', async () => {
    const before = [added('read', [1, 5]), removed('read', [2, 2]), added('starred', [4, 4])];
    const state = await stateOf(...before, allRead(), removed('read', [3, 3]));
    expect([state.ids('read'), state.markedIds(), state.ids('starred')]).toEqual([[], [3], [4]]);
    expect(state.allReadAt).toBe(4);
    expect(state.isMarkedRead({ _id: 1, sentPosition: 3 })).toBe(true);
    expect(state.isMarkedRead({ _id: 3, sentPosition: 3 })).toBe(false);
    expect(state.isMarkedRead({ _id: 9, sentPosition: 5 })).toBeNull();
  });

  it("changes no other user's documents", async () => {
    const documents = await documentsOf(added('read', [1, 5]), change('FlagsAdded', 'read', [[1, 1]], 8), allRead(8));
    expect(documents.map(({ _id }) => _id)).toEqual(['7/read/0', '8/all']);
  });
});

describe('the search for the next unread id', () => {
  const id = fc.integer({ min: 1, max: 400 });

  it('finds the nearest id in either direction that the flags do not mark as read', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(id, { maxLength: 300 }),
        fc.array(id, { maxLength: 3 }),
        id,
        async (read, unread, known) => {
          const state = (
            await stateOf(allRead(), added('read', ...rangesOf(read)), removed('read', ...rangesOf(unread)))
          ).withAllReadThrough(known);
          const isOpen = (one: number): boolean => unread.includes(one) || (one > known && !read.includes(one));
          const all = Array.from({ length: 420 }, (_, index) => index + 1);
          for (const from of [1, 32, 33, known, known + 1, 200, 400]) {
            expect(state.nextUnread(from, 1)).toBe(all.find((one) => one >= from && isOpen(one)));
            expect(state.nextUnread(from, -1)).toBe(all.findLast((one) => one <= from && isOpen(one)) ?? null);
          }
          const bits = new Uint32Array(4);
          for (const first of [0, 128, 256, 384]) {
            const any = state.maybeUnread(first, bits);
            const open = Array.from({ length: 128 }, (_, at) => first + at).filter((one) => one > 0 && isOpen(one));
            const said = Array.from({ length: 128 }, (_, at) => first + at).filter(
              (one) => one > 0 && (((bits[(one - first) >>> 5] ?? 0) >>> ((one - first) & 31)) & 1) === 1,
            );
            expect({ any: any || open.length === 0, said }).toEqual({ any: true, said: open });
          }
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe('the muted users of a user', () => {
  const mute = (type: 'UserMuted' | 'UserUnmuted', mutedUserId: number, userId = 7): InHistory => [
    `user-${userId}`,
    { type, data: { userId, mutedUserId } },
  ];

  it('are kept with the interval of positions during which they were muted', async () => {
    const events = history(
      mute('UserMuted', 3),
      mute('UserMuted', 4),
      mute('UserUnmuted', 3),
      mute('UserMuted', 3, 8),
      mute('UserMuted', 3),
    );
    expect((await projected(readState, events))[MUTES]).toEqual([
      {
        _id: 7,
        muted: [
          { userId: 3, from: 1, to: 3 },
          { userId: 4, from: 2, to: null },
          { userId: 3, from: 5, to: null },
        ],
        position: 5,
      },
      { _id: 8, muted: [{ userId: 3, from: 4, to: null }], position: 4 },
    ]);
  });
});
