import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { readCosts, reportCosts } from '../../scripts/spec-costs.js';
import { readDurations } from '../../scripts/spec-groups.js';
import { withScratch } from '../support/scratch.js';
import { sourceFiles } from './source-files.js';

/** Specs that may have no recorded seconds: they count as quick, and groups of specs become uneven. */
const MOST_UNKNOWN = 10;

describe('the seconds of specs', () => {
  it('are recorded: `npm run test:all -- --record` records them', async () => {
    const durations = await readDurations();
    const specs = sourceFiles('test').filter(({ path }) => path.endsWith('.spec.ts'));
    const unknown = specs.filter(({ path }) => !Object.hasOwn(durations, path));
    expect(unknown.length > MOST_UNKNOWN ? unknown.map(({ path }) => path) : []).toEqual([]);
  });

  it('are added up, and what a slow machine adds is taken off', () =>
    withScratch(async (folder) => {
      const { specs, slowness } = await readCosts(
        await noted(folder, [
          { slowness: 1.5 },
          { spec: 'a.spec.ts', ms: 1000, cpuMs: 400 },
          { slowness: 2 },
          { spec: 'a.spec.ts', ms: 2000, cpuMs: 600 },
          { slowness: 9 },
        ]),
      );
      expect(slowness).toBe(2);
      expect([...specs]).toEqual([['a.spec.ts', { seconds: 3, processorSeconds: 0.5 }]]);
    }));

  it('fail a run in which a spec takes three times its budget', () =>
    withScratch(async (folder) => {
      const costs = await readCosts(
        await noted(folder, [
          { slowness: 2 },
          { spec: 'within.spec.ts', ms: 200_000, cpuMs: 20_000 },
          { spec: 'above.spec.ts', ms: 1000, cpuMs: 80_000 },
          { spec: 'beyond.spec.ts', ms: 1000, cpuMs: 120_000 },
          { spec: '(loading)', ms: 1000, cpuMs: 1_000_000 },
        ]),
      );
      const lines: string[] = [];
      const log = jest.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)));
      try {
        expect(reportCosts(costs)).toEqual(['beyond.spec.ts']);
      } finally {
        log.mockRestore();
      }
      const named = lines.filter((line) => line.startsWith('above the budget'));
      expect(named.map((line) => line.split(' ').at(-1))).toEqual(['beyond.spec.ts', 'above.spec.ts']);
    }));
});

async function noted(folder: string, lines: readonly object[]): Promise<string> {
  const file = join(folder, 'times');
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}
