import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonInTurns } from '../../../src/platform/http/answers/json-in-turns.js';
import { ListInTurns, ObjectInTurns } from '../../../src/platform/kernel/in-turns.js';

describe('an answer that is written in turns', () => {
  it('is the same as one that is written at once', async () => {
    const objects = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 });
    const lengths = fc.constantFrom(0, 1, 499, 500, 501, 1_000, 1_001);
    await fc.assert(
      fc.asyncProperty(objects, objects, lengths, async (envelope, object, length) => {
        const state = { ...object, list: Array.from({ length }, (_, id) => ({ id, name: `"${id}` })) };
        const text = await written(envelope, state);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify({ ...envelope, ...state })));
      }),
      { numRuns: 100 },
    );
  });

  it('lets others run while it writes a list', async () => {
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const slow = { toJSON: () => spend(2) };
    await JsonInTurns.of({ list: Array.from({ length: 60 }, () => slow), short: [1] });
    isDone = true;
    // 120 ms of work.
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it('writes a list whose elements are made in turns like any other', async () => {
    const list = new ListInTurns([1, 2, 3], (id) => ({ id }));
    const text = await written({ result: 'success' }, { list, none: new ListInTurns([], String) });
    expect(text).toBe('{"result":"success","list":[{"id":1},{"id":2},{"id":3}],"none":[]}');
    expect(JSON.stringify(list)).toBe('[{"id":1},{"id":2},{"id":3}]');
  });

  it('writes an object whose members are made in turns like any other', async () => {
    const object = new ObjectInTurns([['1', 'a'] as const, ['"', 'b'] as const], (name) => ({ name }));
    const text = await written({}, { object, none: new ObjectInTurns([], String) });
    expect(text).toBe('{"object":{"1":{"name":"a"},"\\"":{"name":"b"}},"none":{}}');
    expect(JSON.stringify({ object })).toBe('{"object":{"1":{"name":"a"},"\\"":{"name":"b"}}}');
  });

  it('lets others run while it writes an object', async () => {
    let isOver = false;
    setImmediate(() => {
      isOver = true;
    });
    const seen: boolean[] = [];
    const facts = Array.from({ length: 20 }, (_, key) => [String(key), key] as const);
    await JsonInTurns.of({ object: new ObjectInTurns(facts, () => [spend(1), seen.push(isOver)]) });
    expect([seen[0], seen.at(-1)]).toEqual([false, true]);
  });

  it('writes what JSON has no word for as JSON does', async () => {
    const list = [undefined, () => 1, Symbol('s'), Number.NaN];
    expect(await written({}, { list })).toBe(JSON.stringify({ list }));
  });

  it('of which a member is absent has no such member', async () => {
    expect(await written({}, { a: undefined, b: 1 })).toBe('{"b":1}');
    expect(await written({ result: 'error' }, { a: undefined })).toBe('{"result":"error"}');
    expect(await written({}, {})).toBe('{}');
  });
});

const written = async (envelope: object, object: object): Promise<string> =>
  Buffer.concat((await JsonInTurns.of(object)).behind(envelope)).toString();

function spend(milliseconds: number): number {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
  return milliseconds;
}
