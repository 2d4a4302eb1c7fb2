import { describe, expect, it } from '@jest/globals';
import { askedAt, goesOnAt, type Known, suggestionsFor } from '../../../../web/features/reading/search-names.js';

const channel = (stream_id: number, name: string) => ({
  ...{ stream_id, name, invite_only: false, is_muted: false, pin_to_top: false },
});
const KNOWN: Known = {
  people: [
    { user_id: 1, full_name: 'Ann Lee', email: 'ann@example.com' },
    { user_id: 2, full_name: 'Bob', email: 'bob@example.com', is_active: false },
  ],
  channels: [channel(1, 'general'), channel(2, 'the general staff')],
  topics: ['first light', 'Lunch'],
};

const askedWhere = (marked: string) => askedAt(marked.replace('|', ''), marked.indexOf('|'));

/** The text after each of the choices that are offered where `|` is. */
function offered(marked: string): readonly string[] | null {
  const asked = askedWhere(marked);
  const [before = '', after = ''] = marked.split('|');
  return asked && suggestionsFor(asked, KNOWN).map(({ text }) => `${before.slice(0, asked.start)}${text}${after}`);
}

describe('names that are offered while one searches', () => {
  it.each([
    ['ch|', ['channel:', 'channels:']],
    ['comet -to|', ['comet -topic:']],
    ['dm|', ['dm:', 'dm-including:']],
    ['channel:gen|', ['channel:general ', 'channel:"the general staff" ']],
    ['-channel:the|', ['-channel:"the general staff" ']],
    ['topic:fi| comet', ['topic:"first light"  comet']],
    ['topic:"first li|', ['topic:"first light" ']],
    ['sender:m|', ['sender:me ']],
    ['-sender:lee|', ['-sender:ann@example.com ']],
    ['sender:bob@|', ['sender:bob@example.com ']],
    ['dm:bob@example.com,lee|', ['dm:bob@example.com,ann@example.com ']],
    ['is:re|', ['is:read ', 'is:resolved ']],
    ['-has:li|', ['-has:link ']],
    ['is:starred|', []],
    ['near:1|', []],
    ['note:a|', []],
    ['plain|', []],
  ])('are those of %s', (marked, texts) => {
    expect(offered(marked)).toEqual(texts);
  });

  it.each(['topic:"first light"|', '10:30|', '"|'])('are none of %s', (marked) => {
    expect(offered(marked)).toBeNull();
  });

  it('are all operators where nothing is begun, none of them chosen', () => {
    expect(offered('|')).toContain('near:');
    expect(askedWhere('is:starred |')).toMatchObject({ operator: '', isFree: true });
  });

  it.each(['dm:bob@example.com ,|', 'comet -dm:bob@example.com,ann@example.com ,|', 'dm-including:2 ,| comet'])(
    'go on after the comma of %s',
    (marked) => {
      expect(goesOnAt(marked.replace('|', ''), marked.indexOf('|'))).toBe(marked.indexOf(' ,|'));
    },
  );

  it.each(['dm:bob@example.com  ,|', 'sender:bob@example.com ,|', 'dm: ,|', 'xdm:bob ,|', 'dm:bob ,x|'])(
    'do not go on after %s',
    (marked) => {
      expect(goesOnAt(marked.replace('|', ''), marked.indexOf('|'))).toBeNull();
    },
  );

  it('are the topics of the channel that is searched', () => {
    expect(askedWhere('topic:| channel:"the general staff"')?.channel).toBe('the general staff');
    expect(askedWhere('-channel:general topic:|')?.channel).toBe('');
  });
});
