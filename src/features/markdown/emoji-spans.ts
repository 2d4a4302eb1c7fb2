import { emojiCodeOf } from '../../platform/emoji/emoji-names.js';
import { emojiOfSign, NAMED_EMOJI, SIGN } from '../../platform/emoji/emoji-signs.js';
import { type Rule, replaced } from './rule.js';
import { type Element, element } from './tree.js';
import { ZULIP_EMOJI_PATH } from './zulip-emoji.js';

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
  return replaced(words, NAMED_EMOJI, ([syntax, name = '']) => {
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
    const emoji = emojiOfSign(sign);
    return emoji && stash.put(span(emoji.code, emoji.name));
  });

function span(code: string, name: string): Element {
  const title = name.replaceAll('_', ' ');
  return element('span', { 'aria-label': title, class: `emoji emoji-${code}`, role: 'img', title }, [`:${name}:`]);
}
