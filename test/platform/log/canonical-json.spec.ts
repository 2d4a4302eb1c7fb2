import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../src/platform/kernel/json.js';
import { canonicalJson } from '../../../src/platform/log/canonical-json.js';
import { encodeAppend } from '../../../src/platform/log/encode-append.js';

const fromBits = (bits: string): number => Buffer.from(bits, 'hex').readDoubleBE();

describe('canonical JSON', () => {
  it('is as in the example of RFC 8785, section 3.2.2', () => {
    const value: Json = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`);
    const bytes =
      '7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b3333333333333333332e333333333333' +
      '332c31652b33302c342e352c302e3030322c31652d32375d2c22737472696e67223a22e282ac245c75303030665c6e4127425c225c5c5c5c5c' +
      '222f227d';
    expect(Buffer.from(canonicalJson(value)).toString('hex')).toBe(bytes);
  });

  it('sorts names by their UTF-16 code units, as in section 3.2.3', () => {
    const value: Json = JSON.parse(String.raw`{
      "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
    }`);
    expect([...canonicalJson(value).matchAll(/:"([^"]+)"/g)].map(([, name]) => name)).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  it('sorts names that are numbers as text, at every depth', () => {
    expect(canonicalJson({ 10: 0, 9: [{ b: {}, a: [] }], 1: 0 })).toBe('{"1":0,"10":0,"9":[{"a":[],"b":{}}]}');
  });

  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the number %s as %s, as in appendix B', (bits, text) => {
    expect(canonicalJson([fromBits(bits)])).toBe(`[${text}]`);
  });

  it.each(['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000'])('refuses the number %s', (bits) => {
    expect(() => canonicalJson({ a: [fromBits(bits)] })).toThrow(TypeError);
  });

  it('escapes half a surrogate pair, which the RFC does not allow', () => {
    expect(canonicalJson({ '\udc00': 'a\ud800' })).toBe(String.raw`{"\udc00":"a\ud800"}`);
  });

  it('leaves out names without a value, as JSON.stringify does', () => {
    const value = { b: { d: 1, c: undefined, a: undefined }, a: undefined } as unknown as Json;
    expect(canonicalJson(value)).toBe('{"b":{"d":1}}');
  });

  it('is what an append stores of data and metadata', () => {
    const event = {
      id: '01890000-0000-7000-8000-000000000001',
      type: 'SomethingHappened',
      version: 1,
      data: { b: [{ d: 'ü"', c: -0 }], 9: null, 10: { z: 1, y: undefined, a: 2 } },
      metadata: { client: 'test', at: 5, actorId: null, correlationId: 'c', causationId: null },
    };
    const [{ data, metadata } = { data: '', metadata: '' }] = encodeAppend('a-1', [event as never], 'any');
    expect(data).toBe('{"10":{"a":2,"z":1},"9":null,"b":[{"c":0,"d":"ü\\""}]}');
    expect(metadata).toBe('{"actorId":null,"at":5,"causationId":null,"client":"test","correlationId":"c"}');
  });

  it('treats names such as __proto__ and toJSON like any other', () => {
    expect(canonicalJson(JSON.parse('{"toJSON":1,"__proto__":{"b":2},"constructor":null}'))).toBe(
      '{"__proto__":{"b":2},"constructor":null,"toJSON":1}',
    );
  });
});
