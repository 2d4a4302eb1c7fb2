import { audio } from './audio.js';
import { channelLinks } from './channel-links.js';
import { emojiSigns, emoticons, namedEmoji } from './emoji.js';
import { bareLinks, linkified, links } from './links.js';
import { groupMentions, userMentions } from './mentions.js';
import type { InlineRule, Reading } from './rule.js';
import {
  codeSpans,
  entities,
  formulas,
  lineBreaks,
  stressed,
  strong,
  strongAndStressed,
  struck,
  timestamps,
} from './spans.js';
import type { Stash } from './stash.js';
import type { Element, Node } from './tree.js';
import type { Writing } from './writing.js';

/** In order of precedence: later rules neither split nor see the matches of earlier ones. */
const RULES: readonly InlineRule[] = [
  codeSpans,
  strongAndStressed,
  userMentions,
  formulas,
  channelLinks,
  timestamps,
  groupMentions,
  audio,
  links,
  bareLinks,
  linkified,
  entities,
  strong,
  stressed,
  struck,
  namedEmoji,
  emoticons,
  lineBreaks,
  emojiSigns,
];

/** Reads the text of a block. */
export function readInline(words: string, stash: Stash, writing: Writing, isQuoted: boolean): Node[] {
  return readFrom(0, words, { stash, writing, isQuoted });
}

function readFrom(first: number, words: string, reading: Omit<Reading, 'putRead'>): Node[] {
  let text = words;
  for (let at = first; at < RULES.length; at++) {
    const putRead = (made: Element, inner: string): string => {
      made.children.push(...readFrom(at + 1, inner, reading));
      return reading.stash.put(made);
    };
    text = RULES[at]?.(text, { ...reading, putRead }) ?? text;
  }
  return reading.stash.restored(text);
}
