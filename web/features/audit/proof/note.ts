import { areEqual, bytesOf, fromBase64, Malformed, sha256, toHex } from '../../../platform/bytes.js';

const HASH_BYTES = 32;
const KEY_ID_BYTES = 4;
const LOG_KEY = 1;

/** A signed checkpoint (C2SP tlog-checkpoint). */
export interface Checkpoint {
  /** The name of the log. */
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array<ArrayBuffer>;
  /** What is signed. */
  readonly text: string;
  readonly signatures: readonly { readonly name: string; readonly blob: Uint8Array<ArrayBuffer> }[];
}

/** @throws Malformed */
export function parseCheckpoint(note: string): Checkpoint {
  const end = note.lastIndexOf('\n\n');
  const text = note.slice(0, end + 1);
  const [origin = '', size = '', root = ''] = text.split('\n');
  if (end < 0 || !/^(0|[1-9][0-9]{0,15})$/.test(size)) throw new Malformed('The proof has no checkpoint');
  const lines = note
    .slice(end + 2)
    .split('\n')
    .filter((line) => line !== '');
  const signatures = lines.map((line) => {
    const [, name = '', written = ''] = /^— (\S+) (\S+)$/.exec(line) ?? [];
    return { name, blob: fromBase64(written) };
  });
  return { origin, size: Number(size), root: fromBase64(root, HASH_BYTES), text, signatures };
}

/** The key of a log, which anybody may know: `name+id+key`. */
export interface VerifierKey {
  readonly name: string;
  readonly id: Uint8Array<ArrayBuffer>;
  readonly key: Uint8Array<ArrayBuffer>;
}

/** @throws Malformed */
export async function parseVerifierKey(written: string): Promise<VerifierKey> {
  const [, name = '', id = '', key = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(written.trim()) ?? [];
  if (name === '') throw new Malformed('A verifier key is written name+id+key, as “annals key” prints it');
  const bytes = fromBase64(key, 1 + HASH_BYTES);
  const hash = (await sha256(bytesOf(`${name}\n`), bytes)).slice(0, KEY_ID_BYTES);
  if (toHex(hash) !== id || bytes[0] !== LOG_KEY)
    throw new Malformed('This is not the verifier key of a log: a letter of it is wrong');
  return { name, id: hash, key: bytes.slice(1) };
}

/** Tells whether the checkpoint has a right signature of the key, and no wrong one. @throws Error without Ed25519 in the browser */
export async function isSignedBy(checkpoint: Checkpoint, { name, id, key }: VerifierKey): Promise<boolean> {
  const own = checkpoint.signatures.filter(
    ({ name: signer, blob }) => signer === name && areEqual(blob.slice(0, KEY_ID_BYTES), id),
  );
  if (own.length === 0 || checkpoint.origin !== name) return false;
  const imported = await crypto.subtle.importKey('raw', key, { name: 'Ed25519' }, false, ['verify']);
  const text = bytesOf(checkpoint.text);
  const checked = await Promise.all(
    own.map(({ blob }) => crypto.subtle.verify({ name: 'Ed25519' }, imported, blob.slice(KEY_ID_BYTES), text)),
  );
  return checked.every((isRight) => isRight);
}
