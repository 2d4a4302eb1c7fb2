import { describe, expect, it } from '@jest/globals';
import { Overloaded } from '../../../src/platform/kernel/admission.js';
import { ReadTurn, ReadTurns } from '../../../src/platform/kernel/read-turns.js';
import { eventually } from '../../support/eventually.js';

const MANY = { atOnce: 100, atOnceEach: 100, mostWaiting: 1_000, longestWait: 60_000 };

/** Turns, and the names of the reads that have begun, in their order. */
function reading(options: Partial<typeof MANY> = {}) {
  const turns = new ReadTurns({ ...MANY, ...options });
  const begun: string[] = [];
  const begin = async (caller: number | string, name: string): Promise<ReadTurn> => {
    const turn = new ReadTurn(turns, caller);
    await turn.begin();
    begun.push(name);
    return turn;
  };
  return { turns, begun, begin };
}

const work = (milliseconds: number): void => {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
};

describe('turns of reads', () => {
  it('begin at once while there is room', () => {
    const { turns } = reading();
    expect(new ReadTurn(turns, 1).begin()).toBeNull();
    expect(turns.load).toEqual({ atWork: 1, waiting: 0 });
  });

  it('are given to callers in turns, and to the reads of each in their order', async () => {
    const { begun, begin } = reading({ atOnce: 1 });
    const first = await begin(9, 'first');
    const all = [
      begin(1, 'a1'),
      begin(1, 'a2'),
      begin(1, 'a3'),
      begin('10.0.0.1', 'b1'),
      begin(3, 'c1'),
      begin(3, 'c2'),
    ];
    first.ended();
    for (const read of all) void read.then((turn) => turn.ended());
    await Promise.all(all);
    expect(begun).toEqual(['first', 'a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  });

  it('are given first to the caller with the fewest answers that are not taken', async () => {
    const { begun, begin } = reading({ atOnce: 1, atOnceEach: 3 });
    (await begin(1, 'a1')).ended();
    const last = await begin(1, 'a2');
    const all = [begin(1, 'a3'), begin(2, 'b1'), begin(2, 'b2'), begin(2, 'b3'), begin(3, 'c1')];
    for (const read of all) void read.then((turn) => turn.ended());
    last.ended();
    await Promise.all(all);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'b2', 'a3', 'b3']);
  });

  it('leave room for others while answers of a caller are not taken', async () => {
    const { turns, begun, begin } = reading({ atOnceEach: 2 });
    const untaken = [await begin(1, 'a1'), await begin(1, 'a2')];
    for (const turn of untaken) turn.ended();
    const next = begin(1, 'a3');
    await begin(2, 'b1');
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    untaken[0]?.closed();
    await next;
    expect(turns.load).toEqual({ atWork: 2, waiting: 0 });
  });

  it('end, whether the client hangs up before the read has ended or after', async () => {
    const { turns, begin } = reading({ atOnceEach: 1 });
    const early = await begin(1, 'early');
    early.closed();
    expect(turns.load.atWork).toBe(1);
    early.ended();
    const late = await begin(1, 'late');
    late.ended();
    late.closed();
    late.closed();
    await begin(1, 'next');
    expect(turns.load).toEqual({ atWork: 1, waiting: 0 });
  });

  it('are given to others while a read waits for something else', async () => {
    const { begun, begin } = reading({ atOnce: 1, mostWaiting: 2 });
    const first = await begin(1, 'first');
    let other: ReadTurn | undefined;
    await first.outside(async () => {
      other = await begin(2, 'other');
      setImmediate(() => other?.ended());
    });
    expect(begun).toEqual(['first', 'other']);
    const next = begin(2, 'next');
    first.closed();
    first.ended();
    await next;
  });

  it('go to a read that comes back before those that have not begun', async () => {
    const { turns, begun, begin } = reading({ atOnce: 1 });
    const first = await begin(1, 'first');
    let holder: ReadTurn | undefined;
    let comeBack = (): void => {};
    const back = first.outside(async () => {
      holder = await begin(2, 'holder');
      await new Promise<void>((resolve) => {
        comeBack = resolve;
      });
    });
    await eventually(() => expect(begun).toEqual(['first', 'holder']));
    const next = begin(3, 'next');
    comeBack();
    await eventually(() => expect(turns.load.waiting).toBe(2));
    holder?.ended();
    await back;
    expect(begun).toEqual(['first', 'holder']);
    first.ended();
    await next;
  });

  it('let everything else of the process run between them', async () => {
    const { begin } = reading();
    let turnsOfOthers = 0;
    let isOver = false;
    const other = (): void => {
      turnsOfOthers += 1;
      if (!isOver) setImmediate(other);
    };
    setImmediate(other);
    // As requests of 30 connections come in: within one turn of the event loop.
    const reads = Array.from(
      { length: 30 },
      (_, n) =>
        new Promise<void>((resolve, reject) =>
          setImmediate(async () => {
            const turn = await begin(n, `${n}`).catch(reject);
            work(5);
            turn?.ended();
            resolve();
          }),
        ),
    );
    await Promise.all(reads);
    isOver = true;
    // 150 ms of work in slices of 10 ms.
    expect(turnsOfOthers).toBeGreaterThanOrEqual(10);
  });

  it('are refused to too many, and half of the line is the most for one caller', async () => {
    const { turns, begin } = reading({ atOnce: 1, mostWaiting: 4 });
    const first = await begin(9, 'first');
    const waiting = [begin(1, 'a1'), begin(1, 'a2')];
    await expect(begin(1, 'a3')).rejects.toThrow(Overloaded);
    waiting.push(begin(2, 'b1'), begin(3, 'c1'));
    await expect(begin(4, 'd1')).rejects.toThrow(Overloaded);
    for (const read of waiting) void read.then((turn) => turn.ended());
    first.ended();
    await Promise.all(waiting);
    expect(turns.load).toEqual({ atWork: 0, waiting: 0 });
  });

  it('are refused after too long a wait, and not to a read that comes back', async () => {
    const { turns, begin } = reading({ atOnce: 1, longestWait: 1 });
    const back = await begin(1, 'back');
    let holder: ReadTurn | undefined;
    const again = back.outside(async () => {
      holder = await begin(2, 'holder');
    });
    await eventually(() => expect(turns.load).toEqual({ atWork: 1, waiting: 1 }));
    await expect(begin(3, 'late')).rejects.toThrow('its turn did not come in time');
    expect(turns.load).toEqual({ atWork: 1, waiting: 1 });
    holder?.ended();
    await again;
    expect(turns.load).toEqual({ atWork: 1, waiting: 0 });
  });
});
