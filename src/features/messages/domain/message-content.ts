import type { MessageContent } from '../../../events/messages/messages.events.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { longerThan } from '../../../platform/kernel/longer-than.js';
import { type ContentFacts } from '../../markdown/content-facts.js';
import { RENDERER_VERSION, renderMessage } from '../../markdown/render-markdown.js';
import { filesLinkedIn } from './linked-files.js';
import { mentionsOf } from './mentions.js';

/** In Unicode code points; clients get it in the register response. */
export const MAX_MESSAGE_LENGTH = 10_000;

/** The text as it is stored; it may be empty. Refuses with MESSAGE_HAS_NULL_BYTES, MESSAGE_TOO_LONG. */
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

/** The text, and what the renderer makes of it now (D6). Refuses as `mentionsOf` does. */
export function contentOf(text: string, facts: ContentFacts): MessageContent {
  const rendering = renderMessage(text, facts.names, facts.colours);
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
