import { describe, expect, it } from '@jest/globals';
import { Admission, Overloaded } from '../../../src/platform/kernel/admission.js';
import { eventually } from '../../support/eventually.js';

const LONG = 60_000;

/** An admission, and the names of the commands that it admitted, in their order. */
function admitting(options: { atOnce: number; mostWaiting: number; longestWait?: number; clock?: () => number }) {
  const admission = new Admission({ longestWait: LONG, ...options });
  const admitted: string[] = [];
  const enter = async (caller: number, name: string): Promise<void> => {
    await admission.enter(caller);
    admitted.push(name);
  };
  return { admission, admitted, enter };
}

describe('admission', () => {
  it('admits commands at once while there is room, and again when one has left', () => {
    const { admission } = admitting({ atOnce: 2, mostWaiting: 0 });
    expect([admission.enter(1), admission.enter(1)]).toEqual([null, null]);
    expect(() => admission.enter(1)).toThrow(Overloaded);
    admission.release();
    expect(admission.enter(1)).toBeNull();
    expect(admission.load).toEqual({ atWork: 2, waiting: 0, refused: 1 });
  });

  it('lets callers take turns, and keeps the order of each caller', async () => {
    const { admission, admitted, enter } = admitting({ atOnce: 1, mostWaiting: 100 });
    await enter(9, 'first');
    const all = [enter(1, 'a1'), enter(1, 'a2'), enter(1, 'a3'), enter(2, 'b1'), enter(3, 'c1'), enter(2, 'b2')];
    for (const _ of all) {
      admission.release();
      await Promise.resolve();
    }
    await Promise.all(all);
    expect(admitted).toEqual(['first', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect(admission.load).toEqual({ atWork: 1, waiting: 0, refused: 0 });
  });

  it('lets one caller fill at most half of the queue', async () => {
    const { admission, enter } = admitting({ atOnce: 1, mostWaiting: 4 });
    await enter(9, 'first');
    const waiting = [enter(1, 'a1'), enter(1, 'a2')];
    await expect(enter(1, 'a3')).rejects.toThrow(Overloaded);
    waiting.push(enter(2, 'b1'), enter(3, 'c1'));
    await expect(enter(4, 'd1')).rejects.toThrow(Overloaded);
    for (const _ of waiting) admission.release();
    await Promise.all(waiting);
    expect(admission.load).toEqual({ atWork: 1, waiting: 0, refused: 2 });
  });

  it('gives the place of a command that waits outside to another command', async () => {
    const { admission, admitted, enter } = admitting({ atOnce: 1, mostWaiting: 4 });
    await enter(9, 'first');
    const next = enter(1, 'next');
    await admission.outside(async () => {
      await next;
      expect(admitted).toEqual(['first', 'next']);
    });
    expect(admission.load).toEqual({ atWork: 2, waiting: 0, refused: 0 });
    admission.release();
    admission.release();
    expect(admission.load).toEqual({ atWork: 0, waiting: 0, refused: 0 });
  });

  it('refuses a command that waited too long, and admits the next one', async () => {
    let now = 0;
    const { admission, admitted, enter } = admitting({ atOnce: 1, mostWaiting: 4, longestWait: 10, clock: () => now });
    await enter(9, 'first');
    const late = enter(1, 'late');
    now = 11;
    await expect(late).rejects.toThrow(Overloaded);
    const next = enter(2, 'next');
    admission.release();
    await next;
    expect(admitted).toEqual(['first', 'next']);
    admission.release();
    expect(admission.load).toEqual({ atWork: 0, waiting: 0, refused: 1 });
  });

  it('refuses commands early that would wait too long at the measured speed', async () => {
    let now = 0;
    const { admission, admitted, enter } = admitting({
      atOnce: 1,
      mostWaiting: 1000,
      longestWait: 10_000,
      clock: () => now,
    });
    await enter(9, 'first');
    const outcomes: string[] = [];
    const crowd = Array.from({ length: 100 }, (_, n) =>
      enter(n % 10, `turn ${n}`).then(
        () => outcomes.push('admitted'),
        (error: unknown) => outcomes.push(error instanceof Overloaded ? 'refused' : String(error)),
      ),
    );
    // Twelve turns in six of the ten seconds: two turns a second.
    for (let turn = 0; turn < 12; turn++) admission.release();
    now = 6000;
    await eventually(() => expect(admission.load).toEqual({ atWork: 1, waiting: 9, refused: 79 }));
    // The commands that still wait are the next ones in the order of turns.
    for (let turn = 0; turn < 9; turn++) admission.release();
    await Promise.all(crowd);
    expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(79);
    expect(admitted).toEqual(['first', ...Array.from({ length: 21 }, (_, n) => `turn ${n}`)]);
  });
});
