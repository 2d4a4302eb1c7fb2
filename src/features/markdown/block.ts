/** A part of a text on lines of its own. */
export interface Block {
  readonly tag: string;
  readonly attributes: Record<string, string>;
  /** Text before the first child. */
  text: string;
  /** The parent's text after this block. */
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

/** The context of reading; some markup reads differently in it. */
export type Within = 'document' | 'quote' | 'list' | 'loose list' | 'indented';

/** Reads pieces of text that empty lines separate. May be called recursively. */
export interface Reader {
  isWithin(one: Within): boolean;
  readIn(one: Within, parent: Block, pieces: readonly string[]): void;
  read(parent: Block, pieces: readonly string[]): void;
}

/** Indent of list items and of their content, in spaces. */
export const LIST_INDENT = 2;

/** Turns an item's own text into a paragraph before its other content. */
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
