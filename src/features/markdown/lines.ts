import { withoutMarks } from './stash.js';

/** The lines of a text. Tabs become spaces to the next column of four; lines of spaces become empty. */
export function linesOf(text: string): string[] {
  return withoutMarks(text)
    .replace(/\r\n?/g, '\n')
    .split('\n')
    .map((line) => (line.includes('\t') ? withoutTabs(line) : line))
    .map((line, index) => (index > 0 && /^ +$/.test(line) ? '' : line));
}

function withoutTabs(line: string): string {
  let out = '';
  let column = 0;
  for (const character of line) {
    const width = character === '\t' ? 4 - (column % 4) : 1;
    out += character === '\t' ? ' '.repeat(width) : character;
    column += width;
  }
  return out;
}

/** A text without repetitions of a sign at its end. A pattern would take quadratic time in runs elsewhere. */
export function withoutAtEnd(sign: string, text: string): string {
  let end = text.length;
  while (text[end - 1] === sign) end -= 1;
  return text.slice(0, end);
}
