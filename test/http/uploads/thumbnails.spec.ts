import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { FILE_STORE, type FileStore } from '../../../src/platform/file-store/file-store.js';
import { animatedGif, flatPng, hugePng, png } from '../../support/pictures.js';
import { ask, fileOf, upload } from '../../support/requests/uploads.js';
import { Annals, type Member } from '../../support/servers/annals.js';

interface Format {
  readonly name: string;
  readonly max_width: number;
  readonly max_height: number;
  readonly format: string;
  readonly animated: boolean;
}

describe('thumbnails of an uploaded picture', () => {
  let annals: Annals;
  let cordelia: Member;
  let hamlet: Member;
  let stranger: Member;
  let formats: readonly Format[];
  let large: Buffer;

  beforeAll(async () => {
    annals = await Annals.start();
    cordelia = await annals.user('cordelia');
    hamlet = await annals.user('hamlet');
    stranger = await annals.user('stranger');
    const { body } = await cordelia.api.post('/register', { fetch_event_types: ['realm'] });
    formats = body.server_thumbnail_formats;
    large = await png(2000, 1000);
  });
  afterAll(() => annals.stop());

  const uploaded = async (content: Buffer, name = 'p.png'): Promise<string> =>
    (await upload(annals.url, cordelia, fileOf(content, name))).body.url;
  const get = (path: string, who: Member | null = cordelia, init: RequestInit = {}) => ask(annals.url, path, who, init);
  const thumbnailOf = (url: string, format = '840x560.webp'): string =>
    `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${format}`;
  const pictureOf = (url: string, size = 'thumbnail'): string =>
    `/thumbnail?url=${encodeURIComponent(url.slice(1))}&size=${size}`;
  const show = (url: string): Promise<unknown> =>
    cordelia.api.post('/messages', { type: 'direct', to: [hamlet.id], content: `[p](${url})` });
  const fileIdOf = (url: string): string => url.split('/')[4] ?? '';

  it('are served in every format that the register response names', async () => {
    const url = await uploaded(large);
    expect(formats.map(({ animated }) => animated).sort()).toEqual([false, true]);
    for (const { name, format, max_width, max_height } of formats) {
      const { status, headers, bytes } = await get(thumbnailOf(url, name));
      expect([status, headers.get('content-type')]).toEqual([200, `image/${format}`]);
      const about = await sharp(bytes).metadata();
      expect([about.format, about.width, about.height]).toEqual([format, max_width, 420]);
      expect(about.height).toBeLessThanOrEqual(max_height);
    }
  });

  it('are of the nearest form for a name that the register response does not have', async () => {
    const url = await uploaded(await animatedGif(1000, 1000, 2), 'a.gif');
    for (const [unknown, known] of [
      ['1x1.webp', '840x560.webp'],
      ['300x200.jpg', '840x560.webp'],
      ['5000x5000-anim.png', '840x560-anim.webp'],
    ]) {
      const { status, headers, bytes } = await get(thumbnailOf(url, unknown));
      expect([status, headers.get('content-type')]).toEqual([200, 'image/webp']);
      expect(bytes.equals((await get(thumbnailOf(url, known))).bytes)).toBe(true);
    }
  });

  it('move if the picture does and the format says so', async () => {
    const url = await uploaded(await animatedGif(1000, 1000, 4), 'a.gif');
    const pages = async (path: string) => (await sharp((await get(path)).bytes).metadata()).pages ?? 1;
    expect(await pages(thumbnailOf(url))).toBe(1);
    expect(await pages(thumbnailOf(url, '840x560-anim.webp'))).toBe(4);
    expect(await pages(pictureOf(url))).toBe(4);
  });

  it('are what pictures in rendered messages name', async () => {
    const url = await uploaded(large, 'kůň 1.png');
    const { body } = await cordelia.api.post('/messages/render', { content: `[p](${url})` });
    const [, src = ''] = /<img [^>]*src="([^"]*)"/.exec(body.rendered) ?? [];
    expect(src).toBe(thumbnailOf(url));
    expect(await get(src)).toMatchObject({ status: 200 });
  });

  it('are what pictures in older messages name', async () => {
    const url = await uploaded(large, 'kůň 2.png');
    expect(await get(pictureOf(url))).toMatchObject({ status: 200 });
    const { status, headers } = await get(pictureOf(url, 'full'));
    expect(status).toBe(302);
    expect((await get(headers.get('location') ?? '')).bytes.equals(large)).toBe(true);
  });

  it('are the picture itself if it is small', async () => {
    const url = await uploaded(await flatPng(100, 100));
    for (const path of [thumbnailOf(url), pictureOf(url)]) {
      const { status, headers } = await get(path);
      expect([status, headers.get('location')]).toEqual([302, url]);
      expect(headers.get('cache-control')).toBe('private, no-cache');
    }
  });

  it('are the bitmap itself, which browsers show', async () => {
    const url = await uploaded(Buffer.from('BM and so on'), 'p.bmp');
    for (const path of [thumbnailOf(url), pictureOf(url)]) {
      const { status, headers } = await get(path);
      expect([status, headers.get('location')]).toEqual([302, url]);
    }
    const { headers } = await get(url);
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      'image/bmp',
      'inline; filename="p.bmp"',
    ]);
  });

  it('load and run nothing, and are cached by nobody else', async () => {
    const url = await uploaded(large);
    const { headers } = await get(thumbnailOf(url));
    const original = await get(url);
    for (const name of [
      'content-security-policy',
      'cache-control',
      'x-content-type-options',
      'cross-origin-resource-policy',
      'referrer-policy',
    ])
      expect([name, headers.get(name)]).toEqual([name, original.headers.get(name)]);
    const etag = headers.get('etag') ?? '';
    expect(etag).not.toBe(original.headers.get('etag'));
    expect(await get(thumbnailOf(url), cordelia, { headers: { 'If-None-Match': etag } })).toMatchObject({
      status: 304,
    });
    const head = await get(thumbnailOf(url), cordelia, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, headers.get('content-length')]);
  });

  it('are for those who may read the file', async () => {
    const url = await uploaded(large);
    const both = async (who: Member | null) => [
      (await get(thumbnailOf(url), who)).status,
      (await get(pictureOf(url), who)).status,
      (await get(pictureOf(url, 'full'), who)).status,
    ];
    expect(await both(cordelia)).toEqual([200, 200, 302]);
    expect(await both(hamlet)).toEqual([404, 404, 404]);
    await show(url);
    expect(await both(hamlet)).toEqual([200, 200, 302]);
    expect(await both(stranger)).toEqual([404, 404, 404]);
    expect(await both(null)).toEqual([401, 401, 401]);
  });

  it('are gone with the file', async () => {
    const url = await uploaded(large);
    await show(url);
    const { headers } = await get(thumbnailOf(url), hamlet);
    const stored = () => annals.app.get<FileStore>(FILE_STORE).readDerived(fileIdOf(url), '840x560');
    (await stored())?.content.destroy();
    expect(await stored()).not.toBeNull();
    const { attachments } = (await cordelia.api.get('/attachments')).body;
    const { id } = attachments.find(({ path_id }: { path_id: string }) => url.endsWith(path_id));

    await cordelia.api.delete(`/attachments/${id}`);

    expect(await stored()).toBeNull();
    for (const path of [thumbnailOf(url), pictureOf(url), pictureOf(url, 'full')])
      expect(await get(path, hamlet)).toMatchObject({ status: 404 });
    const etag = headers.get('etag') ?? '';
    expect(await get(thumbnailOf(url), hamlet, { headers: { 'If-None-Match': etag } })).toMatchObject({ status: 404 });
  });

  it('are stored, and made once for all who ask at once', async () => {
    const url = await uploaded(large);
    const all = await Promise.all(Array.from({ length: 8 }, () => get(thumbnailOf(url))));
    const [first] = all;
    expect(all.every(({ status, bytes }) => status === 200 && first?.bytes.equals(bytes))).toBe(true);
    const stored = await annals.app.get<FileStore>(FILE_STORE).readDerived(fileIdOf(url), '840x560');
    expect(stored?.size).toBe(first?.bytes.length);
    stored?.content.destroy();
  });

  it('are refused with words for what cannot be made smaller', async () => {
    const refusal = async (path: string) => {
      const { status, body } = await get(path);
      return [status, body.code, body.msg === ''];
    };
    const text = await uploaded(Buffer.from('no picture'));
    const bomb = await uploaded(hugePng(50_000, 50_000));
    for (let round = 0; round < 2; round += 1) {
      expect(await refusal(thumbnailOf(text))).toEqual([415, 'PICTURE_UNREADABLE', false]);
      expect(await refusal(pictureOf(bomb))).toEqual([422, 'PICTURE_TOO_LARGE', false]);
    }
    for (const unknown of ['large.webp', '1x1', '0x1x2.webp', '999999x1.webp'])
      expect(await refusal(thumbnailOf(text, unknown))).toEqual([404, 'NOT_FOUND', false]);
    expect(await refusal(pictureOf(text, 'huge'))).toEqual([400, 'BAD_REQUEST', false]);
    for (const elsewhere of ['https://example.org/p.png', '//example.org/p.png', '/etc/p.png'])
      expect(await refusal(`/thumbnail?url=${encodeURIComponent(elsewhere)}&size=full`)).toEqual([
        403,
        'PICTURE_ELSEWHERE',
        false,
      ]);
  });
});
