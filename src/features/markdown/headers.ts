import { type Block, block, outdented, type Reader } from './block.js';
import { withoutAtEnd } from './lines.js';

/** The space may be a line end: then the next line is the header. */
const HEADER = /^(#{1,6})\s([^\n]*)(?:\n|$)/m;

export const isHeader = (piece: string): boolean => piece.includes('#') && HEADER.test(piece);

/** @returns the text after the header */
export function readHeader(reader: Reader, parent: Block, piece: string): string {
  const match = HEADER.exec(piece);
  if (!match) return '';
  const [all, signs = '', header = ''] = match;
  const before = piece.slice(0, match.index).replace(/\n$/, '');
  const after = piece.slice(match.index + all.length);
  if (before !== '') reader.read(parent, [before]);
  parent.children.push(block(`h${signs.length}`, withoutAtEnd('#', header).trim()));
  return reader.isWithin('loose list') ? outdented(after) : after;
}
