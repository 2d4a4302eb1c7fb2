import { MalformedNote, parseNote, type SignedNote } from '../../platform/transparency/signed-note.js';
import { NotRight } from './verified-log.js';

/** Text, an empty line, and lines of signatures. */
const NOTE = /(?:[^—\n].*\n)+\n(?:— .+\n)+/g;
/** The first lines of a note, or the first sign of a signature. */
const CUT = /^(?:[^\s—]+(?:\n\d*(?:\n[A-Za-z0-9+/=]{0,44})?)?|—|\ufffd{1,2})$/;
/** A signature with its key's id, 68 bytes, in base64. */
const SIGNATURE_LENGTH = 92;

/** Reads notes that follow each other. @param where names the file @throws NotRight for anything else between them */
export function notesIn(text: string, where: string): readonly SignedNote[] {
  return notesBetween(text, where, (gap) => gap.trim() === '');
}

/** Reads the file that the server notes checkpoints in. A note that a crash has cut short is passed over. @throws NotRight */
export function notesAppended(text: string, where: string): readonly SignedNote[] {
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
export function noteIn(text: string, where: string): SignedNote {
  try {
    return parseNote(text);
  } catch (error) {
    throw asNotRight(error, where);
  }
}

export const asNotRight = (error: unknown, where: string): unknown =>
  error instanceof MalformedNote ? new NotRight(`a note in ${where} is no checkpoint: ${error.message}`) : error;
