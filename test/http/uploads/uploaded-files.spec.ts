import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LIFETIME_MS, TemporaryUrls } from '../../../src/features/uploads/services/temporary-urls.js';
import { ask, uploaded } from '../../support/requests/uploads.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('an uploaded file', () => {
  let annals: Annals;
  let cordelia: Member;
  let stranger: Member;
  const bytes = randomBytes(300_000);

  beforeAll(async () => {
    annals = await Annals.start();
    cordelia = await annals.user('cordelia');
    stranger = await annals.user('stranger');
  });
  afterAll(() => annals.stop());

  const get = (path: string, headers: Record<string, string> = {}, who: Member | null = cordelia, method = 'GET') =>
    ask(annals.url, path, who, { headers, method });
  const temporary = async (url: string, who = cordelia) => get(`/api/v1${url}`, {}, who);

  it.each([
    ['image/png', 'p.png', 'image/png', 'inline'],
    ['text/plain', 't.txt', 'text/plain; charset=utf-8', 'inline'],
    ['application/pdf', 'd.pdf', 'application/pdf', 'inline'],
    ['', 'v.mp4', 'video/mp4', 'inline'],
    ['application/octet-stream', 'p.jpg', 'image/jpeg', 'inline'],
    ['text/html', 'evil.html', 'application/octet-stream', 'attachment'],
    ['', 'evil.html', 'application/octet-stream', 'attachment'],
    ['image/svg+xml', 'evil.svg', 'application/octet-stream', 'attachment'],
    ['text/javascript', 'evil.js', 'application/octet-stream', 'attachment'],
    ['application/xhtml+xml', 'evil.xhtml', 'application/octet-stream', 'attachment'],
    ['text/xml', 'evil.xml', 'application/octet-stream', 'attachment'],
    ['no type at all', 'x.unknown-kind', 'application/octet-stream', 'attachment'],
  ])('of type %j named %j is sent as %s, %s, and runs no script', async (type, name, contentType, disposition) => {
    const url = await uploaded(annals.url, cordelia, '<script>alert(1)</script>', name, type);
    const { status, headers, bytes: sent } = await get(url);
    expect({ status, sent: sent.toString() }).toEqual({ status: 200, sent: '<script>alert(1)</script>' });
    expect(headers.get('content-type')).toBe(contentType);
    expect(headers.get('content-disposition')).toBe(`${disposition}; filename="${name}"`);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
    expect(headers.get('content-security-policy')?.endsWith('sandbox')).toBe(contentType !== 'application/pdf');
    expect(headers.get('cache-control')).toBe('private, no-cache');
  });

  it('of any type is sent as an attachment with its original name at its download address', async () => {
    const url = await uploaded(annals.url, cordelia, 'x', 'žluťoučký "kůň".png', 'image/png');
    const { status, headers } = await get(url.replace('/user_uploads/', '/user_uploads/download/'));
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="?lu?ou?k\u00fd \\"k??\\".png"; filename*=UTF-8''%C5%BElu%C5%A5ou%C4%8Dk%C3%BD%20%22k%C5%AF%C5%88%22.png`,
    );
  });

  it('is sent in part for a Range header', async () => {
    const url = await uploaded(annals.url, cordelia, bytes, 'b.bin');
    const part = async (range: string, more = {}) => get(url, { Range: range, ...more });
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=100-199', 100, 199],
      ['bytes=299999-', 299_999, 299_999],
      ['bytes=-10', 299_990, 299_999],
      ['bytes=0-999999999', 0, 299_999],
      ['bytes=-999999999', 0, 299_999],
    ] as const) {
      const { status, headers, bytes: sent } = await part(range);
      expect(status).toBe(206);
      expect(headers.get('content-range')).toBe(`bytes ${start}-${end}/300000`);
      expect(headers.get('content-length')).toBe(String(end - start + 1));
      expect(sent.equals(bytes.subarray(start, end + 1))).toBe(true);
    }
    for (const range of ['bytes=0-1,5-6', 'lines=1-2', 'bytes=x', 'bytes=9-1, 3-4']) {
      const { status, bytes: sent } = await part(range);
      expect([200, 206]).toContain(status);
      expect(status === 206 || sent.equals(bytes)).toBe(true);
    }
    for (const range of ['bytes=5-2', 'bytes=300005-300002']) expect((await part(range)).status).toBe(200);
    const { status, headers, body } = await part('bytes=300000-');
    expect({ status, body }).toMatchObject({ status: 416, body: { result: 'error', code: 'RANGE_NOT_SATISFIABLE' } });
    expect(headers.get('content-range')).toBe('bytes */300000');
    expect((await part('bytes=-0')).status).toBe(416);
    const etag = (await get(url)).headers.get('etag') ?? '';
    expect((await part('bytes=0-0', { 'If-Range': etag })).status).toBe(206);
    expect((await part('bytes=0-0', { 'If-Range': '"another"' })).status).toBe(200);
  });

  it('answers HEAD without its bytes, and 304 to a client that has it already', async () => {
    const url = await uploaded(annals.url, cordelia, bytes, 'b.bin');
    const head = await get(url, {}, cordelia, 'HEAD');
    expect({ status: head.status, length: head.headers.get('content-length'), sent: head.bytes.length }).toEqual({
      status: 200,
      length: '300000',
      sent: 0,
    });
    const etag = head.headers.get('etag') ?? '';
    for (const tag of [etag, `"x", ${etag}`, `W/${etag}`])
      expect(await get(url, { 'If-None-Match': tag })).toMatchObject({ status: 304, bytes: Buffer.alloc(0) });
    expect((await get(url, { 'If-None-Match': '"x"' })).status).toBe(200);
  });

  it('is sent if a client encodes the slash between its id and its name', async () => {
    const url = await uploaded(annals.url, cordelia, 'mine', 'm ine.txt');
    const encoded = url.replace(
      /^(\/user_uploads\/1\/)(.*)$/,
      (_, path: string, file: string) => path + encodeURIComponent(decodeURIComponent(file)),
    );
    expect(encoded).toMatch(/%2F/);
    const { status, bytes: sent } = await get(encoded);
    expect([status, sent.toString()]).toEqual([200, 'mine']);
    const { body } = await temporary(encoded);
    expect((await get(body.url, {}, null)).bytes.toString()).toBe('mine');
    expect((await get(encoded, {}, stranger)).status).toBe(404);
  });

  it('answers 404 to other users and at other addresses, whether the file exists or not', async () => {
    const url = await uploaded(annals.url, cordelia, 'mine', 'mine.txt');
    const gone = { result: 'error', msg: 'This file does not exist or has been deleted', code: 'NOT_FOUND' };
    const [, , , folder, fileId] = url.split('/');
    for (const [path, who] of [
      [url, stranger],
      [url.replace('/1/', '/2/'), cordelia],
      [url.replace('mine.txt', 'yours.txt'), cordelia],
      [url.replace(`/${folder}/`, '/zz/'), cordelia],
      [url.replace(`/${folder}/`, '/'), cordelia],
      [url.replace(`${fileId}`, 'x'.repeat(24)), cordelia],
      [url.replace(`${fileId}`, '..%2f..%2f..%2flog.sqlite'), cordelia],
      [`/user_uploads/1/..%2f..%2fkeys.sqlite/x`, cordelia],
    ] as const) {
      expect(await get(path, {}, who)).toMatchObject({ status: 404, body: gone });
      expect(await get(`/api/v1${path}`, {}, who)).toMatchObject({ status: 404, body: gone });
    }
    expect(await get(url, {}, null)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    expect(await get(`/api/v1${url}`, {}, null)).toMatchObject({ status: 401 });
    for (const path of ['/user_uploads', '/user_uploads/1', '/user_uploads/1/x', `${url}/more`, `/api/v1${url}/more`])
      expect(await get(path)).toMatchObject({ status: expect.any(Number), body: { result: 'error' } });
    expect(await get(url, {}, cordelia, 'POST')).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } });
    expect(await get(url, {}, cordelia, 'DELETE')).toMatchObject({ status: 405 });
  });

  describe('behind a temporary URL', () => {
    it('is sent without credentials for a minute, by every process and after a restart', async () => {
      const url = await uploaded(annals.url, cordelia, bytes, 'b c.png', 'image/png');
      const { status, body } = await temporary(url);
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          result: 'success',
          msg: '',
          url: expect.stringMatching(/^\/user_uploads\/temporary\/[\w-]+\/b-c\.png$/),
        },
      });
      const { status: found, headers, bytes: sent } = await get(body.url, {}, null);
      expect({ found, type: headers.get('content-type') }).toEqual({ found: 200, type: 'image/png' });
      expect(sent.equals(bytes)).toBe(true);
      expect((await get(body.url, { Range: 'bytes=0-9' }, null)).status).toBe(206);

      await annals.restart();

      expect((await get(body.url, {}, null)).status).toBe(200);
      const urls = annals.app.get(TemporaryUrls);
      const token = await urls.tokenFor(7, 1_000_000);
      expect(await urls.attachmentOf(token, 1_000_000 + LIFETIME_MS - 1)).toBe(7);
      expect(await urls.attachmentOf(token, 1_000_000 + LIFETIME_MS)).toBeNull();
      expect(LIFETIME_MS).toBeLessThanOrEqual(60_000);
    });

    it('answers 404 for a forged URL', async () => {
      const url = await uploaded(annals.url, cordelia, 'x', 'b.txt');
      const other = await uploaded(annals.url, cordelia, 'y', 'o.txt');
      const link: string = (await temporary(url)).body.url;
      const otherLink: string = (await temporary(other)).body.url;
      const [, id = '', until = '', signature = ''] = /temporary\/(\d+)-(\d+)-([\w-]+)\//.exec(link) ?? [];
      const [, otherId = ''] = /temporary\/(\d+)-/.exec(otherLink) ?? [];
      const made = (...parts: (string | number)[]) => `/user_uploads/temporary/${parts.join('-')}/b.txt`;
      for (const path of [
        made(otherId, until, signature),
        made(id, Number(until) + 1, signature),
        made(
          id,
          until,
          signature.replace(/^./, (first) => (first === 'a' ? 'b' : 'a')),
        ),
        made(id, until, ''),
        made(id, until),
        made('x'),
        '/user_uploads/temporary/%00/b.txt',
        link.replace('b.txt', 'o.txt'),
      ])
        expect(await get(path, {}, null)).toMatchObject({ status: 404, body: { result: 'error', code: 'NOT_FOUND' } });
    });

    it('answers 404 after the file is deleted', async () => {
      const url = await uploaded(annals.url, cordelia, 'x', 'b.txt');
      const link: string = (await temporary(url)).body.url;
      const { attachments } = (await cordelia.api.get('/attachments')).body;
      await cordelia.api.delete(`/attachments/${attachments.at(-1).id}`);
      expect((await get(link, {}, null)).status).toBe(404);
    });
  });
});
