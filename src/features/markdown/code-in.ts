import type { CodeBlock } from './code-facts.js';
import { NO_NAMES, PLAIN_SETTINGS } from './content-facts.js';
import { withListsApart, withoutFences } from './fences.js';
import { linesOf } from './lines.js';
import { Stash } from './stash.js';
import { beginWriting } from './writing.js';

/** Text without a match has no fenced code. */
const FENCED = /^(?:`{3}|~{3})/m;

/**
 * The fenced blocks of a text whose colours are a fact that rendering asks for.
 *
 * @param codeLanguage language of blocks that name none; '': none
 */
export function codeIn(text: string, codeLanguage: string): readonly CodeBlock[] {
  if (!FENCED.test(text)) return [];
  const blocks: CodeBlock[] = [];
  const names = { ...NO_NAMES, settings: { ...PLAIN_SETTINGS, codeLanguage } };
  const writing = beginWriting(names, (block) => {
    blocks.push(block);
    return null;
  });
  withoutFences(withListsApart(linesOf(text)), new Stash(), writing);
  return blocks;
}
