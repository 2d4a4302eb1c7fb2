import { characterOf, ENTITY } from '../kernel/html-entity.js';

/** A tag or comment, with attributes quoted in any way, or unclosed; any other `<` is text. */
export const MARKUP = /<!--[\s\S]*?(?:-->|$)|<[/!?]?[a-z](?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^'">])*(?:>|$)/gi;

/** The picture of an emoji: its name is shown in its place. */
const EMOJI_PICTURE = /^<img alt="(:[^":]+:)" class="emoji"/;

/** The text that HTML shows, with emoji by their names. Markup separates words. */
export function visibleText(html: string): string {
  const hasPictures = html.includes('<img alt=":');
  const text = hasPictures
    ? html.replace(MARKUP, (tag) => ` ${EMOJI_PICTURE.exec(tag)?.[1] ?? ''} `)
    : html.replace(MARKUP, ' ');
  return text.includes('&') ? text.replace(ENTITY, (...groups: string[]) => characterOf(groups) ?? ' ') : text;
}
