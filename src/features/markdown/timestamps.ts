import { momentOf } from './moment.js';
import { type Rule, replaced } from './rule.js';
import { element } from './tree.js';

/** `<time:a moment>`, which clients show in the reader's time zone. */
export const timestamps: Rule = (words, { stash }) => {
  if (!words.includes('<time:')) return words;
  return replaced(words, /<time:([^>]*)>/g, ([, text = '']) => {
    const shown = stash.restored(text);
    const moment = momentOf(text);
    if (moment === null)
      return stash.put(element('span', { class: 'timestamp-error' }, ['Invalid time format: ', ...shown]));
    return stash.put(element('time', { datetime: moment }, shown));
  });
};
