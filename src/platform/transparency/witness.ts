import { COSIGNATURE_KEY, NoteVerifier } from './signed-note.js';

/** A server of others that cosigns checkpoints if it can check that they continue earlier ones (C2SP tlog-witness). */
export interface Witness {
  readonly key: NoteVerifier;
  /** The URL above its `add-checkpoint`, without a slash at its end. */
  readonly url: string;
}

/** Readers of notes must read 16 signatures, and one of them is the log's. */
const MOST_WITNESSES = 15;

/** Reads witnesses: `name+id+key URL`, with commas between them. @throws RangeError for anything else */
export function parseWitnesses(text: string): readonly Witness[] {
  const witnesses = text.split(',').map((entry) => parseWitness(entry.trim()));
  if (witnesses.length > MOST_WITNESSES) throw new RangeError(`there are more than ${MOST_WITNESSES} witnesses`);
  const names = new Set(witnesses.map(({ key }) => key.name));
  if (names.size < witnesses.length) throw new RangeError('two witnesses have the same name');
  return witnesses;
}

function parseWitness(entry: string): Witness {
  const [written = '', url = '', ...more] = entry.split(/\s+/);
  const key = NoteVerifier.parse(written);
  if (key.type !== COSIGNATURE_KEY) throw new RangeError(`the key of ${key.name} is none of a witness`);
  const { protocol, search, hash } = URL.canParse(url) ? new URL(url) : { protocol: '', search: '', hash: '' };
  if (!['http:', 'https:'].includes(protocol) || search !== '' || hash !== '' || more.length > 0)
    throw new RangeError(`${key.name} needs one http:// or https:// URL`);
  return { key, url: url.replace(/\/+$/, '') };
}

/** Where checkpoints go. */
export interface CheckpointSettings {
  /** Path of the file that they are appended to. */
  readonly file: string;
  /** Milliseconds from one to the next. */
  readonly noteEvery: number;
  /** Address that they are posted to; null: none. */
  readonly webhookUrl: string | null;
  /** Servers that cosign checkpoints. */
  readonly witnesses: readonly Witness[];
}
