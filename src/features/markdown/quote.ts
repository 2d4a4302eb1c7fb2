import { fencesLeftOpen } from './fences.js';

/**
 * Markdown that quotes a text and nothing else: no line of it ends the quotation, and blocks that it leaves open end with
 * it. At most about twice as long as the text.
 *
 * @param codeLanguage language of code blocks that name none; '': none
 */
export function quoteOf(text: string, codeLanguage: string): string {
  const lines = text.split('\n');
  const ends = new Set(lines.map((line) => line.trimEnd()));
  let fence = '```';
  while (ends.has(fence)) fence += '`';
  return [`${fence}quote`, ...lines, ...fencesLeftOpen(lines, codeLanguage), fence].join('\n');
}
