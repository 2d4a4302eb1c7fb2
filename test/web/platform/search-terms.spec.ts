import { describe, expect, it } from '@jest/globals';
import { narrowOf, nearOf } from '../../../web/platform/places.js';
import { quotedIfNeeded, type Term, termsOf } from '../../../web/platform/search-terms.js';

const term = (operator: string, operand: string): Term => ({ operator, operand });
const not = (operator: string, operand: string): Term => ({ operator, operand, negated: true });

describe('what somebody searches for', () => {
  it.each<[string, ...Term[]]>([
    ['', ...[]],
    ['a  comet', term('search', 'a comet')],
    ['channel:general comet is:starred', term('channel', 'general'), term('is', 'starred'), term('search', 'comet')],
    ['-is:starred', not('is', 'starred')],
    ['is:read', not('is', 'unread')],
    ['-is:read', term('is', 'unread')],
    ['topic:"first light"', term('topic', 'first light')],
    ['-topic:"first light" sender:ann@example.com', not('topic', 'first light'), term('sender', 'ann@example.com')],
    ['topic:"first li', term('topic', 'first li')],
    ['topic:""', term('topic', '')],
    ['topic:"the \\"best\\" of it"', term('topic', 'the "best" of it')],
    ['dm:ann@example.com,bob@example.com', term('dm', 'ann@example.com,bob@example.com')],
    ['dm-including:ann@example.com', term('dm-including', 'ann@example.com')],
    ['Channel:general', term('channel', 'general')],
    ['"is:starred words"', term('search', '"is:starred words"')],
    ['at 10:30 https://example.org', term('search', 'at 10:30 https://example.org')],
    ['is: a-topic:b', term('search', 'is: a-topic:b')],
    ['this:is:unread', term('search', 'this:is:unread')],
  ])('is understood: %s', (text, ...terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it.each(['general', 'first light', 'a "b" c', 'back\\slash', ''])(
    'is one operand as it is written: %s',
    (operand) => {
      expect(termsOf(`-topic:${quotedIfNeeded(operand)}`)).toEqual([not('topic', operand)]);
    },
  );

  it('begins at the message that it is near', () => {
    const place = { kind: 'search', words: 'near:17 comet' } as const;
    expect(nearOf(place)).toBe(17);
    expect(narrowOf(place, 1)).toEqual([term('near', '17'), term('search', 'comet')]);
    expect(nearOf({ kind: 'search', words: 'near:here' })).toBeNull();
    expect(nearOf({ kind: 'recent' })).toBeNull();
  });
});
