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
