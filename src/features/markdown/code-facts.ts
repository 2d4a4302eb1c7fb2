import type { Token } from './token.js';

/** Code of a text, in a language. */
export interface CodeBlock {
  /** The language's name in Pygments. */
  readonly language: string;
  readonly code: string;
}

/** Tells the tokens of code; null: it stays without colours. */
export type CodeColours = (block: CodeBlock) => readonly Token[] | null;

export const NO_COLOURS: CodeColours = () => null;
