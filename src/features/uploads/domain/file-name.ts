/** Longest name, in Unicode code points. */
const LONGEST_SHOWN = 255;
const LONGEST_IN_PATH = 80;
/** Longest extension that is kept when a name is shortened. */
const LONGEST_EXTENSION = 16;

const NO_NAME = 'uploaded-file';

/** Control characters, and characters that change the direction of text. They make a name look like another name. */
const UNSEEN = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const ONLY_DOTS = /^\.*$/;

/** Cleans a file's name from a client: removes folders and invisible characters, and shortens the name. */
export function shownName(given: string): string {
  const last = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
  const name = last.replace(UNSEEN, '').normalize('NFC').trim();
  return ONLY_DOTS.test(name) ? NO_NAME : cut(name, LONGEST_SHOWN);
}

/** Makes a name a part of a path: letters and digits of any script, dots, hyphens and underscores. */
export function nameInPath(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{N}_.\s-]/gu, '')
    .trim()
    .replace(/[\s-]+/gu, '-')
    // A leading dot would make a hidden file or a parent folder.
    .replace(/\.{2,}/g, '.')
    .replace(/^[.-]+/, '');
  return plain === '' ? NO_NAME : cut(plain, LONGEST_IN_PATH);
}

function cut(name: string, longest: number): string {
  const characters = [...name];
  if (characters.length <= longest) return name;
  const dot = characters.lastIndexOf('.');
  const extension = dot > 0 && characters.length - dot <= LONGEST_EXTENSION ? characters.slice(dot) : [];
  return [...characters.slice(0, longest - extension.length), ...extension].join('');
}
