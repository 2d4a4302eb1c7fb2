import { refuse } from '../../kernel/domain-error.js';
import { type ContentFacts } from './content-facts.js';
import { filesLinkedIn } from './linked-files.js';
import { longerThan } from './longer-than.js';
import { mentionsOf } from './mentions.js';
import type { MessageContent } from './messages.events.js';
import { RENDERER_VERSION, renderMessage } from './render-markdown.js';

/** In Unicode code points; the register response tells it to clients. */
export const MAX_MESSAGE_LENGTH = 10_000;

/** The text as it is stored; empty where nothing is left. Refuses with MESSAGE_HAS_NULL_BYTES, MESSAGE_TOO_LONG. */
export function storedText(content: string): string {
  const text = content.trimEnd();
  requireStorable(text);
  return text;
}

/** Refuses with MESSAGE_HAS_NULL_BYTES, MESSAGE_TOO_LONG. */
export function requireStorable(text: string): void {
  if (text.includes('\0')) refuse('MESSAGE_HAS_NULL_BYTES');
  if (longerThan(text, MAX_MESSAGE_LENGTH)) refuse('MESSAGE_TOO_LONG', { limit: MAX_MESSAGE_LENGTH });
}

/** The words and what the rules make of them now (D6). Refuses as `mentionsOf` does. */
export function contentOf(text: string, facts: ContentFacts): MessageContent {
  const rendering = renderMessage(text, facts.names);
  const mentions = mentionsOf(rendering, facts);
  const { rendered } = rendering;
  const attachmentIds = filesLinkedIn(rendered, facts.files);
  return {
    text,
    rendered,
    rendererVersion: RENDERER_VERSION,
    ...(mentions && { mentions }),
    ...(attachmentIds.length > 0 && { attachmentIds }),
  };
}
