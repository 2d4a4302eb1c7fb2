import { codeBlock } from './code-block.js';
import { withoutAtEnd } from './lines.js';
import type { Stash } from './stash.js';
import type { Writing } from './writing.js';

/** The language may be written as an attribute; the text after it is the header of a spoiler. */
const FENCE = /^(~{3,}|`{3,}) *(?:\{?\.?([a-zA-Z0-9_+,\-./#]+)(?![a-zA-Z0-9_+,\-./#]) *([^ ~`][^~`]*)?\}?)?$/;

/** Deeper fences do not open a block. */
const DEEPEST = 40;

const QUOTES: ReadonlySet<string | undefined> = new Set(['quote', 'quoted']);

interface Open {
  readonly fence: string;
  readonly kind: 'quote' | 'spoiler' | 'math' | 'code';
  readonly language: string | undefined;
  readonly header: string | undefined;
  readonly lines: string[];
}

/**
 * Replaces fenced blocks in lines: code and formulas are put into the stash; quoted lines get the quotation sign; a
 * spoiler's lines stand between marks. An unclosed block ends with the text.
 *
 * @param keepsEmpty whether a block without lines is more than nothing
 */
export function withoutFences(lines: readonly string[], stash: Stash, writing: Writing, keepsEmpty = false): string[] {
  const out: string[] = [];
  const open: Open[] = [];
  const { codeLanguage } = writing.names.settings;
  const close = (): void => {
    const closed = open.pop();
    if (!closed || (closed.lines.length === 0 && !(keepsEmpty && closed.kind !== 'quote'))) return;
    (open.at(-1)?.lines ?? out).push('', ...closedUp(closed, stash, writing), '');
  };
  for (const line of lines) {
    const innermost = open.at(-1);
    const holdsBlocks = mayHoldBlocks(innermost);
    if (innermost && line.trimEnd() === innermost.fence) close();
    else {
      const opened = holdsBlocks && open.length < DEEPEST ? opening(line, codeLanguage) : null;
      if (opened) open.push(opened);
      else if (innermost) innermost.lines.push(holdsBlocks ? line : line.trimEnd());
      else out.push(line);
    }
  }
  while (open.length > 0) close();
  return out;
}

/** Whether fences within the block open blocks. */
const mayHoldBlocks = (block: Open | undefined): boolean =>
  !block || block.kind === 'quote' || block.kind === 'spoiler';

/** The fences of the blocks that the lines do not close, the innermost first. */
export function fencesLeftOpen(lines: readonly string[], codeLanguage: string): readonly string[] {
  const open: Open[] = [];
  for (const line of lines) {
    const innermost = open.at(-1);
    if (innermost && line.trimEnd() === innermost.fence) open.pop();
    else {
      const opened = mayHoldBlocks(innermost) && open.length < DEEPEST ? opening(line, codeLanguage) : null;
      if (opened) open.push(opened);
    }
  }
  return open.map(({ fence }) => fence).reverse();
}

/** Inserts an empty line before a list that follows other text, or a list of another kind. */
export function withListsApart(lines: readonly string[]): string[] {
  const open: { readonly fence: string; readonly isCode: boolean }[] = [];
  let codes = 0;
  return lines.flatMap((line, at) => {
    const [, fence, language] = FENCE.exec(line) ?? [];
    if (fence !== undefined) {
      if (language === undefined && open.at(-1)?.fence === fence) codes -= open.pop()?.isCode ? 1 : 0;
      else {
        const isCode = !QUOTES.has(language);
        open.push({ fence, isCode });
        codes += isCode ? 1 : 0;
      }
    }
    const next = codes === 0 && line !== '' ? listMark(lines[at + 1] ?? '') : null;
    if (next === null) return [line];
    return next === listMark(line) ? [line] : [line, ''];
  });
}

/** The kind of a list item; null if the line is not a list item. */
function listMark(line: string): 'sign' | 'number' | null {
  const [, mark] = /^ *([*+-]|\d\.) +/.exec(line) ?? [];
  if (mark === undefined) return null;
  return mark.length === 1 ? 'sign' : 'number';
}

function opening(line: string, defaultLanguage: string): Open | null {
  const [, fence, named, header] = FENCE.exec(line) ?? [];
  if (fence === undefined) return null;
  const language = (named ?? (defaultLanguage === '' ? undefined : defaultLanguage))?.toLowerCase();
  const kind = language === 'math' || language === 'spoiler' ? language : QUOTES.has(language) ? 'quote' : 'code';
  return { fence, kind, language, header, lines: [] };
}

function closedUp({ kind, language, header, lines }: Open, stash: Stash, writing: Writing): readonly string[] {
  switch (kind) {
    case 'quote':
      // Without the empty line that may follow a block at the quotation's end: it would become a line break.
      return withoutAtEnd('\n', lines.join('\n'))
        .split('\n')
        .map((line) => `> ${line}`);
    case 'spoiler':
      return [
        stash.put({ html: '<div class="spoiler-block"><div class="spoiler-header">', isBlock: true }),
        ...(header === undefined ? [] : ['', header]),
        '',
        stash.put({ html: '</div><div class="spoiler-content" aria-hidden="true">', isBlock: true }),
        '',
        ...lines,
        '',
        stash.put({ html: '</div></div>', isBlock: true }),
      ];
    case 'math':
      return [stash.put({ html: writing.formulas.blockOf(lines.join('\n')), isBlock: false })];
    case 'code':
      return [stash.put({ html: codeBlock(lines.join('\n'), writing, language), isBlock: true })];
    default:
      return kind satisfies never;
  }
}
