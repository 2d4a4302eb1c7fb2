import { refractor } from 'refractor/core';
import type { Token } from '../markdown/token.js';
import { classOf, learntLanguages } from './class-table.js';
import { grammarOf } from './grammars.js';
import { type Lexeme, lexemesOf } from './lexemes.js';

/** Grammars that change how markup is read once they are loaded, so they always are. */
const IN_MARKUP = ['markup', 'css', 'javascript'];

/**
 * Tokens of code, with the classes that Pygments would give them; null: the language has no grammar that keeps the code as
 * it is. Grammars are patterns that search, and code can be written that keeps one searching for hours.
 *
 * @param language its name in Pygments
 */
export async function colourCode(language: string, code: string): Promise<readonly Token[] | null> {
  const lexemes = await lexemesIn(language, code);
  if (!lexemes) return null;
  const learnt = likeOf(language);
  // Colours never change code.
  if (lexemes.map(({ text }) => text).join('') !== code) return null;
  return lexemes.map((lexeme): Token => [classOf(lexeme, learnt), lexeme.text]);
}

/** Lexemes of code in a language; null: it has no grammar. */
export async function lexemesIn(language: string, code: string): Promise<readonly Lexeme[] | null> {
  const grammar = grammarOf.get(language);
  if (grammar === undefined) return null;
  for (const needed of [...IN_MARKUP, grammar])
    if (!refractor.registered(needed)) refractor.register((await import(`refractor/${needed}`)).default);
  return [...lexemesOf(refractor.highlight(code, grammar).children)];
}

/** The language whose rows tell a language's classes: itself, or the first learnt one of its grammar. */
function likeOf(language: string): string {
  if (learntLanguages.has(language)) return language;
  const grammar = grammarOf.get(language);
  return [...learntLanguages].find((learnt) => grammarOf.get(learnt) === grammar) ?? language;
}
