import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { DocumentDatabase, DocumentStore } from '../../platform/documents/document-store.js';
import {
  CHECKPOINTS_DATABASE,
  NOTED,
  type NotedDocument,
  SIGNED,
  type SignedDocument,
} from '../../platform/transparency/checkpoint.documents.js';
import { nameIn } from '../../platform/transparency/checkpoint-store.js';
import {
  MalformedNote,
  NoteVerifier,
  parseCheckpoint,
  parseNote,
  type SignedNote,
} from '../../platform/transparency/signed-note.js';
import type { HeadDocument } from '../../platform/transparency/tree.documents.js';
import { type Noted, NotRight } from './verified-log.js';

/** Where checkpoints are looked for, beside documents. */
export interface CheckpointPlaces {
  /** Files of checkpoints that were kept elsewhere. */
  readonly checkpoint?: readonly string[];
  /** File that the server notes checkpoints in. */
  readonly notedIn: string;
  /** Verifier keys that the log says it has signed with. */
  readonly keys?: readonly string[];
}

/** Documents that are read at once. */
const PAGE = 1000;
const HEAD = 'the head of the tree';
const IN_DOCUMENTS = 'the documents of checkpoints';

/**
 * All checkpoints that the log must agree with, whatever name and key signed them: the newest, those that the server has
 * noted, and those that were kept.
 * @throws NotRight for one that is not as it was signed
 */
export async function knownCheckpoints(
  head: HeadDocument,
  store: DocumentStore,
  { checkpoint = [], notedIn, keys: given = [] }: CheckpointPlaces,
): Promise<readonly Noted[]> {
  const keys = new KnownKeys();
  const newest = newestIn(head, keys);
  for (const key of given) keys.add(key, 'an event of the log');
  const stored = await inDocuments(store, keys);
  const inFile = existsSync(notedIn) ? notesAppended(await readFile(notedIn, 'utf8'), notedIn) : [];
  const kept: Noted[] = [];
  for (const file of checkpoint)
    for (const note of notesIn(await readFile(file, 'utf8'), file)) kept.push(keys.signed(note, file));
  return [...newest, ...stored, ...inFile.map((note) => keys.claimed(note, notedIn)), ...kept];
}

/** The keys that the log is known to have signed with. Their names are parts of them. */
class KnownKeys {
  private readonly keys = new Map<string, NoteVerifier>();

  /** @param where the key is written @throws NotRight if it is none */
  add(verifier: string, where: string): NoteVerifier {
    const known = this.keys.get(verifier);
    if (known) return known;
    try {
      const key = NoteVerifier.parse(verifier);
      this.keys.set(verifier, key);
      return key;
    } catch (error) {
      if (error instanceof RangeError) throw new NotRight(`${where} has no verifier key: ${error.message}`);
      throw error;
    }
  }

  /** @throws NotRight for a checkpoint that none of the keys has signed */
  signed(note: SignedNote, where: string): Noted {
    const keys = this.of(note);
    if (keys.length === 0) throw new NotRight(notSigned(note, where));
    return this.claimed(note, where);
  }

  /** A checkpoint that an unknown key has signed is a claim about the log, too. @throws NotRight for a wrong signature */
  claimed(note: SignedNote, where: string): Noted {
    for (const key of this.of(note)) signedNote(note, key, where);
    return checkpointOf(note, where);
  }

  private of({ signatures }: SignedNote): readonly NoteVerifier[] {
    return [...this.keys.values()].filter((key) =>
      signatures.some(({ name, keyId }) => name === key.name && keyId.equals(key.id)),
    );
  }
}

/** Reads which key has signed the newest checkpoint. @throws NotRight if there is none, or it has not */
export function verifierOf(head: HeadDocument): NoteVerifier {
  const keys = new KnownKeys();
  newestIn(head, keys);
  return keys.add(head.verifier ?? '', HEAD);
}

function newestIn({ note, size, root, verifier }: HeadDocument, keys: KnownKeys): readonly Noted[] {
  // The tree has one, even if its newest state is not signed.
  const key = keys.add(verifier ?? '', HEAD);
  if (note === null) return [];
  const where = 'the newest checkpoint';
  const said = signedNote(noteIn(note, where), key, where);
  if (said.size !== size || said.root !== root)
    throw new NotRight(`the newest checkpoint (${said.size} events) is not that of the tree (${size})`);
  return [said];
}

