import { describe, expect, it } from '@jest/globals';
import { NO_NAMES, PLAIN_SETTINGS } from '../../../src/features/markdown/content-facts.js';
import { renderMessage } from '../../../src/features/markdown/render-markdown.js';
import { plainText } from '../../../src/features/push/notifications/plain-text.js';

const PATH = '1/abc/song.mp3';
const SITE = 'https://chat.example.org';

const rendered = (text: string, contentType = 'audio/mpeg'): string => {
  const files = new Map([
    [PATH, { id: 1, contentType }],
    ['1/abc/kůň.wav', { id: 2, contentType: 'audio/wav' }],
  ]);
  return renderMessage(text, { ...NO_NAMES, files, settings: { ...PLAIN_SETTINGS, site: SITE } }).rendered;
};

const player = (title: string | null = 'song.mp3', path = PATH): string =>
  `<audio controls preload="metadata" src="/user_uploads/${path}"${title === null ? '' : ` title="${title}"`}></audio>`;

const url = `/user_uploads/${PATH}`;

describe('An uploaded sound is a player', () => {
  it.each([
    ['in a paragraph', `![song.mp3](${url})`, `<p>${player()}</p>`],
    ['in the middle of words', `a ![song.mp3](${url}) b`, `<p>a ${player()} b</p>`],
    ['without a title if there are no words', `![](${url})![ ](${url})`, `<p>${player(null)}${player(null)}</p>`],
    ['with a title as it was written', `![*a* "b" \`c\`](${url})`, `<p>${player('*a* &quot;b&quot; `c`')}</p>`],
    ['in a list', `* ![song.mp3](${url})`, `<ul>\n<li>${player()}</li>\n</ul>`],
    ['in a quotation', `> ![song.mp3](${url})`, `<blockquote>\n<p>${player()}</p>\n</blockquote>`],
    ['by its whole address', `![song.mp3](${SITE}${url})`, `<p>${player()}</p>`],
    [
      'with an address that is not encoded',
      '![k](/user_uploads/1/abc/kůň.wav)',
      `<p>${player('k', '1/abc/kůň.wav')}</p>`,
    ],
    [
      'with an encoded address',
      '![k](/user_uploads/1/abc/k%C5%AF%C5%88.wav)',
      `<p>${player('k', '1/abc/k%C5%AF%C5%88.wav')}</p>`,
    ],
  ])('%s', (_, text, html) => {
    expect(rendered(text)).toBe(html);
  });

  it('in a table', () => {
    expect(rendered(`a|b\n-|-\n![song.mp3](${url})|c`)).toContain(`<td>${player()}</td>\n<td>c</td>`);
  });

  it.each(['audio/aac', 'audio/flac', 'audio/mpeg', 'audio/wav', 'audio/x-wav', 'audio/x-flac', 'audio/vnd.wave'])(
    'of type %s',
    (type) => {
      expect(rendered(`![song.mp3](${url})`, type)).toBe(`<p>${player()}</p>`);
    },
  );

  it('that phones show as its title', () => {
    expect(plainText(rendered(`hear ![a "b"](${url})`))).toBe('hear a "b"');
  });
});

describe('No player is made of', () => {
  it.each(['audio/ogg', 'text/plain', 'text/html', 'image/png'])('a file of type %s', (type) => {
    expect(rendered(`![song.mp3](${url})`, type)).toBe(`<p>![song.mp3](${url})</p>`);
  });

  it.each([
    `[song.mp3](${url})`,
    url,
    `\`![song.mp3](${url})\``,
    '![song.mp3](/user_uploads/1/other/song.mp3)',
    '![song.mp3](/elsewhere/user_uploads/1/abc/song.mp3)',
    '![song.mp3](https://example.com/user_uploads/1/abc/song.mp3)',
    '![song.mp3](https://example.com/song.mp3)',
    '![song.mp3](javascript:alert(1))',
    `![song.mp3] (${url})`,
    `![song.mp3](${url}`,
  ])('%s', (text) => {
    expect(rendered(text)).not.toContain('<audio');
  });
});
