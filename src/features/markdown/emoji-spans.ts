import { codeOfSign, emojiCodeOf, newerCharacters, shownNameOf } from './emoji.js';
import { type Rule, replaced } from './rule.js';
import { type Element, element } from './tree.js';
import { ZULIP_EMOJI_PATH } from './zulip-emoji.js';

const NAMED = /:([\p{L}\p{N}_+-]+):/gu;

/** A character with its color, its form or its flag. `\p{Emoji}` has what the runtime knows of Unicode. */
const ONE = `(?:\\p{Emoji}|[${newerCharacters}])(?:\\p{EMod}|\\ufe0f\\u20e3?|[\\u{e0020}-\\u{e007e}]+\\u{e007f})?`;

const SIGN = new RegExp(`\\p{RI}\\p{RI}|${ONE}(?:\\u200d(?:\\p{RI}\\p{RI}|${ONE}))*`, 'gu');

/** Arrows, digits and similar characters are text, unless a variation selector asks for a picture. */
const IS_TEXT = new RegExp(`^(?![${newerCharacters}])\\P{Emoji_Presentation}\\u20e3?$`, 'u');

const EMOTICONS: ReadonlyMap<string, string> = new Map([
  [':)', 'smile'],
  ['(:', 'smile'],
  [':(', 'frown'],
  ['<3', 'heart'],
  [':|', 'neutral'],
  [':/', 'confused'],
  [';)', 'wink'],
  [':D', 'grinning'],
  [':P', 'stuck_out_tongue'],
  [':p', 'stuck_out_tongue'],
  [':o', 'open_mouth'],
  [':O', 'open_mouth'],
]);

const EMOTICON = /(?<![^,.;?!()[\] "'\n\t])(?::\)|\(:|:\(|<3|:\||:\/|;\)|:D|:P|:p|:o|:O)(?![^,.;?!()[\] "'\n\t])/g;

/** Emoji by name: `:name:`. */
export const namedEmoji: Rule = (words, { stash, writing }) => {
  if (!words.includes(':')) return words;
  return replaced(words, NAMED, ([syntax, name = '']) => {
    const src = writing.names.settings.customEmojiUrl(name) ?? (name === 'zulip' ? `/${ZULIP_EMOJI_PATH}` : null);
    if (src !== null)
      return stash.put(element('img', { alt: syntax, class: 'emoji', src, title: name.replaceAll('_', ' ') }));
    const code = emojiCodeOf(name);
    return stash.put(code === undefined ? syntax : span(code, name));
  });
};

/** Emoticons such as `:)`, for writers who want them as pictures. */
export const emoticons: Rule = (words, { stash, writing }) => {
  if (!writing.names.settings.translatesEmoticons) return words;
  return replaced(words, EMOTICON, ([emoticon]) => {
    const name = EMOTICONS.get(emoticon) ?? '';
    const code = emojiCodeOf(name);
    return code === undefined ? null : stash.put(span(code, name));
  });
};

/** Emoji characters of Unicode. */
export const emojiSigns: Rule = (words, { stash }) =>
  replaced(words, SIGN, ([sign]) => {
    if (IS_TEXT.test(sign)) return null;
    const code = codeOfSign(sign);
    const name = shownNameOf(code);
    return name === undefined ? null : stash.put(span(code, name));
  });

function span(code: string, name: string): Element {
  const title = name.replaceAll('_', ' ');
  return element('span', { 'aria-label': title, class: `emoji emoji-${code}`, role: 'img', title }, [`:${name}:`]);
}
