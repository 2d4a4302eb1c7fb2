import { type Block, block } from './block.js';
import { withoutAtEnd } from './lines.js';
import { TooLongError } from './tree.js';

/** With more cells than this, the HTML would be too long for a message. */
const MOST_CELLS = 20_000;

interface Table {
  readonly head: readonly string[];
  /** Alignment of each column; null: default. */
  readonly align: readonly (string | null)[];
  readonly rows: readonly (readonly string[])[];
}

/** The table of a piece: a row of headers, a row of lines, and rows of cells; null if the piece is not a table. */
export function tableIn(piece: string): Table | null {
  if (!piece.includes('|')) return null;
  const lines = piece.split('\n').map((line) => withoutAtEnd(' ', line.replace(/^ +/, '')));
  const [head = '', under = ''] = lines;
  if (lines.length < 2 || !/^[|:\- ]*$/.test(under)) return null;
  const isBordered = head.startsWith('|') || endsInBar(head);
  const cellsOf = (line: string): readonly string[] => cells(isBordered ? withoutBorder(line) : line);
  const names = cellsOf(head);
  const lined = cellsOf(under);
  if (lined.length !== names.length) return null;
  const isBarred = (line: string): boolean => line.startsWith('|') || endsInBar(line);
  if (names.length === 1 && !(isBordered && lines.slice(1).every(isBarred))) return null;
  if (lined.length * lines.length > MOST_CELLS) throw new TooLongError();
  return { head: names, align: lined.map(alignment), rows: lines.slice(2).map(cellsOf) };
}

/** @returns an empty rest: a table takes the whole piece */
export function readTable(parent: Block, { head, align, rows }: Table): '' {
  const row = (tag: string, texts: readonly string[]): Block => {
    const made = block('tr');
    align.forEach((aligned, column) => {
      const style: Record<string, string> = aligned === null ? {} : { style: `text-align: ${aligned};` };
      made.children.push(block(tag, texts[column]?.trim() ?? '', style));
    });
    return made;
  };
  const [top, body, table] = [block('thead'), block('tbody'), block('table')];
  top.children.push(row('th', head));
  body.children.push(...(rows.length === 0 ? [row('td', [])] : rows.map((texts) => row('td', texts))));
  table.children.push(top, body);
  parent.children.push(table);
  return '';
}

const endsInBar = (line: string): boolean => /(?<!\\)(?:\\\\)*\|$/.test(line);

const withoutBorder = (line: string): string => {
  const inner = line.startsWith('|') ? line.slice(1) : line;
  return endsInBar(inner) ? inner.slice(0, -1) : inner;
};

function alignment(under: string): string | null {
  const [left, right] = [under.trim().startsWith(':'), under.trim().endsWith(':')];
  if (left && right) return 'center';
  if (left) return 'left';
  return right ? 'right' : null;
}

/** The cells of a row. Bars end a cell except after a backslash or in code. */
function cells(line: string): readonly string[] {
  const bars: number[] = [];
  const ticks: { readonly from: number; readonly to: number; readonly width: number }[] = [];
  for (const match of line.matchAll(/\\\\|\\`+|`+|\\\||\|/g)) {
    const [found] = match;
    const to = match.index + found.length;
    if (found === '|') bars.push(match.index);
    else if (found.startsWith('`')) ticks.push({ from: match.index, to, width: found.length });
    else if (found.startsWith('\\`')) ticks.push({ from: match.index + 1, to, width: found.length - 1 });
  }
  const codes = codeRanges(ticks);
  const parted: string[] = [];
  let from = 0;
  let code = 0;
  for (const bar of bars) {
    while (codes[code] && bar >= (codes[code]?.to ?? 0)) code += 1;
    if (bar > (codes[code]?.from ?? Number.POSITIVE_INFINITY)) continue;
    parted.push(line.slice(from, bar));
    from = bar + 1;
  }
  return [...parted, line.slice(from)];
}

function codeRanges(ticks: readonly { readonly from: number; readonly to: number; readonly width: number }[]) {
  const next = new Map<number, number>();
  const closing = ticks.map(() => -1);
  for (let at = ticks.length - 1; at >= 0; at--) {
    const width = ticks[at]?.width ?? 0;
    closing[at] = next.get(width) ?? -1;
    next.set(width, at);
  }
  const spans: { readonly from: number; readonly to: number }[] = [];
  for (let at = 0; at < ticks.length; ) {
    const end = closing[at] ?? -1;
    if (end > at) spans.push({ from: ticks[at]?.from ?? 0, to: ticks[end]?.to ?? 0 });
    at = Math.max(at, end) + 1;
  }
  return spans;
}
