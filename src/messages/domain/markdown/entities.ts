import { characterOf, ENTITY } from '../html-entity.js';
import { type Rule, replaced } from './rule.js';

const ANY = /&(?:#\d+|#x[\da-f]+|[\da-z]+);/gi;

/**
 * Characters by name or number, as HTML has them. What they stand for is words, whatever it looks like, and is escaped
 * when it is written out; what only browsers know is left to them.
 */
export const entities: Rule = (words, { stash }) => {
  if (!words.includes('&')) return words;
  const known = replaced(words, ENTITY, (entity) => {
    const character = characterOf(entity);
    return character === null ? null : stash.put(character);
  });
  return replaced(known, ANY, ([html]) => stash.put({ html, isBlock: false }));
};
