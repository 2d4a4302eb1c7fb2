import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../../../src/platform/http/route-marks.js';
import { type EdgeApp, startEdge } from '../../support/servers/http-app.js';

const failing = (): Readable =>
  new Readable({
    read() {
      this.destroy(new Error('the path of a secret file'));
    },
  });

@Public()
@Controller()
class StreamsController {
  @Get('stream')
  async stream(@Res() reply: FastifyReply): Promise<void> {
    const headers = {
      'content-type': 'text/plain',
      'content-length': '5000',
      etag: '"tag"',
      'cache-control': 'private',
    };
    await reply.headers(headers).send(failing());
  }
}

describe('a streamed answer that fails before its first byte', () => {
  let edge: EdgeApp;
  beforeAll(async () => {
    edge = await startEdge([StreamsController]);
  });
  afterAll(() => edge.app.close());

  it.each([[undefined], ['gzip'], ['br']])('is an error in the envelope, Accept-Encoding: %s', async (encoding) => {
    const answer = await fetch(`http://127.0.0.1:${edge.port}/api/v1/stream`, {
      headers: encoding === undefined ? { 'accept-encoding': 'identity' } : { 'accept-encoding': encoding },
    });
    const text = await answer.text();
    expect(answer.status).toBe(500);
    expect(JSON.parse(text)).toEqual({ result: 'error', code: 'INTERNAL_SERVER_ERROR', msg: expect.any(String) });
    expect(text).not.toContain('secret');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    for (const name of ['content-encoding', 'content-range', 'etag', 'repr-digest'])
      expect([name, answer.headers.get(name)]).toEqual([name, null]);
  });
});
