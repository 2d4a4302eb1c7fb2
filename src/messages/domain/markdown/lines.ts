import { withoutMarks } from './stash.js';

/** One text as lines: tabs are spaces to the next column of four, and what only looks empty is. */
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

/** A text without what of one sign stands at its end. A pattern would take the square of how often that stands elsewhere. */
export function withoutAtEnd(sign: string, text: string): string {
  let end = text.length;
  while (text[end - 1] === sign) end -= 1;
  return text.slice(0, end);
}
