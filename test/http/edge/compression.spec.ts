import { randomBytes } from 'node:crypto';
import { request as ask, type IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { JsonInTurns } from '../../../src/platform/http/answers/json-in-turns.js';
import { TextInTurns } from '../../../src/platform/http/answers/text-in-turns.js';
import { Public } from '../../../src/platform/http/route-marks.js';
import { uploaded } from '../../support/requests/uploads.js';
import { Annals, type Member } from '../../support/servers/annals.js';
import { basic, type EdgeApp, startEdge } from '../../support/servers/http-app.js';

const text = (bytes: number): string => 'a word '.repeat(bytes).slice(0, bytes);
const ENVELOPE_BYTES = JSON.stringify({ result: 'success', msg: '', text: '' }).length;

async function* texts(): AsyncGenerator<string> {
  for (let n = 0; n < 100; n += 1) yield `${n} ${text(100)}\n`;
}

async function* failing(after: number): AsyncGenerator<string> {
  for (let n = 0; n < after; n += 1) yield randomBytes(25_000).toString('hex');
  throw new Error('the texts end here');
}

@Public()
@Controller()
class AnswersController {
  @Get('bytes/:bytes')
  bytes(@Param('bytes') bytes: string): { text: string } {
    return { text: text(Number(bytes) - ENVELOPE_BYTES) };
  }

  @Get('in-turns')
  inTurns(): Promise<JsonInTurns> {
    return JsonInTurns.of({ list: Array.from({ length: 1000 }, (_, n) => ({ n, text: text(20) })) });
  }

  @Get('texts')
  texts(): TextInTurns {
    return new TextInTurns('text/csv; charset=utf-8', texts());
  }

  @Get('failing/:after')
  failing(@Param('after') after: string): TextInTurns {
    return new TextInTurns('text/csv; charset=utf-8', failing(Number(after)));
  }

  @Get('typed/:type')
  async typed(@Param('type') type: string, @Res() reply: FastifyReply): Promise<void> {
    await reply.header('Content-Type', decodeURIComponent(type)).send(Buffer.from(text(5000)));
  }

  @Get('noise')
  async noise(@Res() reply: FastifyReply): Promise<void> {
    await reply.header('Content-Type', 'text/plain').send(randomBytes(2000));
  }

  @Get('digest')
  async digest(@Res() reply: FastifyReply): Promise<void> {
    await reply.headers({ 'Content-Type': 'text/plain', 'Repr-Digest': 'sha-256=:x:' }).send(text(5000));
  }

  @Get('tagged')
  async tagged(@Res() reply: FastifyReply): Promise<void> {
    const headers = { 'Content-Type': 'text/plain', ETag: '"1"', Vary: 'Accept', 'Accept-Ranges': 'bytes' };
    await reply.headers(headers).send(Readable.from([text(5000)]));
  }
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

function get(url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = ask(url, { method, headers, agent: false }, (response) => {
      const { statusCode: status, headers } = response;
      buffer(response).then((bytes) => resolve({ status, headers, bytes }), reject);
    });
    sent.on('error', reject).end();
  });
}

function plain({ headers, bytes }: Answer): string {
  const encoding = headers['content-encoding'];
  if (encoding === undefined) return bytes.toString();
  return (encoding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)).toString();
}

const WITH_ALL = { 'Accept-Encoding': 'gzip, deflate, br, zstd' };

