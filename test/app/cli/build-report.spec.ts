import { describe, expect, it } from '@jest/globals';
import type { BuildProgress } from '../../../projections/runner/rebuild-protocol.js';
import { BuildReport, duration } from '../../../src/app/cli/build-report.js';

const progress = (done: number, more: Partial<BuildProgress> = {}): BuildProgress => ({
  projections: ['messages'],
  done,
  total: 1000,
  eventsPerSecond: 12_345.6,
  secondsLeft: 8,
  position: done,
  head: 1000,
  stall: null,
  ...more,
});

function report(patience = 0, isTTY = false) {
  const written: string[] = [];
  let now = 0;
  const output = {
    isTTY,
    write: (text: string) => written.push(text),
    // The members that only a terminal has.
    columns: 100,
    cursorTo: () => true,
    clearLine: () => true,
    moveCursor: () => true,
  };
  const subject = new BuildReport(output, patience, () => now);
  return {
    written,
    end: () => subject.end(),
    at(milliseconds: number, value: BuildProgress) {
      now = milliseconds;
      subject.update(value);
    },
  };
}

describe('the report of a build', () => {
  it('has name, progress, speed and time left', () => {
    const { at, written } = report();
    at(0, progress(0, { secondsLeft: null, eventsPerSecond: 0 }));
    at(2000, progress(200));
    at(4000, progress(1000, { secondsLeft: 0 }));
    expect(written).toEqual([
      'Building messages: 0 %, 0 events/s\n',
      'Building messages: 20 %, 12,346 events/s, 8 s left\n',
      'Building messages: 99 %, 12,346 events/s, 0 s left\n',
    ]);
  });

  it('names a few projections and counts many', () => {
    const { at, written } = report();
    at(0, progress(0, { projections: ['messages', 'sends'] }));
    at(9000, progress(0, { projections: ['a', 'b', 'c', 'd'] }));
    expect(written.map((line) => line.split(':')[0])).toEqual(['Building messages, sends', 'Building 4 projections']);
  });

  it('says nothing again of a position that it has reported', () => {
    const { at, written } = report();
    at(0, progress(999, { secondsLeft: 0 }));
    at(9000, progress(999, { secondsLeft: 0 }));
    at(18_000, progress(1000));
    expect(written).toHaveLength(2);
  });

  it('writes few lines to an output that is not a terminal', () => {
    const { at, written } = report();
    for (let step = 0; step < 1000; step++) at(step, progress(step));
    expect(written).toHaveLength(1);
  });

  it('writes nothing about a build that ends within its patience', () => {
    const { at, written } = report(1000);
    at(0, progress(0));
    at(999, progress(999));
    expect(written).toEqual([]);
  });

  it('writes about a build that outlasts its patience', () => {
    const { at, written } = report(1000);
    at(5000, progress(0));
    at(6000, progress(100));
    expect(written).toEqual(['Building messages: 10 %, 12,346 events/s, 8 s left\n']);
  });

  it('draws a bar on a terminal', () => {
    const { at, written, end } = report(0, true);
    at(0, progress(0));
    at(2000, progress(500));
    end();
    expect(written.join('')).toMatch(/Building messages \[=+-+\] 50% 12,346 events\/s, 8 s left/);
  });
});

describe('a duration', () => {
  it.each([
    [0, '0 s'],
    [59.2, '1 min 0 s'],
    [185, '3 min 5 s'],
    [7800, '2 h 10 min'],
  ])('of %d seconds is %s', (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });
});
