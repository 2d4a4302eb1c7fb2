import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { nextSlice } from '../../../src/platform/kernel/slices.js';

const PIECES = 40;
const PIECE_MS = 4;
const WORKERS = 6;

function workFor(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe('slices of a turn of the event loop', () => {
  it('are left to others after three pieces, however many work', async () => {
    let pieces = 0;
    let longest = 0;
    const working = Promise.all(
      Array.from({ length: WORKERS }, async () => {
        for (let n = 0; n < PIECES; n++) {
          await nextSlice();
          workFor(PIECE_MS);
          pieces += 1;
        }
      }),
    );
    for (let before = 0; pieces < WORKERS * PIECES; before = pieces) {
      await nextTurn();
      longest = Math.max(longest, pieces - before);
    }
    await working;
    // The third begins before the slice of 10 ms is over.
    expect(longest).toBeLessThanOrEqual(3);
  });

  it('go to all who work, in turn', async () => {
    const done: string[] = [];
    await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        for (let n = 0; n < 3; n++) {
          await nextSlice();
          done.push(name);
        }
      }),
    );
    expect(done.join('')).toBe('abcabcabc');
  });

  it('are there for work that begins when all has ended', async () => {
    await nextSlice();
    await nextTurn();
    await nextSlice();
  });

  it('go on behind work that fails', async () => {
    const failing = nextSlice().then(() => {
      throw new Error('failed');
    });
    const other = nextSlice();
    await expect(failing).rejects.toThrow('failed');
    await other;
  });
});
