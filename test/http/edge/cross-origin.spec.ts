import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import request, { type Response } from 'supertest';
import { crossOrigin, pages } from '../../../src/app/features.js';
import { Front } from '../../../src/app/health/front.js';
import { createHttpAdapter } from '../../../src/platform/http/http-adapter.js';
import { Public } from '../../../src/platform/http/route-marks.js';
import { uploaded } from '../../support/requests/uploads.js';
import { Annals, type Member } from '../../support/servers/annals.js';
import { basic, type EdgeApp, startEdge } from '../../support/servers/http-app.js';

const FROM = { Origin: 'https://client.example.org' };
/** What a browser says of a script's request to another site. */
const BY_SCRIPT = { ...FROM, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' };

const FIREFOX = { 'User-Agent': 'Mozilla/5.0 (X11) Firefox/140.0' };

const originOf = ({ headers }: Response): unknown => headers['access-control-allow-origin'];

function expectReadable(answer: Response): void {
  expect(originOf(answer)).toBe('*');
  expect(answer.headers['access-control-expose-headers']).toMatch(/Retry-After, X-RateLimit-Limit/);
  expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
}

describe('a page of another origin', () => {
  let annals: Annals;
  let owner: Member;
  let file: string;
  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_RATE_LIMIT: '30' });
    owner = await annals.owner();
    file = await uploaded(annals.url, owner);
  });
  afterAll(() => annals.stop());

  const as = (headers: Readonly<Record<string, string>>) => ({ ...headers, Authorization: basic(owner) });
  const get = (path: string, headers: Readonly<Record<string, string>> = BY_SCRIPT) =>
    request(annals.url).get(path).set(headers);

  it.each(['/api/v1/messages', '/api/v1/nowhere', '/api/v1', '/user_uploads/1/ab/cd/file.txt'])(
    'may ask whether it may send a request to %s',
    async (path) => {
      const answer = await request(annals.url)
        .options(path)
        .set({ ...BY_SCRIPT, 'Access-Control-Request-Method': 'PATCH' });
      expect([answer.status, answer.text]).toEqual([204, '']);
      expectReadable(answer);
      const { headers } = answer;
      expect(headers['access-control-allow-methods']).toBe('GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
      for (const name of ['Authorization', 'Content-Type', 'Idempotency-Key'])
        expect(String(headers['access-control-allow-headers']).split(', ')).toContain(name);
      expect(Number(headers['access-control-max-age'])).toBeGreaterThan(0);
    },
  );

  it('reads answers and refusals', async () => {
    const answers = await Promise.all([
      get('/api/v1/users/me', as(BY_SCRIPT)),
      get('/api/v1/users/me'),
      get('/api/v1/nowhere'),
      get('/api/v1/server_settings'),
      get('/api/v1/%zz'),
      get(`/api/v1/messages/${'9'.repeat(1001)}`),
      request(annals.url).put('/api/v1/users/me').set(as(BY_SCRIPT)),
      get(file, as(BY_SCRIPT)),
      get(file),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 200, 400, 414, 405, 200, 401]);
    for (const answer of answers) expectReadable(answer);
  });

  it('changes something with a key that it knows', async () => {
    const { body } = await request(annals.url)
      .post('/api/v1/saved_snippets')
      .set(as(BY_SCRIPT))
      .type('form')
      .send({ title: 'a', content: 'b' });
    expect(body).toMatchObject({ result: 'success', saved_snippet_id: 1 });
  });

  it.each([['/'], ['/accounts/password/reset/'], ['/health'], ['/avatar/1'], ['/api/v1x'], ['/user_uploadsx/1']])(
    'does not read %s',
    async (path) => {
      expect(originOf(await get(path, as(BY_SCRIPT)))).toBeUndefined();
      const preflight = await request(annals.url).options(path).set(BY_SCRIPT);
      expect([preflight.status === 204, originOf(preflight)]).toEqual([false, undefined]);
    },
  );

  it('does not read the answer to a request with a cookie', async () => {
    expect(originOf(await get('/api/v1/users/me', { ...as(BY_SCRIPT), Cookie: 'session=1' }))).toBeUndefined();
  });

  it.each([
    ['a program', '/api/v1/users/me', {}, 'Basic'],
    ['a script', '/api/v1/users/me', BY_SCRIPT, 'xBasic'],
    ['a person with a browser', '/api/v1/users/me', { 'Sec-Fetch-Mode': 'navigate' }, 'xBasic'],
    ['a browser over plain HTTP', '/api/v1/users/me', FIREFOX, 'xBasic'],
    ['a browser that shows a picture', '/avatar/1', { 'Sec-Fetch-Mode': 'no-cors' }, 'xBasic'],
    ['a person who opens a file', 'file', { 'Sec-Fetch-Mode': 'navigate' }, 'Basic'],
    ['a person who opens a file over plain HTTP', 'file', { ...FIREFOX, Accept: 'text/html,*/*;q=0.8' }, 'Basic'],
    [
      'another site’s page that shows a file',
      'file',
      { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'no-cors' },
      'xBasic',
    ],
    ['a page that shows a file over plain HTTP', 'file', { ...FIREFOX, Accept: 'image/avif,*/*;q=0.8' }, 'xBasic'],
    ['a program that reads a file', 'file', {}, 'Basic'],
  ])('makes no browser ask for a key that it would send along: %s at %s', async (_, path, headers, scheme) => {
    const answer = await get(path === 'file' ? file : path, headers);
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, `${scheme} realm="zulip"`]);
  });

  it.each([
    ['a script', '/api/v1/users/me', { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' }],
    ['a script that only Origin names', '/api/v1/users/me', { ...FIREFOX, Origin: 'the server' }],
    ['a picture', 'file', { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'no-cors' }],
  ])('is no page of this server, whose refusals ask for no key at all: %s', async (_, path, headers) => {
    const own = 'Origin' in headers ? { ...headers, Origin: annals.url } : headers;
    const answer = await get(path === 'file' ? file : path, own);
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, undefined]);
  });

  it('reads that it has to wait', async () => {
    for (;;) {
      const answer = await get('/api/v1/users/me', as(BY_SCRIPT));
      expectReadable(answer);
      if (answer.status === 200) continue;
      expect(answer.status).toBe(429);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      return;
    }
  });

  it('reads bytes that are no request as refused', async () => {
    const socket = connect(Number(new URL(annals.url).port), '127.0.0.1');
    socket.end('GET /api/v1/messages HTTP/1.1\r\nBad header\r\n\r\n');
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/^access-control-allow-origin: \*\r$/m);
  });
});

