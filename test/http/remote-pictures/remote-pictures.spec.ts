import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { FETCH_BOUNDS } from '../../../src/features/remote-pictures/remote-pictures.settings.js';
import { WebServers } from '../../support/outside/outgoing/web-servers.js';
import { animatedGif, flatPng, hugePng, png } from '../../support/pictures.js';
import { inOneMinute } from '../../support/requests/in-one-minute.js';
import { ask, uploaded } from '../../support/requests/uploads.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const ALLOWED = '127.0.0.2';
/** A host of its own, because pictures are limited for a host, too. */
const ALLOWED_TOO = '127.0.0.3';
const REFUSED = '127.0.0.1';

describe('pictures of other sites', () => {
  let web: WebServers;
  let annals: Annals;
  let cordelia: Member;
  let hamlet: Member;
  let large: Buffer;
  let small: Buffer;

  beforeAll(async () => {
    web = await WebServers.start([ALLOWED, ALLOWED_TOO, REFUSED]);
    annals = await Annals.start({
      ANNALS_REMOTE_PICTURES: 'true',
      ANNALS_OUTGOING_PRIVATE_NETWORKS: `${ALLOWED},${ALLOWED_TOO}`,
    });
    cordelia = await annals.user('cordelia');
    hamlet = await annals.user('hamlet');
    large = await png(1200, 900);
    small = await flatPng(20, 20);
  });
  beforeEach(() => {
    web.asked.length = 0;
  });
  afterAll(async () => {
    await annals.stop();
    await web.stop();
  });

  const there = (path: string, host = ALLOWED): string => `http://${host}:${web.port}${path}`;
  const get = (url: string, size = 'thumbnail', who: Member | null = cordelia, init: RequestInit = {}) =>
    ask(annals.url, `/thumbnail?url=${encodeURIComponent(url)}&size=${size}`, who, init);
  const serve = (path: string, content: string | Buffer, type = 'image/png') =>
    web.handlers.set(path, (_, response) => response.setHeader('content-type', type).end(content));
  const refusal = async (url: string, size = 'thumbnail') => {
    const { status, body } = await get(url, size);
    expect(body).toMatchObject({ result: 'error', msg: expect.stringMatching(/\w/) });
    return [status, body.code];
  };

  it('are what rendered messages name, smaller and whole', async () => {
    serve('/large.png', large);
    const { body } = await cordelia.api.post('/messages/render', { content: there('/large.png') });
    const [, src = ''] = / src="([^"]*)"/.exec(body.rendered) ?? [];
    const [, full = ''] = /data-src-fullsize="([^"]*)"/.exec(body.rendered) ?? [];
    const answer = await ask(annals.url, src.replaceAll('&amp;', '&'), hamlet);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect(await sharp(answer.bytes).metadata()).toMatchObject({ format: 'webp', width: 747, height: 560 });
    const whole = await ask(annals.url, full.replaceAll('&amp;', '&'), hamlet);
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(whole.bytes.equals(large)).toBe(true);
    expect(web.asked).toEqual([`${ALLOWED} /large.png`]);
  });

  it('move if they do, and stay as they are if they are small', async () => {
    const moving = await animatedGif(900, 600, 3);
    serve('/moving.gif', moving);
    serve('/small.png', small);
    expect((await sharp((await get(there('/moving.gif'))).bytes).metadata()).pages).toBe(3);
    expect((await get(there('/small.png'))).bytes.equals(small)).toBe(true);
  });

  it('have the type of their bytes, load and run nothing, and are cached by nobody else', async () => {
    serve('/page.png', small, 'text/html');
    const upload = await ask(annals.url, await uploaded(annals.url, cordelia, small, 'p.png', 'image/png'), cordelia);
    for (const size of ['thumbnail', 'full']) {
      const { headers } = await get(there('/page.png'), size);
      expect([headers.get('content-type'), headers.get('x-content-type-options')]).toEqual(['image/png', 'nosniff']);
      for (const name of [
        'content-security-policy',
        'cache-control',
        'cross-origin-resource-policy',
        'referrer-policy',
      ])
        expect([name, headers.get(name)]).toEqual([name, upload.headers.get(name)]);
      const etag = headers.get('etag') ?? '';
      const again = await get(there('/page.png'), size, hamlet, { headers: { 'If-None-Match': etag } });
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
      const head = await get(there('/page.png'), size, hamlet, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length')]).toEqual([200, `${small.length}`]);
    }
  });

  it('need a login', async () => {
    serve('/private.png', small);
    expect(await get(there('/private.png'), 'full', null)).toMatchObject({ status: 401 });
    expect(web.asked).toEqual([]);
  });

  it('are fetched once for all who ask at the same time', async () => {
    serve('/popular.png', large);
    const readers = Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? cordelia : hamlet));
    const all = await Promise.all(readers.map((who) => get(there('/popular.png'), 'thumbnail', who)));
    expect(all.map(({ status }) => status)).toEqual(readers.map(() => 200));
    expect(new Set(all.map(({ headers }) => headers.get('etag'))).size).toBe(1);
    expect(web.asked).toEqual([`${ALLOWED} /popular.png`]);
  });

  it.each([
    ['an address', () => there('/p.png', REFUSED)],
    ['a name', () => there('/p.png', 'localhost')],
    ['an IPv6 address', () => there('/p.png', '[::1]')],
    ['a redirect', () => there('/away')],
    ['a redirect to a name', () => there('/away-by-name')],
  ])('are not fetched from private addresses: %s', async (_, url) => {
    serve('/p.png', small);
    const redirect = (path: string, location: string) =>
      web.handlers.set(path, (_, response) => response.writeHead(302, { location }).end());
    redirect('/away', there('/p.png', REFUSED));
    redirect('/away-by-name', there('/p.png', 'localhost'));
    for (const size of ['thumbnail', 'full']) expect(await refusal(url(), size)).toEqual([502, 'PICTURE_UNREACHABLE']);
    expect(web.asked.filter((asked) => !asked.startsWith(ALLOWED))).toEqual([]);
  });

  it('are refused with the reason, which is remembered', async () => {
    serve('/page', '<html>', 'image/png');
    serve('/huge', Buffer.concat([small, Buffer.alloc(FETCH_BOUNDS.maxBytes)]));
    const zipped = gzipSync(Buffer.concat([small, Buffer.alloc(20 * 1024 * 1024)]));
    web.handlers.set('/zipped', (_, response) => response.setHeader('content-encoding', 'gzip').end(zipped));
    web.handlers.set('/secret', (_, response) => response.writeHead(403).end());
    web.handlers.set('/part', (_, response) => response.writeHead(206).end(small.subarray(0, 100)));
    web.handlers.set('/broken', (request) => request.socket.destroy());
    const expected = {
      '/page': [415, 'PICTURE_UNREADABLE'],
      '/huge': [413, 'PICTURE_TOO_LARGE'],
      '/zipped': [413, 'PICTURE_TOO_LARGE'],
      '/secret': [502, 'PICTURE_REFUSED'],
      '/part': [502, 'PICTURE_REFUSED'],
      '/broken': [502, 'PICTURE_UNREACHABLE'],
      '/nowhere': [404, 'NOT_FOUND'],
    };
    for (const [path, answer] of Object.entries(expected))
      for (const size of ['full', 'thumbnail'])
        expect([path, await refusal(there(path), size)]).toEqual([path, answer]);
    expect(web.asked).toEqual(Object.keys(expected).map((path) => `${ALLOWED} ${path}`));
    for (const url of [
      'ftp://example.org/p.png',
      '//example.org/p.png',
      'http://me@example.org/p.png',
      'etc/p.png',
      '',
    ])
      expect([url, await refusal(url)]).toEqual([url, [400, 'BAD_REQUEST']]);
  });

  it('that cannot be made smaller are served whole', async () => {
    const bomb = hugePng(50_000, 50_000);
    serve('/bomb.png', bomb);
    serve('/cut.png', large.subarray(0, 1000));
    for (let round = 0; round < 2; round += 1) {
      expect(await refusal(there('/bomb.png'))).toEqual([422, 'PICTURE_TOO_LARGE']);
      expect(await refusal(there('/cut.png'))).toEqual([415, 'PICTURE_UNREADABLE']);
    }
    expect((await get(there('/bomb.png'), 'full')).bytes.equals(bomb)).toBe(true);
    expect(web.asked.length).toBe(2);
  });

  it('are in a cache that outlives the process, and may be removed', async () => {
    serve('/kept.png', large);
    const [before, full] = [await get(there('/kept.png')), await get(there('/kept.png'), 'full')];
    await annals.restart();
    expect((await get(there('/kept.png'))).bytes.equals(before.bytes)).toBe(true);
    expect((await get(there('/kept.png'), 'full')).bytes.equals(full.bytes)).toBe(true);
    expect(web.asked.length).toBe(1);
    await rm(join(annals.dataDirectory, 'remote-pictures'), { recursive: true });
    expect((await get(there('/kept.png'))).bytes.equals(before.bytes)).toBe(true);
    expect(web.asked.length).toBe(2);
  });

  it('are limited for each account; pictures in the cache are not', () =>
    inOneMinute(async () => {
      const othello = await annals.user('othello');
      const statuses: number[] = [];
      for (let n = 0; n <= FETCH_BOUNDS.perAccount; n += 1) {
        serve(`/${n}.png`, small);
        statuses.push((await get(there(`/${n}.png`, ALLOWED_TOO), 'full', othello)).status);
      }
      expect(statuses).toEqual([...Array(FETCH_BOUNDS.perAccount).fill(200), 429]);
      serve('/next.png', small);
      const { body, headers } = await get(there('/next.png', ALLOWED_TOO), 'full', othello);
      expect(body.code).toBe('RATE_LIMIT_HIT');
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await get(there('/0.png', ALLOWED_TOO), 'full', othello)).toMatchObject({ status: 200 });
      expect(await get(there('/next.png', ALLOWED_TOO), 'full', hamlet)).toMatchObject({ status: 200 });
    }));
});

describe('pictures of other sites, unless the setting is on', () => {
  let web: WebServers;
  let annals: Annals;

  beforeAll(async () => {
    web = await WebServers.start([ALLOWED]);
    annals = await Annals.start({ ANNALS_OUTGOING_PRIVATE_NETWORKS: ALLOWED });
  });
  afterAll(async () => {
    await annals.stop();
    await web.stop();
  });

  it('are refused, and nothing is fetched', async () => {
    const cordelia = await annals.user('cordelia');
    for (const size of ['thumbnail', 'full']) {
      const url = encodeURIComponent(`http://${ALLOWED}:${web.port}/p.png`);
      const { status, body } = await ask(annals.url, `/thumbnail?url=${url}&size=${size}`, cordelia);
      expect([status, body.code]).toEqual([403, 'PICTURE_ELSEWHERE']);
    }
    expect(web.asked).toEqual([]);
  });
});
