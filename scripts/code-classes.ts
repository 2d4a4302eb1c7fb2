import { readFile } from 'node:fs/promises';
import {
  ANY,
  type ClassRows,
  classOf,
  EVERY,
  NO_CLASS,
  rowKeys,
  wordClass,
} from '../src/features/code-colours/class-table.js';
import { lexemesIn } from '../src/features/code-colours/colour-code.js';
import type { Lexeme } from '../src/features/code-colours/lexemes.js';

/** Snippets of code, and Pygments' HTML for them. */
const CASES = 'test/features/code-colours/highlight-cases.json';

/** Languages that Annals reads without a grammar of Prism. */
const OWN = new Set(['Python', 'TeX']);

interface Case {
  readonly language: string;
  readonly html: string;
}

/** A lexeme of a snippet, and how many of its signs have which class in Pygments' HTML. */
export interface Sample {
  readonly language: string;
  readonly lexeme: Lexeme;
  readonly classes: ReadonlyMap<string, number>;
}

/** Each snippet's lexemes; two snippets of a language follow each other. */
export async function readSamples(): Promise<readonly (readonly Sample[])[]> {
  const { cases }: { cases: readonly Case[] } = JSON.parse(await readFile(CASES, 'utf8'));
  const samples = [];
  for (const snippet of cases) if (!OWN.has(snippet.language)) samples.push(await samplesOf(snippet));
  return samples;
}

async function samplesOf({ language, html }: Case): Promise<readonly Sample[]> {
  const signs = signsOf(html);
  const code = signs.map(([sign]) => sign).join('');
  let at = 0;
  return ((await lexemesIn(language, code)) ?? [plain(code)]).map((lexeme) => {
    const classes = new Map<string, number>();
    for (const [sign, kind] of signs.slice(at, at + lexeme.text.length))
      if (sign.trim() !== '') classes.set(kind, (classes.get(kind) ?? 0) + 1);
    at += lexeme.text.length;
    return { language, lexeme, classes };
  });
}

const plain = (text: string): Lexeme => ({ text, type: 'none', form: 'plain', isWord: false });

/** Each UTF-16 unit of the code, and its class. */
function signsOf(html: string): readonly (readonly [sign: string, kind: string])[] {
  let kind = '';
  return [...html.matchAll(/<span class="([^"]*)">|<\/span>|([^<]+)/g)].flatMap(([, opened, text]) => {
    if (text === undefined) kind = opened ?? '';
    const of = kind;
    return [...unescaped(text ?? '').split('')].map((sign) => [sign, of] as const);
  });
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
  ['&quot;', '"'],
  ['&#39;', "'"],
]);

const unescaped = (html: string): string =>
  html.replace(/&(?:lt|gt|amp|quot|#39);/g, (entity) => ENTITIES.get(entity) ?? '');

/** The rows that fit samples best, without rows that say what the next less specific one says. */
export function learnRows(samples: readonly Sample[]): ClassRows {
  const counts = new Map<string, Map<string, number>>();
  for (const { language, lexeme, classes } of samples)
    for (const key of rowKeys(lexeme, language, wordClass(lexeme, language)))
      for (const kind of classes.keys()) {
        const row = counts.get(key) ?? new Map<string, number>();
        counts.set(key, row.set(kind, (row.get(kind) ?? 0) + 1));
      }
  const rows = new Map(
    [...counts].filter(([key, row]) => isGeneral(key) || sum(row) > 1).map(([key, row]) => [key, mostFrequent(row)]),
  );
  return new Map([...rows].filter(([key, kind]) => kind !== toldWithout(key, rows)));
}

/** Whether a row holds for more than one spelling: such rows are learnt even from one lexeme. */
const isGeneral = (key: string): boolean => !key.startsWith(EVERY) || key.endsWith(` ${ANY}`) || key.includes(' =');

const sum = (row: ReadonlyMap<string, number>): number => [...row.values()].reduce((total, count) => total + count);

/** The class that a lexeme has without the row of its own. */
function toldWithout(key: string, rows: ClassRows): string | undefined {
  const [, language = '', type = '', form = ''] = /^(.+)\n(\S+) (\S+)$/.exec(key) ?? [];
  if (!form.startsWith('=')) return form === ANY ? undefined : rows.get(`${language}\n${type} ${ANY}`);
  return language === EVERY ? form.slice(1) : rows.get(`${EVERY}\n${type} ${form}`);
}

const WIDTH = 118;
const FOLDER = 'src/features/code-colours';

/** The sources of tables that together hold rows, by file. */
export function tablesOf(rows: ClassRows): ReadonlyMap<string, string> {
  const inFirst = (key: string): boolean => key.toUpperCase() < 'M';
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map([
    [
      `${FOLDER}/class-rows-a-l.ts`,
      tableOf(
        'CLASS_ROWS_A_L',
        sorted.filter(([key]) => inFirst(key)),
      ),
    ],
    [
      `${FOLDER}/class-rows-m-z.ts`,
      tableOf(
        'CLASS_ROWS_M_Z',
        sorted.filter(([key]) => !inFirst(key)),
      ),
    ],
  ]);
}

function tableOf(name: string, rows: readonly (readonly [key: string, kind: string])[]): string {
  const sections = new Map<string, string[]>();
  let last = '';
  for (const [key, kind] of rows) {
    const [language = '', type = '', form = ''] = key.split(/\n| (?=\S+$)/);
    const fields = sections.get(language) ?? [];
    sections.set(language, fields);
    if (last !== `${language}\n${type}`) fields.push(`.${type}`);
    last = `${language}\n${type}`;
    fields.push(`${form} ${kind.replaceAll(' ', '+') || NO_CLASS}`);
  }
  const lines = [...sections].flatMap(([language, fields]) => [`@${language}`, ...filled(fields)]);
  return `/**
 * Made by scripts/derive-code-classes.ts: \`@Language\`, \`.type\` of Prism, then a form and Pygments' class for each row.
 */
export const ${name} = String.raw\`
${lines.join('\n')}
\`;
`;
}

/** Rows side by side in lines. */
function filled(fields: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const field of fields) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + field.length > WIDTH) lines.push(field);
    else lines[lines.length - 1] = `${line} ${field}`;
  }
  return lines;
}

const mostFrequent = (row: ReadonlyMap<string, number>): string =>
  [...row].reduce((most, entry) => (entry[1] > most[1] ? entry : most))[0];

/** Shares of the signs, but for blanks, whose class or whose class's first letter rows tell as Pygments does. */
export function measure(samples: readonly Sample[], rows: ClassRows): { all: number; exact: number; first: number } {
  const found = { all: 0, exact: 0, first: 0 };
  for (const { language, lexeme, classes } of samples) {
    const told = classOf(lexeme, language, rows) ?? '';
    for (const [kind, signs] of classes) {
      found.all += signs;
      if (kind === told) found.exact += signs;
      if (kind[0] === told[0]) found.first += signs;
    }
  }
  return found;
}