@Controller()
class CookieController {
  @Public()
  @Get('cookie')
  async cookie(@Res() reply: FastifyReply): Promise<void> {
    await reply.header('Set-Cookie', 'session=1').send('{}');
  }
}

describe('an answer that sets a cookie', () => {
  let edge: EdgeApp;
  beforeAll(async () => {
    edge = await startEdge([CookieController]);
  });
  afterAll(() => edge.app.close());

  it('is not for other origins', async () => {
    const answer = await request(edge.url).get('/cookie').set(FROM);
    expect([answer.status, originOf(answer)]).toEqual([200, undefined]);
  });
});

describe('before a server can answer', () => {
  const adapter = createHttpAdapter({ logLevel: 'silent', pages, crossOrigin });
  let url: string;
  beforeAll(async () => {
    const port = await adapter.openPort({ host: '127.0.0.1', port: 0 }, new Front({ pages, crossOrigin }).answer);
    url = `http://127.0.0.1:${port}`;
  });
  afterAll(() => adapter.closePort());

  it('a page of another origin reads that it has to wait', async () => {
    const preflight = await request(url).options('/api/v1/messages').set(FROM);
    expect(preflight.status).toBe(204);
    expectReadable(preflight);
    expect(preflight.headers['access-control-allow-headers']).toMatch(/^Authorization, /);
    const answer = await request(url).get('/api/v1/messages').set(FROM);
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    expectReadable(answer);
  });

  it('pages are not for other origins', async () => {
    const answer = await request(url).get('/accounts/password/reset/').set(FROM);
    expect([answer.status, originOf(answer)]).toEqual([503, undefined]);
  });
});
