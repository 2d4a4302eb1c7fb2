import { refuse } from '../../kernel/domain-error.js';
import { type ContentFacts } from './content-facts.js';
import type { MessageContent } from './messages.events.js';
import { RENDERER_VERSION, renderMarkdown } from './render-markdown.js';

/** In Unicode code points; the register response tells it to clients. */
export const MAX_MESSAGE_LENGTH = 10_000;

/** The text as it is stored; empty where nothing is left. Refuses with MESSAGE_HAS_NULL_BYTES, MESSAGE_TOO_LONG. */
export function storedText(content: string): string {
  const text = content.trimEnd();
  if (text.includes('\0')) refuse('MESSAGE_HAS_NULL_BYTES');
  if (longerThan(text, MAX_MESSAGE_LENGTH)) refuse('MESSAGE_TOO_LONG', { limit: MAX_MESSAGE_LENGTH });
  return text;
}

/** The words and what the rules make of them now (D6). */
export function contentOf(text: string, _facts: ContentFacts): MessageContent {
  return { text, rendered: renderMarkdown(text), rendererVersion: RENDERER_VERSION };
}

/** Counts code points only where the shorter count of UTF-16 units does not settle it. */
export function longerThan(text: string, limit: number): boolean {
  return text.length > limit && [...text].length > limit;
}
