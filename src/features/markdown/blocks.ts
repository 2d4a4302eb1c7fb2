import {
  type Block,
  block,
  inParagraph,
  isListTag,
  LIST_INDENT,
  outdented,
  type Reader,
  type Within,
} from './block.js';
import { isHeader, readHeader } from './headers.js';
import { isListIn, readList } from './lists.js';
import { readTable, tableIn } from './tables.js';

/** Code is indented twice as far as the content of a list. */
const CODE_INDENT = 2 * LIST_INDENT;

/** Deeper markup is read as text. */
const DEEPEST = 40;

export class BlockReader implements Reader {
  private readonly within: Within[] = ['document'];

  isWithin(one: Within): boolean {
    return this.within.at(-1) === one;
  }

  readIn(one: Within, parent: Block, pieces: readonly string[]): void {
    this.within.push(one);
    this.read(parent, pieces);
    this.within.pop();
  }

  readText(parent: Block, text: string): void {
    this.read(parent, text.split('\n\n'));
  }

  read(parent: Block, pieces: readonly string[]): void {
    const waiting = [...pieces].reverse();
    for (let piece = waiting.pop(); piece !== undefined; piece = waiting.pop()) {
      const rest = this.readPiece(parent, piece);
      if (rest !== '') waiting.push(rest);
    }
  }

  /** @returns the rest of the piece, to be read next */
  private readPiece(parent: Block, piece: string): string {
    if (piece === '' || piece.startsWith('\n')) return skipEmptyLine(parent, piece);
    if (this.within.length > DEEPEST) return this.readParagraph(parent, piece);
    if (this.isIndentedIn(parent, piece)) return this.readIndented(parent, piece);
    if (piece.startsWith(' '.repeat(CODE_INDENT))) return readCode(parent, piece);
    if (isHeader(piece)) return readHeader(this, parent, piece);
    const table = tableIn(piece);
    if (table) return readTable(parent, table);
    const rule = ruleIn(piece);
    if (rule) return this.readRule(parent, rule);
    for (const tag of ['ol', 'ul'] as const) if (isListIn(tag, piece)) return readList(this, tag, parent, piece);
    const quote = quoteIn(piece);
    if (quote) return this.readQuote(parent, quote);
    return this.readParagraph(parent, piece);
  }

  private readParagraph(parent: Block, piece: string): '' {
    if (piece.trim() === '') return '';
    const last = parent.children.at(-1);
    if (!this.isWithin('list')) parent.children.push(block('p', piece.trimStart()));
    else if (last) last.tail += `\n${piece}`;
    else parent.text = parent.text === '' ? piece.trimStart() : `${parent.text}\n${piece}`;
    return '';
  }

  private readRule(parent: Block, [before, after]: readonly [string, string]): string {
    if (before !== '') this.read(parent, [before]);
    parent.children.push(block('hr'));
    return after;
  }

  private readQuote(parent: Block, [before, quoted]: readonly [string, string]): '' {
    this.read(parent, [before]);
    const quote = block('blockquote');
    parent.children.push(quote);
    this.within.push('quote');
    this.readText(quote, quoted);
    this.within.pop();
    return '';
  }

  private isIndentedIn(parent: Block, piece: string): boolean {
    if (!piece.startsWith(' '.repeat(LIST_INDENT)) || this.isWithin('indented')) return false;
    return parent.tag === 'li' || isListTag(parent.children.at(-1)?.tag);
  }

  /** Reads content that belongs to an item of the list before it. */
  private readIndented(parent: Block, piece: string): '' {
    const { owner, level } = this.ownerOf(parent, piece);
    const text = outdented(piece, level);
    const [last, item] = [parent.children.at(-1), owner.children.at(-1)];
    if (parent.tag === 'li') this.readIn('indented', last && isListTag(last.tag) ? last : parent, [text]);
    else if (owner.tag === 'li') this.readIn('indented', owner, [text]);
    else if (item?.tag === 'li') {
      inParagraph(item);
      this.readIn('indented', item, text.split('\n\n'));
    } else {
      const added = block('li');
      owner.children.push(added);
      this.readIn('indented', added, [text]);
    }
    return '';
  }

  private ownerOf(parent: Block, piece: string): { readonly owner: Block; readonly level: number } {
    const indents = Math.floor((/^ */.exec(piece)?.[0].length ?? 0) / LIST_INDENT);
    let level = this.isWithin('list') ? 1 : 0;
    let owner = parent;
    while (indents > level) {
      const last = owner.children.at(-1);
      if (!last || (last.tag !== 'li' && !isListTag(last.tag))) break;
      if (last.tag !== 'li') level += 1;
      owner = last;
    }
    return { owner, level };
  }
}

const codeBefore = (parent: Block): Block | undefined => {
  const last = parent.children.at(-1);
  return last?.tag === 'pre' ? last : undefined;
};

function skipEmptyLine(parent: Block, piece: string): string {
  const code = codeBefore(parent);
  if (code) code.text += piece === '' ? '\n\n' : '\n';
  return piece.slice(1);
}

function readCode(parent: Block, piece: string): string {
  const lines = piece.split('\n');
  const indent = ' '.repeat(CODE_INDENT);
  const end = lines.findIndex((line) => !line.startsWith(indent) && line.trim() !== '');
  const own = end < 0 ? lines : lines.slice(0, end);
  const text = own
    .map((line) => line.slice(CODE_INDENT))
    .join('\n')
    .trimEnd();
  const code = codeBefore(parent);
  if (code) code.text += `\n${text}\n`;
  else parent.children.push(block('pre', `${text}\n`));
  return end < 0 ? '' : lines.slice(end).join('\n');
}

const RULE = /^ {0,3}([-_*])(?: {0,2}\1){2,} *$/m;

/** The text before and after a horizontal rule. */
function ruleIn(piece: string): readonly [string, string] | null {
  const rule = RULE.exec(piece);
  if (!rule) return null;
  return [piece.slice(0, Math.max(0, rule.index - 1)), piece.slice(rule.index + rule[0].length + 1)];
}

/** The text before a quotation, and the quoted text. Signs without quoted text are plain text. */
function quoteIn(piece: string): readonly [string, string] | null {
  const lines = piece.split('\n');
  const at = lines.findIndex((line) => /^ {0,3}>/.test(line));
  if (at < 0 || lines.slice(at).every((line) => /^ {0,3}>\s*$/.test(line))) return null;
  const quoted = lines.slice(at).map((line) => (line.trim() === '>' ? '' : line.replace(/^ {0,3}> ?/, '')));
  return [lines.slice(0, at).join('\n'), quoted.join('\n')];
}
