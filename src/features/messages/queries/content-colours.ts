import type { Facts } from '../../../directory/facts.js';
import type { CodeColouring } from '../../code-colours/code-colouring.js';
import { type CodeColours, NO_COLOURS } from '../../markdown/code-facts.js';
import { codeIn } from '../../markdown/code-in.js';
import { shortenedText } from '../domain/message-content.js';

/**
 * Colours of the code in a text. May take as long as the thread's deadline: asked for before a decision begins, which
 * others may wait for.
 */
export async function coloursIn(text: string, { directory }: Facts, colouring: CodeColouring): Promise<CodeColours> {
  const blocks = codeIn(shortenedText(text.trimEnd()), directory.setting('default_code_block_language'));
  return blocks.length === 0 ? NO_COLOURS : colouring.coloursOf(blocks);
}
