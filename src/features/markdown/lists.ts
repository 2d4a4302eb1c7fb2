import { type Block, block, inParagraph, LIST_INDENT, type Reader } from './block.js';

type ListTag = 'ol' | 'ul';

const ITEM: Readonly<Record<ListTag, RegExp>> = { ol: /^ ?(\d+)\. +(.*)/s, ul: /^ ?([*+-]) +(.*)/s };

/** An item of either kind in a nested list. */
const NESTED_ITEM = /^ {2,3}(?:\d+\.|[*+-]) +/;

export const isListIn = (tag: ListTag, piece: string): boolean => ITEM[tag].test(piece);

/** Adds items to the list before them if it is of the same kind, else to a new one. */
export function readList(reader: Reader, tag: ListTag, parent: Block, piece: string): '' {
  const { items, start } = itemsOf(tag, piece);
  const list = listFor(reader, tag, parent, start, items);
  for (const item of items) {
    const last = list.children.at(-1);
    if (item.startsWith(' '.repeat(LIST_INDENT)) && last) reader.readIn('list', last, [item]);
    else {
      const added = block('li');
      list.children.push(added);
      reader.readIn('list', added, [item]);
    }
  }
  return '';
}

/**
 * The list that the items belong to. If it follows an empty line, the first item is read here: its text, and the last
 * item's before it, become paragraphs.
 */
function listFor(reader: Reader, tag: ListTag, parent: Block, start: string, items: string[]): Block {
  const before = parent.children.at(-1);
  if (before?.tag === tag) {
    const last = before.children.at(-1);
    if (last) inParagraph(last);
    const inner = last?.children.at(-1);
    if (last && inner && inner.tail !== '') {
      last.children.push(block('p', inner.tail.trimStart()));
      inner.tail = '';
    }
    const added = block('li');
    before.children.push(added);
    reader.readIn('loose list', added, items.splice(0, 1));
    return before;
  }
  if (parent.tag === 'ol' || parent.tag === 'ul') return parent;
  const list = block(tag, '', tag === 'ol' && start !== '1' ? { start } : {});
  parent.children.push(list);
  return list;
}

function itemsOf(tag: ListTag, piece: string): { readonly items: string[]; readonly start: string } {
  const items: string[][] = [];
  let start = '1';
  for (const line of piece.split('\n')) {
    const [, mark = '', words = ''] = ITEM[tag].exec(line) ?? [];
    const last = items.at(-1);
    if (mark !== '') {
      if (!last) start = mark;
      items.push([words]);
    } else if (last && NESTED_ITEM.test(line) && !last[0]?.startsWith(' '.repeat(LIST_INDENT))) items.push([line]);
    else last?.push(line);
  }
  return { items: items.map((lines) => lines.join('\n')), start };
}
