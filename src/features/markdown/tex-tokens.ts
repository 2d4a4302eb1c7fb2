import type { Token } from './token.js';

const TOKEN = /(\\(?:[a-zA-Z@_:]+|\S?))|([{}&_^])|(%[^\n]*)|([^\\{}&_^%]+)/g;

/** Tokens of TeX code: commands, braces and comments. */
export function* texTokens(code: string): Iterable<Token> {
  for (const [, command, sign, comment, text] of code.matchAll(TOKEN)) {
    if (command !== undefined) yield ['k', command];
    else if (sign !== undefined) yield ['nb', sign];
    else if (comment !== undefined) yield ['c', comment];
    else if (text !== undefined) yield [null, text];
  }
}
