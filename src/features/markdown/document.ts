import { type Block, block } from './block.js';
import { BlockReader } from './blocks.js';
import { codeBlock } from './code-block.js';
import { withListsApart, withoutFences } from './fences.js';
import { readInline } from './inline.js';
import { linesOf, withoutAtEnd } from './lines.js';
import { showPreviews } from './previews.js';
import { Stash } from './stash.js';
import { type Element, element, layOut, type Node, Output, write } from './tree.js';
import type { Writing } from './writing.js';

/** A text as HTML, block by block. @throws TooLongError if the HTML is longer than `limit`, in UTF-16 units */
export function documentOf(text: string, writing: Writing, limit: number): string {
  const { settings } = writing.names;
  const stash = new Stash();
  const given = withListsApart(linesOf(text));
  const written = withoutFences(given, stash, writing);
  // Nothing but fences: their blocks are shown, though they are empty.
  const lines = written.every((line) => line === '') ? withoutFences(given, stash, writing, true) : written;
  const body = block('div');
  new BlockReader().readText(body, withoutAtEnd('\n', lines.join('\n').replace(/^\n+/, '')));
  const root = read(body, false);
  layOut(root);
  if (settings.showsPictures) showPreviews(root, writing.names.files);
  const out = new Output(limit);
  for (const child of root.children) write(child, out);
  return out.toString().trim();

  function read({ tag, attributes, text, children }: Block, isQuoted: boolean): Element {
    const quoted = isQuoted || tag === 'blockquote';
    const inline = (words: string): Node[] => (words === '' ? [] : readInline(words, stash, writing, quoted));
    return element(tag, attributes, [
      ...inline(text),
      ...children.flatMap((child): Node[] =>
        child.tag === 'pre'
          ? [element('p', {}, [{ html: codeBlock(child.text, writing), isBlock: true }]), ...inline(child.tail)]
          : [read(child, quoted), ...inline(child.tail)],
      ),
    ]);
  }
}
