/** In Unicode code points. */
const LONGEST_SHOWN = 255;
const LONGEST_IN_PATH = 80;
/** What follows the last dot is kept where a name is cut, as far as it says what kind of file it is. */
const LONGEST_EXTENSION = 16;

const NO_NAME = 'uploaded-file';

/** Control characters, and those that turn the direction of what is written: a name must look like what it is. */
const UNSEEN = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const ONLY_DOTS = /^\.*$/;

/** What a client calls a file, without folders and within reason. */
export function shownName(given: string): string {
  const last = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
  const name = last.replace(UNSEEN, '').normalize('NFC').trim();
  return ONLY_DOTS.test(name) ? NO_NAME : cut(name, LONGEST_SHOWN);
}

/** A name as a part of a path: letters, digits, dots, hyphens and underscores, of any script. */
export function nameInPath(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{M}\p{N}_.\s-]/gu, '')
    .trim()
    .replace(/[\s-]+/gu, '-')
    // Nothing that a server or a file system could take for a hidden file, or for a folder above.
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
