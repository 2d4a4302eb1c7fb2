import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { HASH_BYTES, type Head } from './merkle.js';

/** Types of keys in notes. */
const NOTE_KEY = 1;
export const COSIGNATURE_KEY = 4;

const SEED_BYTES = 32;
const SIGNATURE_BYTES = 64;
const ID_BYTES = 4;
const TIME_BYTES = 8;
// An Ed25519 key without these is its 32 bytes.
const PRIVATE_KEY_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_KEY_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

/** No control characters but the ends of lines. */
const TEXT = /^(?:[^\p{Cc}]*\n)+$/u;
const NAME = /^[^\s+\p{Cc}]+$/u;
const SIGNATURE_LINE = /^— ([^ ]+) ([^ ]+)$/;
/** A note with more is refused. */
const MOST_SIGNATURES = 100;

/** Text with lines of signatures below it (C2SP signed-note). */
export interface SignedNote {
  /** Ends with the end of a line. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

interface NoteSignature {
  readonly name: string;
  /** 4 bytes of the key's hash. */
  readonly keyId: Buffer;
  readonly signature: Buffer;
}

/** A note is no note. */
export class MalformedNote extends Error {}

/** Signs notes with an Ed25519 key under a name. The same text is signed with the same bytes. */
export class NoteSigner {
  readonly verifier: NoteVerifier;
  private readonly key: KeyObject;

  /** @param seed 32 bytes @throws RangeError for other lengths or a name with spaces or `+` */
  constructor(
    readonly name: string,
    private readonly seed: Buffer,
  ) {
    if (seed.length !== SEED_BYTES) throw new RangeError(`a seed has ${SEED_BYTES} bytes`);
    this.key = createPrivateKey({ key: Buffer.concat([PRIVATE_KEY_HEAD, seed]), format: 'der', type: 'pkcs8' });
    const spki = createPublicKey(this.key).export({ format: 'der', type: 'spki' });
    this.verifier = new NoteVerifier(name, NOTE_KEY, spki.subarray(PUBLIC_KEY_HEAD.length));
  }

  /** Reads `PRIVATE+KEY+name+id+key`. @throws RangeError if it is none */
  static parse(text: string): NoteSigner {
    const [, name = '', id = '', written = ''] = /^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text) ?? [];
    const key = fromBase64(written);
    if (!key || key[0] !== NOTE_KEY) throw new RangeError('a signing key is written PRIVATE+KEY+name+id+key');
    const signer = new NoteSigner(name, key.subarray(1));
    if (signer.verifier.id.toString('hex') !== id) throw new RangeError("the signing key's id is not that of its key");
    return signer;
  }

  /** The same key under another name. Its verifier is another. */
  named(name: string): NoteSigner {
    return new NoteSigner(name, this.seed);
  }

  /** As `parse` reads it. */
  privateText(): string {
    const key = Buffer.concat([Buffer.of(NOTE_KEY), this.seed]);
    return `PRIVATE+KEY+${this.name}+${this.verifier.id.toString('hex')}+${key.toString('base64')}`;
  }

  /** @param text ends with the end of a line @returns the note @throws MalformedNote if the text cannot be one */
  sign(text: string): string {
    if (!TEXT.test(text)) throw new MalformedNote('the text has control characters, or its last line does not end');
    const signature = sign(null, Buffer.from(text), this.key);
    return `${text}\n${signatureLine({ name: this.name, keyId: this.verifier.id, signature })}`;
  }
}

/** Checks signatures of one key. */
export class NoteVerifier {
  readonly id: Buffer;
  private readonly key: KeyObject;

