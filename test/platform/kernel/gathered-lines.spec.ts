import { describe, expect, it } from '@jest/globals';
import { GatheredLines, gatheredText } from '../../../src/platform/kernel/gathered-lines.js';
import { eventually } from '../../support/eventually.js';

describe('lines of the same kind', () => {
  const gather = (every: number) => {
    const lines = new GatheredLines(every);
    const written: string[] = [];
    const add = (kind: string, text = kind) =>
      lines.add(kind, (repeats) => void written.push(gatheredText(text, repeats)));
    return { lines, written, add };
  };

  it('are written once, then as their number, then as over; the newest one gives the words, and a single one is not told of again', async () => {
    const { written, add } = gather(200);
    add('alone');
    for (let n = 1; n <= 1000; n++) add('full', `full at ${n}`);
    expect(written).toEqual(['alone', 'full at 1']);
    await eventually(async () => expect(written).toHaveLength(4));
    expect(written).toEqual(['alone', 'full at 1', '999 times more: full at 1000', 'over: full at 1000']);
    for (const again of ['full', 'alone']) {
      add(again);
      expect(written.at(-1)).toBe(again);
    }
  });

  it('are told apart from those of another kind', () => {
    const { written, add } = gather(60_000);
    for (const kind of ['a', 'b', 'a', 'b', 'c']) add(kind);
    expect(written).toEqual(['a', 'b', 'c']);
  });

  it('are counted at the end', () => {
    const { lines, written, add } = gather(60_000);
    for (let n = 0; n < 3; n++) add('a');
    add('b');
    lines.flush();
    expect(written).toEqual(['a', 'b', '2 times more: a']);
    add('a');
    expect(written.at(-1)).toBe('a');
  });

  it('are written as they come if there are too many kinds', () => {
    const { lines, written, add } = gather(60_000);
    for (let n = 0; n < 300; n++) add(`${n}`);
    add('299');
    add('0');
    expect(written).toHaveLength(301);
    lines.flush();
    expect(written).toHaveLength(302);
  });
});
