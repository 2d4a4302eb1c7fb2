import { describe, expect, it } from '@jest/globals';
import { NoteVerifier } from '../../../src/platform/transparency/signed-note.js';
import { parseWitnesses } from '../../../src/platform/transparency/witness.js';

const KEY = 'witness.example/w1+24b5d9fe+BP0XJDhaoMdbZPt4zWAvodmR/ev3axPFjtcC6sg16fYY';
const LOG_KEY = 'annals.example/log+90c16109+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs';

/** A key with the same bytes, under another name. */
const other = (name: string): string =>
  String(new NoteVerifier(name, 4, Buffer.from(KEY.split('+')[2] ?? '', 'base64').subarray(1)));

describe('the list of witnesses', () => {
  it('has a key and a URL for each', () => {
    const list = ` ${KEY}  https://witness.example/w1/ ,${other('b')} http://127.0.0.1:7380`;
    expect(parseWitnesses(list).map(({ key, url }) => [String(key), url])).toEqual([
      [KEY, 'https://witness.example/w1'],
      [other('b'), 'http://127.0.0.1:7380'],
    ]);
  });

  it.each([
    ['', 'a verifier key is written name+id+key'],
    [`${KEY} https://witness.example,`, 'a verifier key is written name+id+key'],
    [KEY, 'witness.example/w1 needs one http:// or https:// URL'],
    [`${KEY} ftp://witness.example`, 'witness.example/w1 needs one http:// or https:// URL'],
    [`${KEY} https://witness.example?a=b`, 'witness.example/w1 needs one http:// or https:// URL'],
    [`${KEY} https://witness.example https://other.example`, 'witness.example/w1 needs one http:// or https:// URL'],
    [`${KEY.replace('24b5d9fe', '24b5d9ff')} https://witness.example`, "the verifier key's id is not that of its key"],
    [`${LOG_KEY} https://witness.example`, 'the key of annals.example/log is none of a witness'],
    [`${KEY} https://witness.example, ${KEY} https://other.example`, 'two witnesses have the same name'],
    [
      Array.from({ length: 16 }, (_, n) => `${other(String(n))} https://witness.example`).join(),
      'there are more than 15 witnesses',
    ],
  ])('is refused as %j', (list, reason) => {
    expect(() => parseWitnesses(list)).toThrow(new RangeError(reason));
  });
});