  /** @param type 1: signs notes; 4: cosigns checkpoints @throws RangeError for other types, lengths or names */
  constructor(
    readonly name: string,
    readonly type: number,
    private readonly publicKey: Buffer,
  ) {
    if (!NAME.test(name)) throw new RangeError('a name has no spaces and no +');
    if (type !== NOTE_KEY && type !== COSIGNATURE_KEY) throw new RangeError(`keys of type ${type} are not known`);
    if (publicKey.length !== SEED_BYTES) throw new RangeError(`a public key has ${SEED_BYTES} bytes`);
    const named = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(type), publicKey]);
    this.id = createHash('sha256').update(named).digest().subarray(0, ID_BYTES);
    this.key = createPublicKey({ key: Buffer.concat([PUBLIC_KEY_HEAD, publicKey]), format: 'der', type: 'spki' });
  }

  /** Reads `name+id+key`. @throws RangeError if it is none */
  static parse(text: string): NoteVerifier {
    const [, name = '', id = '', written = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text) ?? [];
    const key = fromBase64(written);
    const [type] = key ?? [];
    if (!key || type === undefined) throw new RangeError('a verifier key is written name+id+key');
    const verifier = new NoteVerifier(name, type, key.subarray(1));
    if (verifier.id.toString('hex') !== id) throw new RangeError("the verifier key's id is not that of its key");
    return verifier;
  }

  toString(): string {
    const key = Buffer.concat([Buffer.of(this.type), this.publicKey]);
    return `${this.name}+${this.id.toString('hex')}+${key.toString('base64')}`;
  }

  /**
   * Tells whether the note is signed with the key. Signatures of other keys do not count.
   * @returns seconds since 1970 for a cosignature, 0 for a signature; null: the note is not signed with the key, or wrongly
   */
  signedAt({ text, signatures }: SignedNote): number | null {
    const own = signatures.filter(({ name, keyId }) => name === this.name && keyId.equals(this.id));
    const times = own.map(({ signature }) => this.timeOf(text, signature));
    return times.includes(null) ? null : (times[0] ?? null);
  }

  private timeOf(text: string, blob: Buffer): number | null {
    const isCosigned = this.type === COSIGNATURE_KEY;
    const head = isCosigned ? TIME_BYTES : 0;
    if (blob.length !== head + SIGNATURE_BYTES) return null;
    const time = isCosigned ? Number(blob.readBigUInt64BE(0)) : 0;
    const signed = isCosigned ? `cosignature/v1\ntime ${time}\n${text}` : text;
    return verify(null, Buffer.from(signed), this.key, blob.subarray(head)) ? time : null;
  }
}

/** Reads a note. Whether its signatures are right is not checked. @throws MalformedNote */
export function parseNote(note: string): SignedNote {
  const end = note.lastIndexOf('\n\n');
  const text = note.slice(0, end + 1);
  const below = note.slice(end + 2);
  if (end < 0 || !TEXT.test(text) || !below.endsWith('\n')) throw new MalformedNote('the note has no signatures');
  const lines = below.slice(0, -1).split('\n');
  if (lines.length > MOST_SIGNATURES) throw new MalformedNote('the note has too many signatures');
  return { text, signatures: lines.map(parseSignature) };
}

/** The line of a signature, with its end. */
export function signatureLine({ name, keyId, signature }: NoteSignature): string {
  return `— ${name} ${Buffer.concat([keyId, signature]).toString('base64')}\n`;
}

function parseSignature(line: string): NoteSignature {
  const [, name = '', written = ''] = SIGNATURE_LINE.exec(line) ?? [];
  const blob = fromBase64(written);
  if (!NAME.test(name) || !blob || blob.length <= ID_BYTES) throw new MalformedNote('a line is no signature');
  return { name, keyId: blob.subarray(0, ID_BYTES), signature: blob.subarray(ID_BYTES) };
}

/** Node ignores what is no base64. */
function fromBase64(written: string): Buffer | null {
  const bytes = Buffer.from(written, 'base64');
  return bytes.length > 0 && bytes.toString('base64') === written ? bytes : null;
}

/** What a log says of itself: the text of a signed note (C2SP tlog-checkpoint). */
export interface Checkpoint extends Head {
  /** Names the log. */
  readonly origin: string;
}

const SIZE = /^(?:0|[1-9][0-9]{0,15})$/;

export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`;

/** Reads the text of a checkpoint. Lines below the root are passed over. @throws MalformedNote */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', written = '', ...rest] = text.split('\n');
  const root = Buffer.from(written, 'base64');
  if (origin === '' || !SIZE.test(size) || !Number.isSafeInteger(Number(size)) || rest.length === 0)
    throw new MalformedNote('a checkpoint has an origin, a size and a root');
  if (root.length !== HASH_BYTES || root.toString('base64') !== written)
    throw new MalformedNote("a checkpoint's root is 32 bytes in base64");
  return { origin, size: Number(size), root };
}
