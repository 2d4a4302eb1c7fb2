import { describe, expect, it } from '@jest/globals';
import { clientEventId, lastIdAt } from '../../../projections/client-events/client-events.documents.js';
import type { EventQueueDocument } from '../../../projections/event-queues/event-queues.projection.js';
import { answerInOrder, type StoredPart } from '../../../src/features/event-queues/queries/answer-in-order.js';

const queue = {} as EventQueueDocument;
/** The id of a stored event: position, and its place among the client events of the position. */
const id = (position: number, nth = 0) => clientEventId(position, 512 + nth);
const stored = (...ids: readonly number[]) => ids.map((id) => ({ id, text: JSON.stringify({ id }) }));

/** Ephemeral events of the positions at which they happened, until they are given. */
class Ephemeral {
  constructor(readonly waiting: number[]) {}

  give(_: EventQueueDocument, accept: (body: { happened: number }, position: number) => boolean): void {
    while (this.waiting[0] !== undefined && accept({ happened: this.waiting[0] }, this.waiting[0]))
      this.waiting.shift();
  }
}

interface Answered {
  readonly id: number;
  /** Of ephemeral events. */
  readonly happened?: number;
}

const answer = (part: StoredPart, ephemeral: Ephemeral): Answered[] =>
  answerInOrder(part, ephemeral, queue).map((text) => JSON.parse(text));

describe('an answer with stored and ephemeral events', () => {
  it('has them in the order in which they happened', () => {
    const part = { texts: stored(id(4), id(4, 1), id(6)), cursor: id(2), through: lastIdAt(7), isAtEnd: true };
    const ephemeral = new Ephemeral([3, 4, 4, 5, 7]);
    expect(answer(part, ephemeral)).toEqual([
      { happened: 3, id: lastIdAt(3) + 1 },
      { id: id(4) },
      { id: id(4, 1) },
      { happened: 4, id: lastIdAt(4) + 1 },
      { happened: 4, id: lastIdAt(4) + 2 },
      { happened: 5, id: lastIdAt(5) + 1 },
      { id: id(6) },
      { happened: 7, id: lastIdAt(7) + 1 },
    ]);
    expect(ephemeral.waiting).toEqual([]);
  });

  it('has no ephemeral event behind its last stored one if it lacks stored ones', () => {
    const ephemeral = new Ephemeral([3, 4, 9]);
    const part = { texts: stored(id(4)), cursor: id(2), through: id(4), isAtEnd: false };
    expect(answer(part, ephemeral)).toEqual([{ happened: 3, id: lastIdAt(3) + 1 }, { id: id(4) }]);
    expect(ephemeral.waiting).toEqual([4, 9]);
    const rest = { texts: stored(id(4, 1)), cursor: id(4), through: lastIdAt(9), isAtEnd: true };
    expect(answer(rest, ephemeral)).toEqual([
      { id: id(4, 1) },
      { happened: 4, id: lastIdAt(4) + 1 },
      { happened: 9, id: lastIdAt(9) + 1 },
    ]);
  });

  it('never splits a position that the client has in part', () => {
    const part = { texts: stored(id(4, 1)), cursor: id(4), through: lastIdAt(4), isAtEnd: true };
    expect(answer(part, new Ephemeral([3]))).toEqual([{ id: id(4, 1) }, { happened: 3, id: lastIdAt(4) + 1 }]);
    const behind = { texts: [], cursor: id(4), through: id(4), isAtEnd: true };
    expect(answer(behind, new Ephemeral([3]))).toEqual([]);
  });

  it('goes on behind the id of the last ephemeral event, in a process whose feed is behind, too', () => {
    const cursor = lastIdAt(4) + 3;
    for (const through of [lastIdAt(4), cursor]) {
      const part = { texts: [], cursor, through, isAtEnd: true };
      expect(answer(part, new Ephemeral([2, 8])).map(({ id }) => id)).toEqual([cursor + 1, cursor + 2]);
    }
  });

  it('skips nothing, whichever event is acknowledged, and its ids increase', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let run = 0; run < 60; run += 1) {
      const feed = Array.from({ length: 12 }, (_, at) => at + 1).flatMap((position) =>
        Array.from({ length: random(4) }, (_, nth) => id(position, nth)),
      );
      const ephemeral = new Ephemeral(Array.from({ length: 8 }, () => 1 + random(12)).sort((a, b) => a - b));
      const had = new Set<number>();
      let cursor = lastIdAt(0);
      for (let poll = 0; poll < 40; poll += 1) {
        const end = lastIdAt(Math.min(12, poll));
        const all = feed.filter((id) => id > cursor && id <= end);
        const texts = all.slice(0, 1 + random(5));
        const isAtEnd = texts.length === all.length;
        const through = isAtEnd ? Math.max(cursor, end) : (texts.at(-1) ?? cursor);
        const events = answer({ texts: stored(...texts), cursor, through, isAtEnd }, ephemeral);
        for (const event of events) {
          expect(event.id).toBeGreaterThan(cursor);
          expect(feed.includes(event.id)).toBe(event.happened === undefined);
          cursor = event.id;
          had.add(cursor);
          expect(feed.filter((id) => id <= cursor && !had.has(id))).toEqual([]);
        }
      }
      expect(ephemeral.waiting).toEqual([]);
    }
  });
});
