import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  checkpointText,
  MalformedNote,
  NoteSigner,
  NoteVerifier,
  parseCheckpoint,
  parseNote,
} from '../../../src/platform/transparency/signed-note.js';

const ROOT = Buffer.from('TKbHtRuK7069VjwZIpTb+Gz3cyP2zAM/mfuiNQNMpsA=', 'base64');
const ORIGIN = 'annals.example/log';
const TEXT = checkpointText({ origin: ORIGIN, size: 7, root: ROOT });
const signer = new NoteSigner(ORIGIN, Buffer.alloc(32, 7));
const WITNESS = NoteVerifier.parse('witness.example/w1+24b5d9fe+BP0XJDhaoMdbZPt4zWAvodmR/ev3axPFjtcC6sg16fYY');
const COSIGNED =
  '— witness.example/w1 JLXZ/gAAAABlU/EABUSiQxlzueB04ZKkcd8hmFZ8mjyu6pT0TG0uBl65CMr5B+Zu4+cx0n6R5AMm62ddyphAaReHXNOCbj3wOInECA==\n';

describe('a signed checkpoint', () => {
  it('has the bytes that other programs make', () => {
    const note = signer.sign(TEXT);
    expect(Buffer.byteLength(note)).toBe(183);
    expect(createHash('sha256').update(note).digest('hex')).toBe(
      'baffefe056df5b9d61ed8c8c3858c7232a9422c6dbe13bb12b250af244a66fdd',
    );
    expect(String(signer.verifier)).toBe('annals.example/log+90c16109+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs');
    expect(parseCheckpoint(parseNote(note).text)).toEqual({ origin: ORIGIN, size: 7, root: ROOT });
  });

  it('is checked by the key alone, and by witnesses with their time', () => {
    const note = parseNote(signer.sign(TEXT) + COSIGNED);
    expect(NoteVerifier.parse(String(signer.verifier)).signedAt(note)).toBe(0);
    expect(WITNESS.signedAt(note)).toBe(1_700_000_000);
    const other = new NoteSigner(ORIGIN, Buffer.alloc(32, 8));
    expect(other.verifier.signedAt(note)).toBeNull();
    expect(new NoteSigner('other.example/log', Buffer.alloc(32, 7)).verifier.signedAt(note)).toBeNull();
    expect(WITNESS.signedAt(parseNote(signer.sign(TEXT)))).toBeNull();
  });

  it('is refused if any byte of its text or signature is another', () => {
    const bytes = Buffer.from(signer.sign(TEXT));
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] as number) ^ 1;
      const signedAt = () => signer.verifier.signedAt(parseNote(damaged.toString()));
      let found: number | null = null;
      try {
        found = signedAt();
      } catch (error) {
        if (!(error instanceof MalformedNote)) throw error;
      }
      expect([at, found]).toEqual([at, null]);
    }
  });

  it('is refused if one of two signatures of a key is wrong', () => {
    const [, wrong = ''] = new NoteSigner(ORIGIN, Buffer.alloc(32, 7)).sign('another text\n').split('\n\n');
    expect(signer.verifier.signedAt(parseNote(signer.sign(TEXT) + wrong))).toBeNull();
  });

  it.each([
    ['no text', '', 'x'],
    ['a text that does not end', 'text', 'x'],
    ['a control character', 'te\u0007xt\n', 'x'],
  ])('is not made of %s', (_, text) => {
    expect(() => signer.sign(text)).toThrow(MalformedNote);
  });

  it.each([
    ['', 'no text'],
    ['text\n', 'no signature'],
    ['text\n\n', 'an empty line'],
    ['text\n\n— name\n', 'half a signature'],
    ['text\n\n— name AAAA\n', 'an id alone'],
    ['text\n\n— name AAAAAAAA AAAA\n', 'another word'],
    ['text\n\n- name AAAAAAAA\n', 'another dash'],
    ['text\n\n— name AAAAAAA_\n', 'another alphabet'],
    [`text\n\n${'— name AAAAAAAA\n'.repeat(101)}`, 'too many lines'],
  ])('is not read from %j: %s', (note) => {
    expect(() => parseNote(note)).toThrow(MalformedNote);
  });

  it.each([
    'log\n7\n',
    'log\n07\nTKbHtRuK7069VjwZIpTb+Gz3cyP2zAM/mfuiNQNMpsA=\n',
    'log\n1e3\nTKbHtRuK7069VjwZIpTb+Gz3cyP2zAM/mfuiNQNMpsA=\n',
    'log\n9007199254740993\nTKbHtRuK7069VjwZIpTb+Gz3cyP2zAM/mfuiNQNMpsA=\n',
    '\n7\nTKbHtRuK7069VjwZIpTb+Gz3cyP2zAM/mfuiNQNMpsA=\n',
    'log\n7\nTKbHtRuK7069VjwZIpTb-Gz3cyP2zAM_mfuiNQNMpsA=\n',
    'log\n7\nTKbHtRuK\n',
  ])('has an origin, a size and a root: %j has not', (text) => {
    expect(() => parseCheckpoint(text)).toThrow(MalformedNote);
  });

  it('comes from a key that is one', () => {
    expect(() => new NoteSigner(ORIGIN, Buffer.alloc(31))).toThrow(RangeError);
    expect(() => new NoteSigner('a name', Buffer.alloc(32))).toThrow(RangeError);
    const [name = '', id = '', key = ''] = String(signer.verifier).split('+');
    for (const text of [
      name,
      `${name}+${id}`,
      `${name}+90c16100+${key}`,
      `${name}+${id}+AAAA`,
      `${name}+${id}+${key}!`,
    ])
      expect(() => NoteVerifier.parse(text)).toThrow(RangeError);
  });
});
