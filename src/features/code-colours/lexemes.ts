import type { refractor } from 'refractor/core';

type Nodes = ReturnType<typeof refractor.highlight>['children'];

/** A piece of code that has one class or none. */
export interface Lexeme {
  readonly text: string;
  /** Prism's innermost name for it, with its aliases; 'none' for plain code. */
  readonly type: string;
  /** Kind of spelling, without blanks. */
  readonly form: string;
  /** Whether it can be a reserved word: it stands in no string or comment. */
  readonly isWord: boolean;
}

/** Types whose text is one lexeme, but for escapes in it. */
const QUOTED = /comment|string|regex|char|url|doctype|cdata|prolog/;
const NOT_QUOTED = /punctuation|interpol/;
const PIECES_OF_QUOTED = /\\.|[^\\]+|\\/gs;
const PIECES = /\s+|[$@%&]?[\p{L}_][\p{L}\p{N}_]*[!?]?|\d[\w.]*|[()[\]{},;:.]|[^\p{L}\p{N}_\s()[\]{},;:.]+|./gsu;

/** The signs that a string or a comment begins with, or the letter before its quotation mark. */
const LEAD = /^(?:[^\p{L}\p{N}\s]{1,3}|[a-z](?=["']))/u;

/** Lexemes of code as Prism reads it; their texts together are the code. */
export function* lexemesOf(nodes: Readonly<Nodes>, type = 'none'): Iterable<Lexeme> {
  for (const node of nodes) {
    if (node.type === 'text') yield* piecesOf(node.value, type);
    else if (node.type === 'element') yield* lexemesOf(node.children, typeOf(node.properties.className) ?? type);
  }
}

function typeOf(classes: unknown): string | null {
  const names = Array.isArray(classes) ? classes.filter((name) => name !== 'token') : [];
  return names.length === 0 ? null : names.join('.');
}

function* piecesOf(text: string, type: string): Iterable<Lexeme> {
  const isQuoted = QUOTED.test(type) && !NOT_QUOTED.test(type);
  const lead = isQuoted ? spelled(LEAD.exec(text.trimStart())?.[0] ?? '') : '';
  for (const [piece] of text.matchAll(isQuoted ? PIECES_OF_QUOTED : PIECES)) {
    const form = !isQuoted ? formOf(piece) : piece.length === 2 && piece.startsWith('\\') ? 'escape' : `quoted${lead}`;
    yield { text: piece, type, form, isWord: !isQuoted };
  }
}

function formOf(piece: string): string {
  if (/^\s/.test(piece)) return 'blank';
  if (/^\d/.test(piece)) return /^0[xX]/.test(piece) ? 'hex' : /[.eE]/.test(piece) ? 'float' : 'integer';
  const [, sign, word] = /^([$@%&]?)([\p{L}_].*)$/u.exec(piece) ?? [];
  if (word === undefined) return piece.length > 3 ? 'signs' : `sign${spelled(piece)}`;
  const letters = /^[A-Z][A-Z0-9_]+$/.test(word) ? 'CAPITALS' : /^[A-Z]/.test(word) ? 'Capital' : 'word';
  return `${letters}${spelled(sign ?? '')}`;
}

/** Signs without those that a table, a template of JavaScript, cannot hold. */
const spelled = (signs: string): string => signs.replaceAll('`', 'tick').replaceAll('$', 'dollar');
