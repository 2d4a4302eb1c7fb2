import { describe, expect, it } from '@jest/globals';
import { Admission, Overloaded } from '../../../src/platform/kernel/admission.js';
import { eventually } from '../../support/eventually.js';

const LONG = 60_000;

/** Names who is let in, in their order. */
function admitting(options: { atOnce: number; mostWaiting: number; longestWait?: number; clock?: () => number }) {
  const admission = new Admission({ longestWait: LONG, ...options });
  const letIn: string[] = [];
  const enter = async (caller: number, name: string): Promise<void> => {
    await admission.enter(caller);
    letIn.push(name);
  };
  return { admission, letIn, enter };
}

describe('admission', () => {
  it('lets in at once while there is room, and again when somebody has left', () => {
    const { admission } = admitting({ atOnce: 2, mostWaiting: 0 });
    expect([admission.enter(1), admission.enter(1)]).toEqual([null, null]);
    expect(() => admission.enter(1)).toThrow(Overloaded);
    admission.leave();
    expect(admission.enter(1)).toBeNull();
    expect(admission.load).toEqual({ atWork: 2, waiting: 0, refused: 1 });
  });

  it('has callers take turns, each in the order of their own', async () => {
    const { admission, letIn, enter } = admitting({ atOnce: 1, mostWaiting: 100 });
    await enter(9, 'first');
    const all = [enter(1, 'a1'), enter(1, 'a2'), enter(1, 'a3'), enter(2, 'b1'), enter(3, 'c1'), enter(2, 'b2')];
    for (const _ of all) {
      admission.leave();
      await Promise.resolve();
    }
    await Promise.all(all);
    expect(letIn).toEqual(['first', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect(admission.load).toEqual({ atWork: 1, waiting: 0, refused: 0 });
  });

  it('leaves room for others where one caller fills half of the queue', async () => {
    const { admission, enter } = admitting({ atOnce: 1, mostWaiting: 4 });
    await enter(9, 'first');
    const waiting = [enter(1, 'a1'), enter(1, 'a2')];
    await expect(enter(1, 'a3')).rejects.toThrow(Overloaded);
    waiting.push(enter(2, 'b1'), enter(3, 'c1'));
    await expect(enter(4, 'd1')).rejects.toThrow(Overloaded);
    for (const _ of waiting) admission.leave();
    await Promise.all(waiting);
    expect(admission.load).toEqual({ atWork: 1, waiting: 0, refused: 2 });
  });

  it('gives the place of who waits for others to somebody else meanwhile', async () => {
    const { admission, letIn, enter } = admitting({ atOnce: 1, mostWaiting: 4 });
    await enter(9, 'first');
    const next = enter(1, 'next');
    await admission.outside(async () => {
      await next;
      expect(letIn).toEqual(['first', 'next']);
    });
    expect(admission.load).toEqual({ atWork: 2, waiting: 0, refused: 0 });
    admission.leave();
    admission.leave();
    expect(admission.load).toEqual({ atWork: 0, waiting: 0, refused: 0 });
  });

  it('sends away who has waited too long, whose turn then goes to the next', async () => {
    let now = 0;
    const { admission, letIn, enter } = admitting({ atOnce: 1, mostWaiting: 4, longestWait: 10, clock: () => now });
    await enter(9, 'first');
    const late = enter(1, 'late');
    now = 11;
    await expect(late).rejects.toThrow(Overloaded);
    const next = enter(2, 'next');
    admission.leave();
    await next;
    expect(letIn).toEqual(['first', 'next']);
    admission.leave();
    expect(admission.load).toEqual({ atWork: 0, waiting: 0, refused: 1 });
  });

  it('sends away at once who would wait in vain, when it shows how slowly it goes', async () => {
    let now = 0;
    const { admission, letIn, enter } = admitting({
      atOnce: 1,
      mostWaiting: 1000,
      longestWait: 10_000,
      clock: () => now,
    });
    await enter(9, 'first');
    const fates: string[] = [];
    const crowd = Array.from({ length: 100 }, (_, n) =>
      enter(n % 10, `turn ${n}`).then(
        () => fates.push('let in'),
        (error: unknown) => fates.push(error instanceof Overloaded ? 'sent away' : String(error)),
      ),
    );
    // Two turns a second, for six of the ten seconds.
    for (let turn = 0; turn < 12; turn++) admission.leave();
    now = 6000;
    await eventually(() => expect(admission.load).toEqual({ atWork: 1, waiting: 9, refused: 79 }));
    // Whoever is left is who would have been next.
    for (let turn = 0; turn < 9; turn++) admission.leave();
    await Promise.all(crowd);
    expect(fates.filter((fate) => fate === 'sent away')).toHaveLength(79);
    expect(letIn).toEqual(['first', ...Array.from({ length: 21 }, (_, n) => `turn ${n}`)]);
  });
});
