import { type CodeColours, NO_COLOURS } from './code-facts.js';
import { type NameFacts, NO_NAMES } from './content-facts.js';
import { documentOf } from './document.js';
import { withoutMarks } from './stash.js';
import { escapeText, TooLongError } from './tree.js';
import { beginWriting, type Writing } from './writing.js';

/** Increased whenever the same text may give other HTML; stored with every rendering (D6). */
export const RENDERER_VERSION = 8;

/** Greatest length of HTML, in UTF-16 units. A message's text exceeds it only by markup made to multiply. */
const MAX_RENDERED_LENGTH = 100_000;

/** The HTML of a text, and its mentions. */
export interface Rendering extends Pick<Writing, 'userIds' | 'groups' | 'wildcards'> {
  readonly rendered: string;
}

/** Renders Markdown without names to HTML that contains nothing executable. Pure; accepts any string. */
export function renderMarkdown(text: string): string {
  return renderMessage(text, NO_NAMES).rendered;
}

/** Renders Markdown whose names may stand for users, groups and channels. */
export function renderMessage(text: string, names: NameFacts, colours: CodeColours = NO_COLOURS): Rendering {
  const { linkifiers, translatesEmoticons } = names.settings;
  const isPlain = linkifiers.length === 0 && !translatesEmoticons && PLAIN_LINE.test(text);
  return isPlain ? { ...NOBODY, rendered: `<p>${text}</p>` } : renderAllMarkup(text, names, colours);
}

/** Renders by the whole grammar, even text without markup; `renderMessage` gives the same result and is faster. */
export function renderAllMarkup(
  text: string,
  names: NameFacts = NO_NAMES,
  colours: CodeColours = NO_COLOURS,
): Rendering {
  const writing = beginWriting(names, colours);
  try {
    const rendered = documentOf(text, writing, MAX_RENDERED_LENGTH) || (text.trim() && withoutMarkup(text));
    const { userIds, groups, wildcards } = writing;
    return { rendered, userIds, groups, wildcards };
  } catch (error) {
    if (error instanceof TooLongError) return { ...NOBODY, rendered: withoutMarkup(text) };
    throw error;
  }
}

const NOBODY = { userIds: new Set<never>(), groups: new Map<never, never>(), wildcards: new Set<never>() };

/**
 * Matches one line of words and common punctuation that cannot contain markup, an address (which has a point or a colon
 * inside), an emoji (a colon before its name, or a sign after a letter that makes it one) or a list (the line begins
 * with a letter).
 */
const PLAIN_LINE =
  /^(?![\u2139\u3297\u3299])\p{L}(?:[\p{L}\p{N}"',;?!]|(?![\ufe0f\u20e3])\p{M}|[.:](?=[ ]|$)| (?=[\p{L}\p{N}"'])|(?<=[\p{L}\p{N}])-(?=[\p{L}\p{N}]))*$/u;

function withoutMarkup(text: string): string {
  return `<p>${withoutMarks(text).split('\n').map(escapeText).join('<br>\n')}</p>`;
}
