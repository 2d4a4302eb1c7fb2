import { describe, expect, it } from '@jest/globals';
import { BuildReport, duration } from '../../src/cli/build-report.js';

function report(patience = 0, isTTY = false) {
  const written: string[] = [];
  let now = 0;
  const output = {
    isTTY,
    write: (text: string) => written.push(text),
    // What a terminal has on top.
    columns: 100,
    cursorTo: () => true,
    clearLine: () => true,
    moveCursor: () => true,
  };
  const subject = new BuildReport(output, patience, () => now);
  return {
    written,
    end: () => subject.end(),
    at(milliseconds: number, position: number, head = 100_000, projection = 'messages') {
      now = milliseconds;
      subject.update({ projection, position, head });
    },
  };
}

describe('the report of a build', () => {
  it('says how far, how fast and how long', () => {
    const { at, written } = report();
    at(0, 0);
    at(2000, 20_000);
    at(4000, 60_000);
    at(5000, 100_000);
    expect(written).toEqual([
      'messages: 0 %, starting\n',
      'messages: 20 %, 10,000 events/s, 8 s left\n',
      'messages: 60 %, 15,000 events/s, 3 s left\n',
      'messages: 100 %, 20,000 events/s, 0 s left\n',
    ]);
  });

  it('measures from where it started, not from the beginning of the log', () => {
    const { at, written } = report();
    at(0, 90_000);
    at(2000, 92_000);
    expect(written.at(-1)).toBe('messages: 92 %, 1,000 events/s, 8 s left\n');
  });

  it('does not flood a file', () => {
    const { at, written } = report();
    for (let step = 0; step < 1000; step++) at(step, step);
    expect(written).toEqual(['messages: 0 %, starting\n']);
  });

  it('always writes the end, once', () => {
    const { at, written } = report();
    at(0, 0);
    at(1, 100_000);
    at(5000, 100_000);
    expect(written).toHaveLength(2);
    expect(written.at(-1)).toMatch(/^messages: 100 %/);
  });

  it('keeps silent about what is done within its patience', () => {
    const { at, written } = report(1000);
    at(0, 0);
    at(999, 100_000);
    expect(written).toEqual([]);
  });

  it('speaks up when its patience is over', () => {
    const { at, written } = report(1000);
    at(0, 0);
    at(1000, 10_000);
    expect(written).toEqual(['messages: 10 %, 10,000 events/s, 9 s left\n']);
  });

  it('tells projections apart', () => {
    const { at, written } = report();
    at(0, 0, 100, 'messages');
    at(0, 50, 100, 'sends');
    expect(written).toEqual(['messages: 0 %, starting\n', 'sends: 50 %, starting\n']);
  });

  it('draws a bar on a terminal', () => {
    const { at, written, end } = report(0, true);
    at(0, 0);
    at(2000, 50_000);
    end();
    expect(written.join('')).toMatch(/messages +\[=+-+\] 50% 25,000 events\/s, 2 s left/);
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
