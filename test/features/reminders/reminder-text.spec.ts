import { describe, expect, it } from '@jest/globals';
import { NO_NAMES } from '../../../src/features/markdown/content-facts.js';
import { quoteOf } from '../../../src/features/markdown/quote.js';
import { renderMessage } from '../../../src/features/markdown/render-markdown.js';
import { MAX_MESSAGE_LENGTH } from '../../../src/features/messages/domain/message-content.js';
import { type ReminderParts, reminderText } from '../../../src/features/reminders/domain/reminder-text.js';
import { MOST_QUOTED_WHEN_SENT } from '../../../src/features/reminders/services/reminder-texts.js';
import { longerThan } from '../../../src/platform/kernel/text.js';

const message = { text: 'Hello', sender: '**Noor**', address: '/#narrow/dm/1,2-dm/near/7' };
const parts: ReminderParts = { note: '', message, sendAt: 0, now: 0 };
const quoting = { most: 10, codeLanguage: '' };
const textWith = (changes: Partial<ReminderParts>) => reminderText({ ...parts, ...changes }, quoting);
const rendered = (text: string) => renderMessage(text, NO_NAMES).rendered;

describe('the text of a reminder', () => {
  it('has the note, the sender and the message', () =>
    expect(textWith({ note: 'Cake' })).toBe(
      [
        'You asked for this reminder.',
        'Your note:',
        '```quote\nCake\n```',
        '**Noor** [wrote](/#narrow/dm/1,2-dm/near/7):',
        '```quote\nHello\n```',
      ].join('\n\n'),
    ));

  it('says that it is late after a minute', () => {
    expect(textWith({ now: 60_000 })).toMatch(/^You asked for this reminder\.\n/);
    expect(textWith({ now: 60_001 })).toMatch(
      /^You asked for this reminder\. It is late: it was due at <time:1970-01-01T00:00:00Z>\.\n/,
    );
  });

  it('tells polls and to-do lists from other messages', () => {
    const lineOf = (text: string) => textWith({ message: { ...message, text } }).split('\n\n')[1];
    expect(lineOf('/poll')).toBe(`**Noor** sent [a poll](${message.address}).`);
    expect(lineOf('/todo Bake\ncake')).toBe(`**Noor** sent [a to-do list](${message.address}).`);
    expect(lineOf('/polls')).toBe(`**Noor** [wrote](${message.address}):`);
  });

  it('cuts a long message between code points', () => {
    const text = '\u{1F370}'.repeat(11);
    expect(textWith({ message: { ...message, text } })).toContain(`\n${'\u{1F370}'.repeat(10)}…\n`);
    const exact = text.slice(0, 20);
    expect(textWith({ message: { ...message, text: exact } })).toContain(`\n${exact}\n`);
  });

  it('is never longer than a message', () => {
    const address = 'x'.repeat(1500);
    const fences = (length: number) =>
      Array.from({ length }, (_, index) => '`'.repeat(index + 3))
        .join('\n')
        .slice(0, length);
    for (const text of ['`'.repeat(9000), fences(9000), '~'.repeat(9000), 'x'.repeat(9000)]) {
      const all = { note: text.slice(0, 500), message: { ...message, text, address }, sendAt: 0, now: 60_001 };
      const whole = reminderText(all, { ...quoting, most: MOST_QUOTED_WHEN_SENT });
      expect(longerThan(whole, MAX_MESSAGE_LENGTH)).toBe(false);
    }
  });
});

describe('a quotation', () => {
  it.each([
    ['a fence', '```\ncode\n```'],
    ['fences of several lengths', '```\na\n```\n````\nb\n````'],
    ['a fence that is not closed', '```js\ncode'],
    ['a fence within a quotation that is not closed', '```quote\n~~~\ncode'],
    ['what looks like its end', 'a\n```\n\n@**all**\n```'],
  ])('holds all of a text with %s', (_, text) => {
    const html = rendered(`${quoteOf(text, '')}\n\nafter`);
    expect(html).toMatch(/^<blockquote>[\s\S]*<\/blockquote>\n<p>after<\/p>$/);
    expect(html).not.toContain('```');
  });
});