describe('an answer', () => {
  let edge: EdgeApp;
  beforeAll(async () => {
    edge = await startEdge([AnswersController]);
  });
  afterAll(() => edge.app.close());

  it.each<[string | undefined, string | undefined]>([
    [undefined, undefined],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, gzip;q=0.001', 'gzip'],
    ['GZIP;Q=0.5', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['*;q=0', undefined],
    ['gzip;q=0', undefined],
    ['gzip;q=0.000, br;q=0', undefined],
    ['gzip;q=half', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['deflate, zstd', undefined],
    ['ungzip', undefined],
  ])('to a client that accepts %s is encoded as %s', async (accepted, encoding) => {
    const answer = await get(`${edge.url}/bytes/5000`, accepted === undefined ? {} : { 'Accept-Encoding': accepted });
    expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([encoding, 'Accept-Encoding']);
    expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
    expect(JSON.parse(plain(answer))).toEqual({ result: 'success', msg: '', text: text(5000 - ENVELOPE_BYTES) });
    if (encoding !== undefined) expect(answer.bytes.length).toBeLessThan(500);
  });

  it('of less than 1 KiB is sent as it is', async () => {
    const below = await get(`${edge.url}/bytes/1023`, WITH_ALL);
    expect([below.headers['content-encoding'], below.headers.vary, below.bytes.length]).toEqual([
      undefined,
      undefined,
      1023,
    ]);
    expect((await get(`${edge.url}/bytes/1024`, WITH_ALL)).headers['content-encoding']).toBe('br');
  });

  it('that is made in turns is the same, compressed', async () => {
    for (const path of ['in-turns', 'texts']) {
      const asIs = await get(`${edge.url}/${path}`);
      for (const encoding of ['br', 'gzip']) {
        const answer = await get(`${edge.url}/${path}`, { 'Accept-Encoding': encoding });
        expect([answer.headers['content-encoding'], answer.headers['content-length']]).toEqual([encoding, undefined]);
        expect(plain(answer)).toBe(asIs.bytes.toString());
        expect(answer.bytes.length).toBeLessThan(asIs.bytes.length / 3);
      }
    }
  });

  it('that fails in the middle is cut off, and the next one is not', async () => {
    await expect(get(`${edge.url}/failing/100`, WITH_ALL)).rejects.toThrow(/aborted|hang up/);
    const failed = await get(`${edge.url}/failing/0`, WITH_ALL);
    expect([failed.status, failed.headers['content-encoding']]).toEqual([500, undefined]);
    expect((await get(`${edge.url}/texts`, WITH_ALL)).status).toBe(200);
  });

  it.each<[string, string | undefined]>([
    ['application/json', 'br'],
    ['text/html; charset=utf-8', 'br'],
    ['text/plain', 'br'],
    ['image/svg+xml', 'br'],
    ['application/x-ndjson', 'br'],
    ['image/png', undefined],
    ['image/webp', undefined],
    ['application/zip', undefined],
    ['application/octet-stream', undefined],
    ['application/jsonp', undefined],
  ])('of the type %s is encoded as %s', async (type, encoding) => {
    const { headers } = await get(`${edge.url}/typed/${encodeURIComponent(type)}`, WITH_ALL);
    expect(headers['content-encoding']).toBe(encoding);
  });

  it('is not made longer', async () => {
    const { headers, bytes } = await get(`${edge.url}/noise`, WITH_ALL);
    expect([headers['content-encoding'], bytes.length]).toEqual([undefined, 2000]);
  });

  it('with a digest of its bytes is sent as it is', async () => {
    expect((await get(`${edge.url}/digest`, WITH_ALL)).headers['content-encoding']).toBeUndefined();
  });

  it('has a weak tag, and no parts, once it is compressed', async () => {
    const { headers } = await get(`${edge.url}/tagged`, WITH_ALL);
    expect([headers.etag, headers.vary, headers['accept-ranges']]).toEqual([
      'W/"1"',
      'Accept, Accept-Encoding',
      undefined,
    ]);
    const asIs = await get(`${edge.url}/tagged`);
    expect([asIs.headers.etag, asIs.headers['accept-ranges']]).toEqual(['"1"', 'bytes']);
  });

  it.each(['bytes/5000', 'in-turns', 'tagged'])('to HEAD says what GET does: %s', async (path) => {
    const names = ['content-encoding', 'content-length', 'vary', 'etag'];
    const [got, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => get(`${edge.url}/${path}`, WITH_ALL, method)),
    );
    expect(head?.bytes.length).toBe(0);
    expect(names.map((name) => head?.headers[name])).toEqual(names.map((name) => got?.headers[name]));
  });
});

describe('of the whole server', () => {
  let annals: Annals;
  let owner: Member;
  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
  });
  afterAll(() => annals.stop());

  const fetched = (path: string, headers: Readonly<Record<string, string>> = WITH_ALL) =>
    get(`${annals.url}${path}`, { Authorization: basic(owner), ...headers });

  it('messages are compressed', async () => {
    for (let n = 0; n < 5; n += 1)
      await owner.api.post('/messages', { type: 'direct', to: [owner.id], content: text(2000) });
    const answer = await fetched('/api/v1/messages?anchor=newest&num_before=9&num_after=0');
    expect(answer.headers['content-encoding']).toBe('br');
    expect(JSON.parse(plain(answer)).messages).toHaveLength(5);
  });

  it('pages are not, because a form has a secret', async () => {
    await owner.api.post('/invites/multiuse', { stream_ids: [] });
    for (const path of ['/accounts/password/reset/', '/join/none/']) {
      const { headers } = await fetched(path);
      expect([headers['content-type'], headers['content-encoding']]).toEqual(['text/html; charset=utf-8', undefined]);
    }
  });

  it('files of text are, and their parts and pictures are not', async () => {
    const path = await uploaded(annals.url, owner, text(5000));
    const whole = await fetched(path);
    expect(plain(whole)).toBe(text(5000));
    expect(whole.headers).toMatchObject({ 'content-encoding': 'br', etag: expect.stringMatching(/^W\/"/) });
    const again = await fetched(path, { ...WITH_ALL, 'If-None-Match': String(whole.headers.etag) });
    expect(again.status).toBe(304);
    const part = await fetched(path, { ...WITH_ALL, Range: 'bytes=0-2999' });
    expect([part.status, part.headers['content-encoding'], part.bytes.length]).toEqual([206, undefined, 3000]);
    expect(part.headers.etag).toMatch(/^"/);
    const rest = { ...WITH_ALL, Range: 'bytes=3000-', 'If-Range': String(whole.headers.etag) };
    expect((await fetched(path, rest)).status).toBe(200);
    const picture = await uploaded(annals.url, owner, text(5000), 'a.png', 'image/png');
    expect((await fetched(picture)).headers['content-encoding']).toBeUndefined();
  });
});
