import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { DocumentStore } from '../../platform/documents/document-store.js';
import {
  CHECKPOINTS_DATABASE,
  NOTED,
  type NotedDocument,
  SIGNED,
  type SignedDocument,
} from '../../platform/transparency/checkpoint.documents.js';
import { parseCheckpoint } from '../../platform/transparency/checkpoint.js';
import { NoteVerifier, type SignedNote } from '../../platform/transparency/signed-note.js';
import type { HeadDocument } from '../../platform/transparency/tree.documents.js';
import { asNotRight, noteIn, notesAppended, notesIn } from './notes-in.js';
import { type Noted, NotRight } from './verified-log.js';

/** Where checkpoints are looked for, beside documents. */
export interface CheckpointPlaces {
  /** Files of checkpoints that were kept elsewhere. */
  readonly checkpoint?: readonly string[];
  /** File that the server notes checkpoints in. */
  readonly notedIn: string;
}

/** Noted checkpoints that are read at once. */
const PAGE = 1000;

/**
 * All checkpoints that the log must agree with: the newest, those that the server has noted, and those that were kept.
 * @throws NotRight for one that is not as the log has signed it
 */
export async function knownCheckpoints(
  head: HeadDocument,
  store: DocumentStore,
  { checkpoint = [], notedIn }: CheckpointPlaces,
): Promise<readonly Noted[]> {
  if (head.verifier === null) return checkpoint.length === 0 ? [] : unsigned();
  const key = keyOf(head.verifier);
  const inFile = existsSync(notedIn) ? notesAppended(await readFile(notedIn, 'utf8'), notedIn) : [];
  const kept: Noted[] = [];
  for (const file of checkpoint)
    for (const note of notesIn(await readFile(file, 'utf8'), file)) kept.push(signedNote(note, key, file));
  return [
    ...newestIn(head, key),
    ...(await notedInDocuments(key, store)),
    ...inFile.flatMap((note) => notedInFile(note, key, notedIn)),
    ...kept,
  ];
}

function unsigned(): never {
  throw new NotRight('no checkpoint of the log is signed: none that was kept can be compared');
}

function keyOf(verifier: string): NoteVerifier {
  try {
    return NoteVerifier.parse(verifier);
  } catch (error) {
    if (error instanceof RangeError) throw new NotRight(`the head of the tree has no verifier key: ${error.message}`);
    throw error;
  }
}

function newestIn({ note, size, root }: HeadDocument, key: NoteVerifier): readonly Noted[] {
  if (note === null) return [];
  const where = 'the newest checkpoint';
  const said = signedNote(noteIn(note, where), key, where);
  if (said.size !== size || said.root !== root)
    throw new NotRight(`the newest checkpoint (${said.size} events) is not that of the tree (${size})`);
  return [said];
}

async function notedInDocuments(key: NoteVerifier, store: DocumentStore): Promise<readonly Noted[]> {
  if (!(await store.databases()).includes(CHECKPOINTS_DATABASE)) return [];
  const database = await store.database(CHECKPOINTS_DATABASE);
  const verifier = String(key);
  try {
    const where = 'the documents of checkpoints';
    const found: Noted[] = [];
    for (let after = -1; ; ) {
      const page = await database
        .collection<NotedDocument>(NOTED)
        .find({ verifier, size: { $gt: after } }, { sort: { size: 1 }, limit: PAGE });
      for (const { size, root, note } of page) {
        const said = signedNote(noteIn(note, where), key, where);
        if (said.size !== size || said.root !== root)
          throw new NotRight(
            `the checkpoint of ${size} events in ${where} is not as it was signed (${said.size} events)`,
          );
        found.push(said);
      }
      const last = page.at(-1);
      if (!last || page.length < PAGE) break;
      after = last.size;
    }
    const signed = await database.collection<SignedDocument>(SIGNED).findOne({ _id: verifier });
    return signed ? [...found, { size: signed.size, root: signed.root, where }] : found;
  } finally {
    await database.close();
  }
}

/** The file may have notes of other names or keys of the log, which are not looked at. */
function notedInFile(note: SignedNote, key: NoteVerifier, where: string): readonly Noted[] {
  const isOwn = note.signatures.some(({ name, keyId }) => name === key.name && keyId.equals(key.id));
  return isOwn ? [signedNote(note, key, where)] : [];
}

/** @throws NotRight for a checkpoint that the log's key has not signed */
function signedNote(note: SignedNote, key: NoteVerifier, where: string): Noted {
  if (key.signedAt(note) === null) {
    const [, size = ''] = note.text.split('\n');
    throw new NotRight(`the checkpoint of ${size} events in ${where} is not signed with the key of the log`);
  }
  return checkpointOf(note, where);
}

function checkpointOf({ text }: SignedNote, where: string): Noted {
  try {
    const { size, root } = parseCheckpoint(text);
    return { size, root: root.toString('base64'), where };
  } catch (error) {
    throw asNotRight(error, where);
  }
}
