import type { CodeBlock } from '../markdown/code-facts.js';
import type { Token } from '../markdown/token.js';

/** Blocks to colour. The next are sent once the thread has answered for each. */
export type ToColours = readonly CodeBlock[];

/** The thread takes blocks from now on. */
export const READY = 'ready';

/** A block's tokens, in the order of the blocks; null: it cannot be coloured. */
export type FromColours = typeof READY | readonly Token[] | null;
