import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Post } from '@nestjs/common';
import { IsString } from 'class-validator';
import { Parameters } from '../../../src/platform/http/parameters/parameters.decorator.js';
import { Public } from '../../../src/platform/http/route-marks.js';
import { type EdgeApp, startEdge } from '../../support/servers/http-app.js';

const LIMIT = 100_000;

class TextParameters {
  @IsString()
  text!: string;
}

@Controller()
class TextController {
  @Public()
  @Post('text')
  text(@Parameters() { text }: TextParameters): { length: number } {
    return { length: text.length };
  }
}

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

describe('a body that a client has compressed', () => {
  let edge: EdgeApp;
  beforeAll(async () => {
    edge = await startEdge([TextController], { bodyLimit: LIMIT });
  });
  afterAll(() => edge.app.close());

  async function send(body: Buffer, encoding: string, type = FORM) {
    const response = await fetch(`${edge.url}/text`, {
      method: 'POST',
      headers: { 'Content-Type': type, 'Content-Encoding': encoding },
      body: new Uint8Array(body),
    });
    return { status: response.status, body: await response.json(), accepted: response.headers.get('accept-encoding') };
  }

  const formOf = (length: number): string => `text=${'x'.repeat(length)}`;

  it.each([
    ['a form', FORM, formOf(9000)],
    ['JSON', JSON_TYPE, JSON.stringify({ text: 'x'.repeat(9000) })],
  ])('by gzip is read: %s', async (_, type, text) => {
    for (const encoding of ['gzip', 'x-gzip', 'GZIP']) {
      const answer = await send(gzipSync(text), encoding, type);
      expect(answer).toMatchObject({ status: 200, body: { result: 'success', length: 9000 } });
    }
    expect(await send(Buffer.from(text), 'identity', type)).toMatchObject({ status: 200, body: { length: 9000 } });
  });

  it('may be as long as any other, and no longer', async () => {
    const most = LIMIT - 'text='.length;
    expect(await send(gzipSync(formOf(most)), 'gzip')).toMatchObject({ status: 200, body: { length: most } });
    for (const length of [most + 1, 50_000_000]) {
      const answer = await send(gzipSync(formOf(length)), 'gzip');
      expect(answer).toMatchObject({ status: 413, body: { result: 'error', code: 'REQUEST_TOO_LARGE' } });
    }
  });

  it('is refused if it is not what it says', async () => {
    for (const body of [Buffer.from(formOf(10)), gzipSync(formOf(1000)).subarray(0, 20)])
      expect(await send(body, 'gzip')).toMatchObject({
        status: 400,
        body: { result: 'error', code: 'BAD_REQUEST', msg: 'The body is not gzip' },
      });
  });

  it.each([
    ['br', brotliCompressSync(formOf(10)), FORM],
    ['deflate', deflateSync(formOf(10)), FORM],
    ['zstd', Buffer.from(formOf(10)), FORM],
    ['gzip, gzip', gzipSync(gzipSync(formOf(10))), FORM],
    ['gzip', gzipSync('--b--'), 'multipart/form-data; boundary=b'],
  ])('by %s is refused with 415', async (encoding, body, type) => {
    expect(await send(body, encoding, type)).toEqual({
      status: 415,
      body: { result: 'error', code: 'UNSUPPORTED_MEDIA_TYPE', msg: 'Unsupported Content-Encoding' },
      accepted: 'gzip',
    });
  });
});
