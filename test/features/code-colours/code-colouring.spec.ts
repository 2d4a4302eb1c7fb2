import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CodeColouring } from '../../../src/features/code-colours/code-colouring.js';
import { eventually } from '../../support/eventually.js';

const RUST = { language: 'Rust', code: 'let one = 1;\n' };
/** Code that CoffeeScript's grammar searches for several minutes. */
const HOSTILE = { language: 'CoffeeScript', code: 'a'.repeat(200_000) };
/** Milliseconds: much longer than the 300 after which a colouring ends, for a busy machine. */
const IN_TIME = 60_000;

describe('the colouring of code', () => {
  let colouring: CodeColouring;

  beforeEach(() => {
    colouring = new CodeColouring();
  });

  afterEach(() => colouring.onApplicationShutdown());

  it('gives tokens with the classes of Pygments', async () => {
    const tokens = await eventually(async () => {
      const found = (await colouring.coloursOf([RUST]))(RUST);
      expect(found).not.toBeNull();
      return found;
    });
    expect(tokens?.filter(([kind]) => kind !== null)).toEqual([
      ['kd', 'let'],
      ['n', 'one'],
      ['o', '='],
      ['mi', '1'],
      ['p', ';'],
    ]);
    expect(tokens?.map(([, text]) => text).join('')).toBe(RUST.code);
  });

  it('leaves code of unknown languages alone', async () => {
    const block = { language: 'Befunge', code: 'v\n' };
    expect((await colouring.coloursOf([block]))(block)).toBeNull();
  });

  it('leaves code plain that takes too long, refuses its grammar for such code, and colours the next code at once', async () => {
    await colouring.coloursOf([RUST]);
    const startedAt = performance.now();
    const colours = await colouring.coloursOf([RUST, HOSTILE]);
    expect(performance.now() - startedAt).toBeLessThan(IN_TIME);
    expect(colours(HOSTILE)).toBeNull();

    const short = { language: 'CoffeeScript', code: 'one = 1\n' };
    const long = { language: 'CoffeeScript', code: 'one = 1\n'.repeat(14_000) };
    // A busy machine may be late with everything.
    await eventually(async () => {
      const next = await colouring.coloursOf([short, long, RUST]);
      expect(next(RUST)).not.toBeNull();
      expect(next(short)).not.toBeNull();
      expect(next(long)).toBeNull();
    });
  });

  it('answers in time for everybody who waits behind such code', async () => {
    await colouring.coloursOf([RUST]);
    const startedAt = performance.now();
    await Promise.all([HOSTILE, RUST, RUST, RUST].map((block) => colouring.coloursOf([block])));
    expect(performance.now() - startedAt).toBeLessThan(IN_TIME);
  });
});
