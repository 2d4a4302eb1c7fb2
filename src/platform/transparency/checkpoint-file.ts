import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing } from '../files/is-missing.js';
import { syncFolder } from '../files/sync-folder.js';
import { StartRefused } from '../kernel/start-refused.js';
import {
  type Checkpoint,
  MalformedNote,
  type NoteVerifier,
  parseCheckpoint,
  parseNote,
  type SignedNote,
} from './signed-note.js';

/** The newest notes are looked for in so many bytes at the file's end. */
const TAIL_BYTES = 65_536;
/** Text of a checkpoint, an empty line, and signatures up to the next empty line. */
const NOTES = /(?<=^|\n)[^\n]+\n[0-9]+\n[^\n]+\n\n(?:— [^\n]+\n)+(?=\n)/g;

/**
 * Noted checkpoints in a file that only grows, one after the other with an empty line behind each. It can be kept apart
 * from the log and from its backups. A note that a crash has cut short is passed over.
 */
export class CheckpointFile {
  constructor(readonly path: string) {}

  /** The newest checkpoint of the file's end that is signed with the key. @throws StartRefused if the file cannot be read */
  async last(verifier: NoteVerifier): Promise<Checkpoint | null> {
    const notes = (await this.tail()).match(NOTES) ?? [];
    return notes.map((note) => signedBy(verifier, note)).findLast((checkpoint) => checkpoint !== null) ?? null;
  }

  /**
   * The newest checkpoint of the file's end by each name and key. A note with a known key's wrong signature is passed over.
   * @throws StartRefused if the file cannot be read
   */
  async newest(known: readonly NoteVerifier[]): Promise<readonly Checkpoint[]> {
    const bySigner = new Map<string, Checkpoint>();
    for (const text of (await this.tail()).match(NOTES) ?? []) {
      const read = checkpointIn(text);
      if (read === null) continue;
      const { note, checkpoint } = read;
      if (known.some((verifier) => isSignedWith(verifier, note) && verifier.signedAt(note) === null)) continue;
      const ids = note.signatures
        .filter(({ name }) => name === checkpoint.origin)
        .map(({ keyId }) => keyId.toString('hex'));
      bySigner.set([checkpoint.origin, ...ids].join('+'), checkpoint);
    }
    return [...bySigner.values()];
  }

  /** Resolves when the note is on disk. */
  async append(note: string): Promise<void> {
    const handle = await open(this.path, 'a', 0o644);
    try {
      const isNew = (await handle.stat()).size === 0;
      // Ends a note that was cut short.
      const begin = isNew || (await this.tail()).endsWith('\n\n') ? '' : '\n\n';
      await handle.writeFile(`${begin}${note}\n`);
      await handle.sync();
      if (isNew) await syncFolder(dirname(this.path));
    } finally {
      await handle.close();
    }
  }

  private async tail(): Promise<string> {
    try {
      const handle = await open(this.path, 'r');
      try {
        const { size } = await handle.stat();
        const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, size - bytes.length);
        return bytes.toString('utf8', 0, bytesRead);
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (isMissing(error)) return '';
      throw new StartRefused(`checkpoints cannot be read from ${this.path}: ${String(error)}`);
    }
  }
}

function signedBy(verifier: NoteVerifier, text: string): Checkpoint | null {
  const read = checkpointIn(text);
  if (read === null || read.checkpoint.origin !== verifier.name) return null;
  return verifier.signedAt(read.note) === null ? null : read.checkpoint;
}

const isSignedWith = (verifier: NoteVerifier, { signatures }: SignedNote): boolean =>
  signatures.some(({ name, keyId }) => name === verifier.name && keyId.equals(verifier.id));

function checkpointIn(text: string): { readonly note: SignedNote; readonly checkpoint: Checkpoint } | null {
  try {
    const note = parseNote(text);
    return { note, checkpoint: parseCheckpoint(note.text) };
  } catch (error) {
    if (error instanceof MalformedNote) return null;
    throw error;
  }
}
