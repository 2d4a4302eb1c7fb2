import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { learnRows, measure, readSamples, type Sample, tablesOf } from '../../../scripts/code-classes.js';
import { classRows } from '../../../src/features/code-colours/class-table.js';

describe('classes of code', () => {
  it('are those of Pygments for most signs of code that no row was learnt from', async () => {
    const snippets = await readSamples();
    const [one = [], other = []] = [0, 1].map((half) => snippets.filter((_, at) => at % 2 === half).flat());
    const [exact, first] = shares([measure(one, learnRows(other)), measure(other, learnRows(one))]);
    expect(exact).toBeGreaterThanOrEqual(77);
    expect(first).toBeGreaterThanOrEqual(87);
  });

  it('come from a table that fits all snippets', async () => {
    const samples: readonly Sample[] = (await readSamples()).flat();
    for (const [file, table] of tablesOf(learnRows(samples))) expect(await readFile(file, 'utf8')).toBe(table);
    const [exact] = shares([measure(samples, classRows)]);
    expect(exact).toBeGreaterThanOrEqual(85);
  });
});

/** Percentages of the signs with the exact class, and with one of the same first letter. */
function shares(measured: readonly { readonly all: number; readonly exact: number; readonly first: number }[]) {
  const sum = (of: 'all' | 'exact' | 'first'): number => measured.reduce((total, { [of]: signs }) => total + signs, 0);
  return [(100 * sum('exact')) / sum('all'), (100 * sum('first')) / sum('all')];
}
