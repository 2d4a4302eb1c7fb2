import { characterOf, ENTITY } from '../../platform/kernel/text.js';
import { type Rule, replaced } from './rule.js';

const ANY = /&(?:#\d+|#x[\da-f]+|[\da-z]+);/gi;

/**
 * Characters by name or number, as in HTML. Their characters are plain text, and are escaped when written. Unknown
 * names are left to browsers.
 */
export const entities: Rule = (words, { stash }) => {
  if (!words.includes('&')) return words;
  const known = replaced(words, ENTITY, (entity) => {
    const character = characterOf(entity);
    return character === null ? null : stash.put(character);
  });
  return replaced(known, ANY, ([html]) => stash.put({ html, isBlock: false }, html));
};
