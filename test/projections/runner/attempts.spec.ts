import { describe, expect, it } from '@jest/globals';
import { Attempts, type Stall } from '../../../projections/runner/attempts.js';
import { DocumentStoreUnavailable } from '../../../src/platform/documents/document-store.js';

const away = new DocumentStoreUnavailable('away');
const refused = new DocumentStoreUnavailable('a conflict', { isRefusal: true });

function attempts() {
  let now = 1_000_000;
  const waits: number[] = [];
  const told: (Stall | null)[] = [];
  const subject = new Attempts({
    onStall: (stall) => told.push(stall),
    now: () => now,
    pause: async (ms) => {
      waits.push(ms);
      now += ms;
    },
  });
  const fail = async (error: unknown, times: number): Promise<void> => {
    for (let n = 0; n < times; n++) await subject.failed(error);
  };
  return { subject, waits, told, fail };
}

describe('work that is tried again', () => {
  it('is told once to stall, with its reason and the time of the first failure, and once to go on', async () => {
    const { subject, told, fail } = attempts();
    await fail(away, 30);
    expect(told).toEqual([{ message: 'away', since: 1_000_000 }]);
    subject.succeeded();
    subject.succeeded();
    expect(told).toEqual([{ message: 'away', since: 1_000_000 }, null]);
  });

  it('does not stall if an engine is away for a moment only', async () => {
    const { subject, told, fail } = attempts();
    await fail(away, 5);
    subject.succeeded();
    await fail(away, 5);
    expect(told).toEqual([]);
  });

  it('is tried every 5 s if the engine is away, and every 30 s if it refuses the work', async () => {
    const short = attempts();
    await short.fail(away, 12);
    expect(short.waits.slice(0, 3)).toEqual([50, 100, 200]);
    expect(Math.max(...short.waits)).toBe(5000);
    const long = attempts();
    await long.fail(refused, 15);
    expect(Math.max(...long.waits)).toBe(30_000);
    expect(long.waits.at(-1)).toBe(30_000);
  });

  it('begins with short waits again after a success', async () => {
    const { subject, waits, fail } = attempts();
    await fail(refused, 15);
    subject.succeeded();
    await fail(refused, 1);
    expect(waits.at(-1)).toBe(50);
  });
});
