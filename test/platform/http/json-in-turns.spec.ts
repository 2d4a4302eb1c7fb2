import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonMembers, withMembers } from '../../../src/platform/http/json-in-turns.js';

describe('an answer that is written in turns', () => {
  it('is the same as one that is written at once', async () => {
    const objects = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 });
    const lengths = fc.constantFrom(0, 1, 499, 500, 501, 1_000, 1_001);
    await fc.assert(
      fc.asyncProperty(objects, objects, lengths, async (envelope, object, length) => {
        const state = { ...object, list: Array.from({ length }, (_, id) => ({ id, name: `"${id}` })) };
        const { members: _, ...rest } = envelope;
        const text = withMembers({ ...rest, members: await JsonMembers.of(state) });
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify({ ...rest, ...state })));
      }),
      { numRuns: 100 },
    );
  });

  it('lets others run after every 500 elements of a list', async () => {
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await JsonMembers.of({ list: Array.from({ length: 10_000 }, (_, id) => ({ id })) });
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(19);
  });

  it('of which a member is absent has no such member', async () => {
    expect(withMembers({ members: await JsonMembers.of({ a: undefined, b: 1 }) })).toBe('{"b":1}');
    expect(withMembers({ result: 'error' })).toBe('{"result":"error"}');
  });
});
