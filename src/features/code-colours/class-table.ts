import { CLASS_ROWS_A_L } from './class-rows-a-l.js';
import { CLASS_ROWS_M_Z } from './class-rows-m-z.js';
import type { Lexeme } from './lexemes.js';
import { PYGMENTS_WORDS } from './pygments-words.js';

/** Pygments' classes by key; see `rowKeys`. '': no class. */
export type ClassRows = ReadonlyMap<string, string>;

/** The language of rows that hold for all. */
export const EVERY = '*';
/** The form of rows that hold for all. */
export const ANY = 'any';
/** What is written in a table in place of no class. */
export const NO_CLASS = '-';

/** Languages whose words may be written in capitals. */
const CASELESS: ReadonlySet<string> = new Set([
  ...['Ada', 'ApacheConf', 'Batchfile', 'CMake', 'Delphi', 'Fortran', 'MySQL', 'NASM', 'PHP'],
  ...['PostgreSQL SQL dialect', 'PowerShell', 'SQL', 'VB.net', 'vhdl'],
]);

const wordsOf: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  sections(PYGMENTS_WORDS).map(([language, fields]) => {
    let kind = '';
    return [
      language,
      new Map(
        fields.flatMap((field): [string, string][] => {
          if (!field.startsWith('.')) return [[spelling(field, language), kind]];
          kind = field.slice(1);
          return [];
        }),
      ),
    ];
  }),
);

/** Pygments' class of a reserved word or built-in; undefined: it is none. */
export const wordClass = ({ text, isWord }: Lexeme, language: string): string | undefined =>
  isWord ? wordsOf.get(language)?.get(spelling(text, language)) : undefined;

function spelling(word: string, language: string): string {
  return CASELESS.has(language) ? word.toLowerCase() : word;
}

/** Keys of the rows that may tell a lexeme's class; the first that has a row does. */
export function rowKeys({ type, form }: Lexeme, language: string, word: string | undefined): readonly string[] {
  const key = (of: string, spelled: string): string => `${of}\n${type} ${spelled}`;
  return word === undefined
    ? [key(language, form), key(language, ANY), key(EVERY, form), key(EVERY, ANY)]
    : [key(language, `=${word}`), key(EVERY, `=${word}`)];
}

/** Pygments' class of a lexeme, as far as the rows tell; null: none. */
export function classOf(lexeme: Lexeme, language: string, rows: ClassRows = classRows): string | null {
  if (lexeme.form === 'blank') return null;
  const word = wordClass(lexeme, language);
  for (const key of rowKeys(lexeme, language, word)) {
    const row = rows.get(key);
    if (row !== undefined) return row === '' ? null : row;
  }
  return word ?? null;
}

const SECTIONS = sections(CLASS_ROWS_A_L + CLASS_ROWS_M_Z);

/** The table. */
export const classRows: ClassRows = new Map(
  SECTIONS.flatMap(([language, fields]) => {
    const rows: [string, string][] = [];
    let type = '';
    let form: string | null = null;
    for (const field of fields) {
      if (form !== null) {
        rows.push([`${language}\n${type} ${form}`, field === NO_CLASS ? '' : field.replaceAll('+', ' ')]);
        form = null;
      } else if (field.startsWith('.')) type = field.slice(1);
      else form = field;
    }
    return rows;
  }),
);

/** Languages that have rows of their own. */
export const learntLanguages: ReadonlySet<string> = new Set(SECTIONS.map(([language]) => language));

/** A table's sections: lines that begin with `@` name a language; fields stand between blanks. */
function sections(table: string): readonly (readonly [language: string, fields: readonly string[]])[] {
  return table
    .split('\n@')
    .slice(1)
    .map((section) => {
      const end = section.indexOf('\n');
      return [section.slice(0, end), section.slice(end).split(/\s+/).filter(Boolean)];
    });
}
