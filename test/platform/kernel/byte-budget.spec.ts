import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  ByteBudget,
  type PartSize,
  PartSizes,
  sizeOfBytes,
  sizeOfTexts,
} from '../../../src/platform/kernel/byte-budget.js';

const texts = fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { maxLength: 30 });

describe('a byte budget', () => {
  it('admits what measuring every part admits', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 1500 }), (parts, most) => {
        const budget = new ByteBudget(most);
        const admitted = parts.filter((text) => budget.admits(sizeOfTexts((bytesOf) => bytesOf(text))));
        expect(admitted).toStrictEqual(admittedByMeasure(parts, most));
      }),
    );
  });

  it('measures no part while the bounds leave room', () => {
    const budget = new ByteBudget(1_000_000);
    const unmeasurable: PartSize = {
      atMost: 1_000,
      exactly: () => {
        throw new Error('measured');
      },
    };
    for (let n = 0; n < 1_000; n++) expect(budget.admits(unmeasurable)).toBe(true);
    expect(() => budget.admits(unmeasurable)).toThrow('measured');
  });

  it('measures no part twice', () => {
    const budget = new ByteBudget(100_000);
    const measured: number[] = [];
    let admitted = 0;
    const sizeOf = (part: number): PartSize => ({ atMost: 60, exactly: () => measured.push(part) && 10 });
    while (budget.admits(sizeOf(admitted))) admitted += 1;
    expect(admitted).toBe(10_000);
    expect(new Set(measured).size).toBe(measured.length);
  });

  it('admits a first part of any size, and nothing after a refusal', () => {
    const budget = new ByteBudget(10);
    expect(budget.admits(sizeOfBytes(1_000))).toBe(true);
    expect(budget.isSpent).toBe(false);
    expect(budget.admits(sizeOfBytes(1))).toBe(false);
    expect(budget.admits(sizeOfBytes(0))).toBe(false);
    expect(budget.isSpent).toBe(true);
  });

  it('counts what another budget has taken', () => {
    const taken = new PartSizes();
    new ByteBudget(10, taken).admits(sizeOfBytes(8));
    const budget = new ByteBudget(12, taken);
    expect(budget.admits(sizeOfBytes(3))).toBe(true);
    expect(budget.admits(sizeOfBytes(2))).toBe(false);
    expect(taken.bytes).toBe(11);
  });
});

function admittedByMeasure(parts: readonly string[], most: number): string[] {
  const admitted: string[] = [];
  let bytes = 0;
  for (const text of parts) {
    bytes += Buffer.byteLength(JSON.stringify(text));
    if (admitted.length > 0 && bytes > most) break;
    admitted.push(text);
  }
  return admitted;
}
