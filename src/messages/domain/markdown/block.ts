/** A part of a text that stands on lines of its own. */
export interface Block {
  readonly tag: string;
  readonly attributes: Record<string, string>;
  /** What it says in front of its first child. */
  text: string;
  /** What its parent says behind it. */
  tail: string;
  readonly children: Block[];
}

export const block = (tag: string, text = '', attributes: Record<string, string> = {}): Block => ({
  tag,
  attributes,
  text,
  tail: '',
  children: [],
});

export const isListTag = (tag: string | undefined): boolean => tag === 'ol' || tag === 'ul';

/** What is being read just now: some of it reads otherwise there. */
export type Within = 'document' | 'quote' | 'list' | 'loose list' | 'indented';

/** Reads pieces that an empty line ends, as often as it has to be called inside itself. */
export interface Reader {
  isWithin(one: Within): boolean;
  readIn(one: Within, parent: Block, pieces: readonly string[]): void;
  read(parent: Block, pieces: readonly string[]): void;
}

/** How far list items, and what belongs to them, are indented. */
export const LIST_INDENT = 2;

/** An item's own words become a paragraph, in front of what else is in it. */
export function inParagraph(item: Block): void {
  if (item.text === '') return;
  item.children.unshift(block('p', item.text));
  item.text = '';
}

export function outdented(text: string, level = 1): string {
  const indent = ' '.repeat(LIST_INDENT * level);
  const shorter = (line: string): string => (line.startsWith(indent) ? line.slice(indent.length) : line);
  return text.split('\n').map(shorter).join('\n');
}
