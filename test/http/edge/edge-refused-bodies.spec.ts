import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Post } from '@nestjs/common';
import { Parameters } from '../../../src/platform/http/parameters/parameters.decorator.js';
import { Streamed, type StreamedBody, StreamsBody } from '../../../src/platform/http/parameters/streamed-body.js';
import { Public } from '../../../src/platform/http/route-marks.js';
import { refuse } from '../../../src/platform/kernel/deciding.js';
import { type EdgeApp, startEdge } from '../../support/servers/http-app.js';

class NoParameters {}

const FILE_LIMIT = 100_000;

@Controller()
class BodiesController {
  @Post('private')
  @StreamsBody()
  private(): void {}

  @Public()
  @Post('refused')
  @StreamsBody()
  refused(): void {
    refuse('CROSS_SITE');
  }

  @Public()
  @Post('files')
  @StreamsBody()
  async file(@Streamed() body: StreamedBody): Promise<{ bytes: number }> {
    const { content } = await body.file(FILE_LIMIT);
    let bytes = 0;
    for await (const chunk of content) {
      bytes += chunk.length;
      if (bytes > FILE_LIMIT) refuse('REQUEST_TOO_LARGE');
    }
    return { bytes };
  }

  @Public()
  @Post('read')
  read(@Parameters() _: NoParameters): void {}
}

const MIB = 1024 * 1024;
const HEAD = '--b\r\nContent-Disposition: form-data; name="f"; filename="f.txt"\r\n\r\n';
const PIECE = 'x'.repeat(64 * 1024);

/** The most bytes that the buffers of both sides of a connection hold, and the remainder that the server reads. */
const IN_BUFFERS = 16 * MIB;

interface Outcome {
  readonly status: number;
  readonly head: string;
  /** Bytes of the body that were written to the connection. */
  readonly taken: number;
}

describe('a request that is answered before its body has arrived', () => {
  let edge: EdgeApp;
  beforeAll(async () => {
    edge = await startEdge([BodiesController], { requestTimeout: 60_000 });
  });
  afterAll(async () => edge.app.close());

  /** Sends headers and a body that never ends, whatever the server answers, until the connection is closed. */
  const send = (path: string, headers: string, begin = HEAD): Promise<Outcome> =>
    new Promise((resolve) => {
      let text = '';
      let taken = 0;
      const socket = connect({ port: edge.port, host: '127.0.0.1', allowHalfOpen: true }, () => {
        socket.write(`POST /api/v1/${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${begin}`);
        more();
      });
      const more = (): void => {
        if (!socket.writable) return;
        socket.write(PIECE, (error) => {
          if (error) return;
          taken += PIECE.length;
          setImmediate(more);
        });
      };
      socket.setEncoding('utf8');
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        const [head = ''] = text.split('\r\n\r\n');
        resolve({ status: Number(text.split(' ')[1] ?? 0), head: head.toLowerCase(), taken });
      });
    });

  const MULTIPART = 'Content-Type: multipart/form-data; boundary=b';
  const FORM = 'Content-Type: application/x-www-form-urlencoded';

  it('ends its connection', async () => {
    const cases = [
      ['private', MULTIPART, 401],
      ['refused', MULTIPART, 403],
      ['files', MULTIPART, 413],
      ['read', FORM, 413],
      ['read', MULTIPART, 413],
      ['nowhere', FORM, 413],
      ['refused', 'Content-Type: multipart/form-data', 403],
    ] as const;
    await Promise.all(
      cases.map(async ([path, type, status]) => {
        const outcome = await send(path, `${type}\r\nContent-Length: ${1024 * MIB}`);
        expect(outcome).toMatchObject({ status, head: expect.stringContaining('connection: close') });
        expect(outcome.taken).toBeLessThan(IN_BUFFERS);
      }),
    );
  });

  it('ends its connection, if the body has no length', async () => {
    const cases = [
      ['files', MULTIPART, 413],
      ['read', FORM, 413],
      ['read', MULTIPART, 413],
      ['private', MULTIPART, 401],
      ['files', 'Content-Type: multipart/form-data', 400],
    ] as const;
    // The only chunk is longer than anything that is read.
    const size = (1024 * MIB).toString(16);
    await Promise.all(
      cases.map(async ([path, type, status]) => {
        const outcome = await send(path, `${type}\r\nTransfer-Encoding: chunked`, `${size}\r\n${HEAD}`);
        expect(outcome).toMatchObject({ status, head: expect.stringContaining('connection: close') });
        expect(outcome.taken).toBeLessThan(IN_BUFFERS);
      }),
    );
  });

  it('leads to no other request on its connection', async () => {
    const hidden = 'POST /api/v1/hidden HTTP/1.1\r\nHost: x\r\n\r\n';
    const outcome = await send('private', `${MULTIPART}\r\nContent-Length: ${PIECE.length}`, PIECE.concat(hidden));
    expect(outcome.status).toBe(401);
    const routes = edge.log().filter(({ msg }) => msg === 'request');
    expect(routes.at(-1)).toMatchObject({ route: '/api/v1/private', status: 401 });
  });

  it('keeps its connection if the body was short and has arrived', async () => {
    const body = 'a=b';
    const answer = await fetch(`${edge.url}/nowhere`, { method: 'POST', body: new URLSearchParams(body) });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('connection')).toBe('keep-alive');
  });
});
