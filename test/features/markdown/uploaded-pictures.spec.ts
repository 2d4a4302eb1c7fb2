import { describe, expect, it } from '@jest/globals';
import {
  type LinkableFile,
  NO_NAMES,
  PLAIN_SETTINGS,
  type WritingSettings,
} from '../../../src/features/markdown/content-facts.js';
import { renderMessage } from '../../../src/features/markdown/render-markdown.js';

const SITE = 'https://chat.example.org';
const measure = { width: 300, height: 200, isAnimated: false };
const pictures: Readonly<Record<string, LinkableFile>> = {
  '1/abc/pic.png': { id: 1, contentType: 'image/png', picture: measure },
  '1/abc/dance.gif': { id: 2, contentType: 'image/gif', picture: { ...measure, isAnimated: true } },
  '1/abc/scan': { id: 3, contentType: 'image/jpeg', picture: measure },
  '1/abc/kůň.webp': { id: 4, contentType: 'image/webp', picture: measure },
  '1/abc/old.png': { id: 5, contentType: 'image/png' },
  '1/abc/broken.png': { id: 6, contentType: 'image/png', picture: null },
  '1/abc/paper.png': { id: 7, contentType: 'application/pdf' },
  '1/abc/map.bmp': { id: 8, contentType: 'image/bmp' },
};

const rendered = (text: string, settings: Partial<WritingSettings> = {}): string =>
  renderMessage(text, {
    ...NO_NAMES,
    files: new Map(Object.entries(pictures)),
    settings: { ...PLAIN_SETTINGS, site: SITE, showsPictures: true, ...settings },
  }).rendered;

const shown = (path: string, attributes: string, href = `/user_uploads/${path}`, title = ''): string =>
  `<div class="message_inline_image"><a href="${href}"${title}>` +
  `<img ${attributes}src="/user_uploads/thumbnail/${path}/840x560.webp"></a></div>`;
const about = (type: string): string =>
  `data-original-content-type="image/${type}" data-original-dimensions="300x200" `;

describe('A link to an uploaded picture is followed by a smaller one', () => {
  it.each([
    ['with its type and its size', 'pic.png', about('png')],
    ['that is said to move', 'dance.gif', `data-animated="true" ${about('gif')}`],
    ['whatever its name', 'scan', about('jpeg')],
    ['with a name in any script', 'kůň.webp', about('webp')],
    ['without a size that is unknown', 'old.png', ''],
    ['without a size that no library reads', 'map.bmp', ''],
    ['without what is known of a file that its writer may not read', 'foreign.png', ''],
  ])('%s', (_, name, attributes) => {
    const path = `1/abc/${name}`;
    const link = `<p><a href="/user_uploads/${path}">a</a></p>`;
    const text = `[a](/user_uploads/${path})`;
    expect(rendered(text)).toBe(`${link}\n${shown(path, attributes, undefined, ' title="a"')}`);
    expect(rendered(text, { showsPictures: false })).toBe(link);
  });

  it('in an item of a list, and of the whole address', () => {
    const [address, href] = [`${SITE}/user_uploads/1/abc/pic.png`, 'user_uploads/1/abc/pic.png'];
    expect(rendered(address)).toContain(shown('1/abc/pic.png', about('png'), href, ` title="${address}"`));
    expect(rendered('* [a](/user_uploads/1/abc/pic.png)')).toContain(
      `</a>${shown('1/abc/pic.png', about('png'), undefined, ' title="a"')}</li>`,
    );
  });

  it('by an address that is encoded, or has more at its end', () => {
    const encoded = '1/abc/k%C5%AF%C5%88.webp';
    expect(rendered(`[a](/user_uploads/${encoded})`)).toContain(shown(encoded, about('webp'), undefined, ' title="a"'));
    expect(rendered('[a](/user_uploads/1/abc/pic.png?x=1#y)')).toContain(
      shown('1/abc/pic.png', about('png'), '/user_uploads/1/abc/pic.png?x=1#y', ' title="a"'),
    );
    expect(rendered('[a](/user_uploads/download/1/abc/pic.png)')).toContain(
      shown('1/abc/pic.png', about('png'), '/user_uploads/download/1/abc/pic.png', ' title="a"'),
    );
  });
});

describe('No picture is shown of', () => {
  it.each(['broken.png', 'paper.png'])('an uploaded file %s that is none', (name) => {
    expect(rendered(`[a](/user_uploads/1/abc/${name})`)).not.toContain('<img');
  });

  it('an uploaded picture at an address of another host', () => {
    const html = rendered('[a](https://example.com/user_uploads/1/abc/pic.png)');
    expect(html).not.toContain('data-original');
    expect(html).toContain('src="/thumbnail?url=https%3A%2F%2Fexample.com');
  });
});
