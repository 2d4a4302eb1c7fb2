import { describe, expect, it } from '@jest/globals';
import { askedAt, type Known, suggestionsFor } from '../../../../web/platform/message-form/suggestions.js';
import { allEmoji } from '../../../../web/platform/state/emoji.js';

const channel = (stream_id: number, name: string) => ({
  ...{ stream_id, name, invite_only: false, is_muted: false, pin_to_top: false },
});
const person = (user_id: number, full_name: string) => ({ user_id, full_name, email: `${user_id}@example.com` });
const KNOWN: Known = {
  people: [
    person(1, 'Ann Lee'),
    person(2, 'Joan'),
    person(3, 'Bob'),
    person(4, 'Bob'),
    { ...person(5, 'Ann Gone'), is_active: false },
  ],
  channels: [channel(1, 'general'), channel(2, 'the general staff')],
  topics: ['Plans', 'Lunch'],
  emoji: allEmoji({ 1: { name: 'logo', source_url: '/1.png', deactivated: false } }, { '1f44d': ['thumbs_up'] }),
};

/** Texts that are offered where `|` is. */
function offered(marked: string): readonly string[] | null {
  const asked = askedAt(marked.replace('|', ''), marked.indexOf('|'));
  return asked && suggestionsFor(asked, KNOWN).map(({ text }) => text);
}

describe('names that are offered while one writes', () => {
  it.each([
    ['@an|', ['@**Ann Lee** ', '@**Joan** ']],
    ['Dear @ann l| and all', ['@**Ann Lee** ']],
    ['(@bob|', ['@**Bob|3** ', '@**Bob|4** ']],
    ['#gen|', ['#**general** ', '#**the general staff** ']],
    ['#**general>lu|', ['#**general>Lunch** ']],
    ['so :thu|', [':thumbs_up: ']],
    [':log|', [':logo: ']],
  ])('are those of %s', (marked, texts) => {
    expect(offered(marked)).toEqual(texts);
  });

  it.each(['ann@example|', 'at 10:30|', '# A heading|', 'no more @**Bob** |', 'plain|', ':a|'])(
    'are none of %s',
    (marked) => {
      expect(offered(marked)).toBeNull();
    },
  );

  it('ends with words that are no name', () => {
    expect(offered('@bob says|')).toEqual([]);
  });

  it('names where the text begins that the choice replaces', () => {
    expect(askedAt('Dear @ann', 9)).toEqual({ kind: 'person', words: 'ann', start: 5, channel: '' });
    expect(askedAt('#**general>', 11)).toEqual({ kind: 'topic', words: '', start: 0, channel: 'general' });
  });
});
