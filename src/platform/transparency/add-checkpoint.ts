import type { Hash } from './merkle.js';
import { MalformedNote, parseNote, type SignedNote, signatureLine } from './signed-note.js';
import type { Witness } from './witness.js';

/** A checkpoint for a witness. */
interface Submission {
  /** Size of the checkpoint that the witness has cosigned last; 0: none. */
  readonly old: number;
  /** The hashes that prove that the log continues the old one. */
  readonly proof: readonly Hash[];
  /** The checkpoint as the log has signed it. */
  readonly note: string;
}

export type WitnessAnswer =
  | { readonly is: 'cosigned'; readonly line: string }
  /** The witness has cosigned another size than the one that was sent. */
  | { readonly is: 'elsewhere'; readonly size: number }
  /** The witness finds that the log does not continue what it has cosigned. */
  | { readonly is: 'contradicted' }
  | { readonly is: 'failed'; readonly problem: string };

const CONFLICT = 409;
const UNPROCESSABLE = 422;
/** Bytes of an answer, at most. */
const LONGEST_ANSWER = 16_384;
const SIZE = /^(?:0|[1-9][0-9]{0,15})\n$/;
/** Seconds that a witness's clock may be ahead. */
const AHEAD_S = 3600;

const PROBLEMS = new Map<number, string>([
  [403, "it does not know the log's key"],
  [404, 'it does not know the log, or the URL is wrong'],
]);

/** Asks a witness for its cosignature. Never rejects. */
export async function addCheckpoint(witness: Witness, sent: Submission, signal: AbortSignal): Promise<WitnessAnswer> {
  try {
    const response = await fetch(`${witness.url}/add-checkpoint`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=utf-8', 'user-agent': 'Annals' },
      body: bodyOf(sent),
      redirect: 'manual',
      signal,
    });
    const text = await beginningOf(response);
    if (response.status === 200) return cosigned(witness, sent.note, text);
    if (response.status === CONFLICT && SIZE.test(text)) return { is: 'elsewhere', size: Number(text) };
    if (response.status === UNPROCESSABLE) return { is: 'contradicted' };
    return failed(PROBLEMS.get(response.status) ?? `its answer has the status ${response.status}`);
  } catch {
    return failed(signal.aborted ? 'there is no answer in time' : 'there is no connection');
  }
}

const bodyOf = ({ old, proof, note }: Submission): string =>
  [`old ${old}`, ...proof.map((hash) => hash.toString('base64')), '', note].join('\n');

/** Reads no more of an answer than a right one has. */
async function beginningOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    parts.push(part);
    bytes += part.length;
    if (bytes > LONGEST_ANSWER) return '';
  }
  return Buffer.concat(parts).toString('utf8');
}

/** An answer may have cosignatures of several keys: those of keys that nobody has named are left out. */
function cosigned({ key }: Witness, note: string, lines: string): WitnessAnswer {
  const { text } = parseNote(note);
  const answered = noteWith(text, lines);
  const signature = answered?.signatures.find(({ name, keyId }) => name === key.name && keyId.equals(key.id));
  if (!answered || !signature) return failed('its answer has no cosignature of its key');
  const time = key.signedAt(answered);
  if (time === null) return failed('its cosignature is wrong');
  if (time > Date.now() / 1000 + AHEAD_S) return failed('its cosignature is of a time to come');
  return { is: 'cosigned', line: signatureLine(signature) };
}

function noteWith(text: string, lines: string): SignedNote | null {
  try {
    return parseNote(`${text}\n${lines}`);
  } catch (error) {
    if (error instanceof MalformedNote) return null;
    throw error;
  }
}

const failed = (problem: string): WitnessAnswer => ({ is: 'failed', problem });
