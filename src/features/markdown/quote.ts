import { fencesLeftOpen } from './fences.js';

/**
 * Markdown that quotes a text and nothing else: no line of it ends the quotation, and blocks that it leaves open end with
 * it. At most about twice as long as the text.
 *
 * @param codeLanguage language of code blocks that name none; '': none
 */
export const quoteOf = (text: string, codeLanguage: string): string => fenced('quote', text, codeLanguage);

/** The same for a text that is shown when its reader asks for it. @param header in plain words */
export const spoilerOf = (header: string, text: string, codeLanguage: string): string =>
  fenced(`spoiler ${header}`, text, codeLanguage);

function fenced(kind: string, text: string, codeLanguage: string): string {
  const lines = text.split('\n');
  const ends = new Set(lines.map((line) => line.trimEnd()));
  let fence = '```';
  while (ends.has(fence)) fence += '`';
  return [`${fence}${kind}`, ...lines, ...fencesLeftOpen(lines, codeLanguage), fence].join('\n');
}
