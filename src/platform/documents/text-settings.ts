import type { CollectionSpec } from './document-store.js';

/** Raised when tokenize.ts or a stemmer gives other terms for the same text: older indexes are then made anew. */
const WORDS_VERSION = 3;

/** Properties of a collection's text fields that decide their terms. */
export interface TextSettings {
  readonly html?: readonly string[];
  readonly language?: string;
  readonly words?: number;
}

/** The stored settings with the specification's; empty for a collection without text fields. */
export function textSettings(
  { text, textHtml, textLanguage }: CollectionSpec,
  stored: TextSettings & { readonly text: readonly string[] },
): TextSettings {
  if ((text ?? stored.text).length === 0) return {};
  const language = textLanguage ?? stored.language;
  return { html: textHtml ?? stored.html ?? [], ...(language === undefined ? {} : { language }), words: WORDS_VERSION };
}