async function inDocuments(store: DocumentStore, keys: KnownKeys): Promise<readonly Noted[]> {
  if (!(await store.databases()).includes(CHECKPOINTS_DATABASE)) return [];
  const database = await store.database(CHECKPOINTS_DATABASE);
  try {
    const found: Noted[] = [];
    for await (const { verifier, size, root, note } of all<NotedDocument>(database, NOTED)) {
      const said = signedNote(noteIn(note, IN_DOCUMENTS), keys.add(verifier, IN_DOCUMENTS), IN_DOCUMENTS);
      if (said.size !== size || said.root !== root)
        throw new NotRight(
          `the checkpoint of ${size} events in ${IN_DOCUMENTS} is not as it was signed (${said.size} events)`,
        );
      found.push(said);
    }
    for await (const { _id, size, root } of all<SignedDocument>(database, SIGNED)) {
      keys.add(_id, IN_DOCUMENTS);
      found.push({ origin: nameIn(_id), size, root, where: IN_DOCUMENTS });
    }
    return found;
  } finally {
    await database.close();
  }
}

async function* all<D extends SignedDocument | NotedDocument>(
  database: DocumentDatabase,
  collection: string,
): AsyncGenerator<D, void> {
  for (let after = ''; ; ) {
    const page = await database
      .collection<D>(collection)
      .find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: PAGE });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last._id;
  }
}

/** @throws NotRight for a checkpoint that the key has not signed */
function signedNote(note: SignedNote, key: NoteVerifier, where: string): Noted {
  if (key.signedAt(note) === null) throw new NotRight(notSigned(note, where));
  return checkpointOf(note, where);
}

function notSigned({ text }: SignedNote, where: string): string {
  const [, size = ''] = text.split('\n');
  return `the checkpoint of ${size} events in ${where} is not signed with the key of the log`;
}

function checkpointOf({ text }: SignedNote, where: string): Noted {
  try {
    const { origin, size, root } = parseCheckpoint(text);
    return { origin, size, root: root.toString('base64'), where };
  } catch (error) {
    throw asNotRight(error, where);
  }
}

/** Text, an empty line, and lines of signatures. */
const NOTE = /(?:[^—\n].*\n)+\n(?:— .+\n)+/g;
/** The first lines of a note, or the first sign of a signature. */
const CUT = /^(?:[^\s—]+(?:\n\d*(?:\n[A-Za-z0-9+/=]{0,44})?)?|—|\ufffd{1,2})$/;
/** A signature with its key's id, 68 bytes, in base64. */
const SIGNATURE_LENGTH = 92;

/** Reads notes that follow each other. @param where names the file @throws NotRight for anything else between them */
function notesIn(text: string, where: string): readonly SignedNote[] {
  return notesBetween(text, where, (gap) => gap.trim() === '');
}

/** Reads the file that the server notes checkpoints in. A note that a crash has cut short is passed over. @throws NotRight */
function notesAppended(text: string, where: string): readonly SignedNote[] {
  return notesBetween(text, where, (gap) =>
    gap
      .split(/\n{2,}/)
      .map((part) => part.trim())
      .every((part) => part === '' || CUT.test(part)),
  );
}

function notesBetween(read: string, where: string, mayStand: (gap: string) => boolean): readonly SignedNote[] {
  const text = `${read}\n`;
  const notes: SignedNote[] = [];
  let at = 0;
  const check = (to: number): void => {
    const gap = text.slice(at, to);
    if (!mayStand(gap)) throw new NotRight(`${where} has lines of no checkpoint: ${JSON.stringify(gap.trim())}`);
  };
  for (const { 0: note, index } of text.matchAll(NOTE)) {
    check(index);
    at = index + note.length;
    if (!isCut(note, text.slice(at, at + 1))) notes.push(noteIn(note, where));
  }
  check(text.length);
  return notes;
}

/** Tells that the signature ends early. An empty line follows then: the next note begins behind it. */
function isCut(note: string, next: string): boolean {
  const [origin = ''] = note.split('\n');
  const line = note.slice(note.lastIndexOf('\n', note.length - 2) + 1, -1);
  const begin = `— ${origin} `;
  const isShort = line.startsWith(begin)
    ? /^[A-Za-z0-9+/]*$/.test(line.slice(begin.length)) && line.length < begin.length + SIGNATURE_LENGTH
    : begin.startsWith(line);
  return isShort && (next === '\n' || next === '');
}

/** Reads one note. @param where it is, for the error @throws NotRight */
function noteIn(text: string, where: string): SignedNote {
  try {
    return parseNote(text);
  } catch (error) {
    throw asNotRight(error, where);
  }
}

const asNotRight = (error: unknown, where: string): unknown =>
  error instanceof MalformedNote ? new NotRight(`a note in ${where} is no checkpoint: ${error.message}`) : error;
