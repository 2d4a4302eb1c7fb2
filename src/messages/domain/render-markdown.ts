import { type NameFacts, NO_NAMES } from './content-facts.js';
import { documentOf } from './markdown/document.js';
import { escapeText, TooLongError } from './markdown/tree.js';
import { beginWriting, type Writing } from './markdown/writing.js';

/** Raised whenever the same text may come out as other HTML; stored with every rendering (D6). */
export const RENDERER_VERSION = 3;

/** Longest HTML, in UTF-16 units. Text within the limits of a message passes it only by markup made to multiply. */
const MAX_RENDERED_LENGTH = 200_000;

/** What a text comes to. */
export interface Rendering extends Pick<Writing, 'userIds' | 'groups' | 'wildcards'> {
  readonly rendered: string;
}

/** From what people write to what clients show: HTML without anything that runs. Pure; takes any string. */
export function renderMarkdown(text: string): string {
  return renderMessage(text, NO_NAMES).rendered;
}

/** The same for words in which names stand for somebody. */
export function renderMessage(text: string, names: NameFacts): Rendering {
  const { linkifiers, translatesEmoticons } = names.settings;
  const isPlain = linkifiers.length === 0 && !translatesEmoticons && PLAIN_LINE.test(text);
  return isPlain ? { ...NOBODY, rendered: `<p>${text}</p>` } : renderAllMarkup(text, names);
}

/** The whole grammar, also for text that has no markup; `renderMessage` gives the same and is faster. */
export function renderAllMarkup(text: string, names: NameFacts = NO_NAMES): Rendering {
  const writing = beginWriting(names);
  try {
    const rendered = documentOf(text, writing, MAX_RENDERED_LENGTH);
    const { userIds, groups, wildcards } = writing;
    return { rendered, userIds, groups, wildcards };
  } catch (error) {
    if (error instanceof TooLongError) return { ...NOBODY, rendered: withoutMarkup(text) };
    throw error;
  }
}

const NOBODY = { userIds: new Set<never>(), groups: new Map<never, never>(), wildcards: new Set<never>() };

/**
 * One line of words and everyday punctuation in which nothing can be markup, an address (those have a point or a colon
 * inside), an emoji (a colon before its name, or a sign behind a letter that makes it one) or a list (a letter comes
 * first).
 */
const PLAIN_LINE =
  /^(?![\u2139\u3297\u3299])\p{L}(?:[\p{L}\p{N}"',;?!]|(?![\ufe0f\u20e3])\p{M}|[.:](?=[ ]|$)| (?=[\p{L}\p{N}"'])|(?<=[\p{L}\p{N}])-(?=[\p{L}\p{N}]))*$/u;

function withoutMarkup(text: string): string {
  return `<p>${text.split('\n').map(escapeText).join('<br>\n')}</p>`;
}
