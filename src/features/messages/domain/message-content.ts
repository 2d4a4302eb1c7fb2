import type { MessageContent } from '../../../events/messages/messages.events.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { shortened } from '../../../platform/kernel/shortened.js';
import { type ContentFacts } from '../../markdown/content-facts.js';
import { RENDERER_VERSION, renderMessage } from '../../markdown/render-markdown.js';
import { filesLinkedIn } from './linked-files.js';
import { mentionsOf } from './mentions.js';

/** In Unicode code points; clients get it in the register response. */
export const MAX_MESSAGE_LENGTH = 10_000;

/** The last line of a text that was too long. */
export const CUT_TEXT = '\n[message truncated]';

/** The text as it is stored; it may be empty. @throws DomainError MESSAGE_HAS_NULL_BYTES */
export function storedText(content: string): string {
  const text = content.trimEnd();
  if (text.includes('\0')) refuse('MESSAGE_HAS_NULL_BYTES');
  return shortenedText(text);
}

/** Whether a text has nothing but spaces and controls. Invisible characters count: bots send them to say nothing. */
export const isEmptyText = (text: string): boolean => !/[^\s\p{Cc}]/u.test(text);

/** A text that is too long for a message, cut to the greatest length. */
export const shortenedText = (text: string): string => shortened(text, MAX_MESSAGE_LENGTH, CUT_TEXT);

/** The text, and what the renderer makes of it now (D6). Refuses as `mentionsOf` does. */
export function contentOf(text: string, facts: ContentFacts): MessageContent {
  const rendering = renderMessage(text, facts.names, facts.colours);
  const mentions = mentionsOf(rendering, facts);
  const { rendered } = rendering;
  const attachmentIds = filesLinkedIn(rendered, facts.names.files);
  return {
    text,
    rendered,
    rendererVersion: RENDERER_VERSION,
    ...(mentions && { mentions }),
    ...(attachmentIds.length > 0 && { attachmentIds }),
  };
}
