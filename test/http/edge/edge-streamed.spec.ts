import { connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Post } from '@nestjs/common';
import { Parameters } from '../../../src/platform/http/parameters/parameters.decorator.js';
import { Streamed, type StreamedBody, StreamsBody } from '../../../src/platform/http/parameters/streamed-body.js';
import { Public } from '../../../src/platform/http/route-marks.js';
import { eventually } from '../../support/eventually.js';
import { type EdgeApp, startEdge } from '../../support/servers/http-app.js';

class NoParameters {}

/** The number of bytes or the error of each streamed body, the newest last. */
const ends: unknown[] = [];

const SILENCE_MS = 200;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

@Public()
@Controller()
class FilesController {
  @Post('streamed')
  @StreamsBody()
  async streamed(@Streamed() body: StreamedBody): Promise<{ name: string; bytes: number }> {
    try {
      const { name, content } = await body.file(1000);
      let bytes = 0;
      for await (const chunk of content) bytes += chunk.length;
      ends.push(bytes);
      return { name, bytes };
    } catch (error) {
      ends.push(error);
      throw error;
    }
  }

  /** Reads the file later than its client may be silent. */
  @Post('later')
  @StreamsBody()
  async later(@Streamed() body: StreamedBody): Promise<{ bytes: number }> {
    const { content } = await body.file(2_000_000);
    await wait(4 * SILENCE_MS);
    let bytes = 0;
    for await (const chunk of content) bytes += chunk.length;
    return { bytes };
  }

  @Post('unread')
  @StreamsBody()
  async unread(@Streamed() body: StreamedBody): Promise<{ name: string }> {
    const { name } = await body.file(2_000_000);
    return { name };
  }

  @Post('read')
  read(@Parameters() _: NoParameters): void {}
}

const HEAD = '--b\r\nContent-Disposition: form-data; name="f"; filename="f.txt"\r\n\r\n';
const TAIL = '\r\n--b--\r\n';

describe('a streamed body', () => {
  let edge: EdgeApp;
  afterEach(async () => edge.app.close());

  /** @param sent pieces of the body, each with the ms to wait after it; a null piece closes the connection */
  const send = (path: string, sent: readonly (readonly [piece: string | null, ms: number])[], length: number) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      let text = '';
      const socket = connect(edge.port, '127.0.0.1', async () => {
        socket.write(
          `POST /api/v1/${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
            `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n`,
        );
        for (const [piece, ms] of sent) {
          if (piece === null) socket.destroy();
          else if (socket.writable) socket.write(piece);
          await wait(ms);
        }
      });
      socket.setEncoding('utf8');
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? null : reject(error)));
      socket.on('close', () => resolve({ status: Number(text.split(' ')[1] ?? 0), text }));
    });
  /** Sends the body in twelve pieces within 1.4 s. */
  const slowly = (path: string) => {
    const pieces = [HEAD, ...Array.from({ length: 10 }, () => 'x'.repeat(10)), TAIL];
    return send(
      path,
      pieces.map((piece) => [piece, 120] as const),
      pieces.join('').length,
    );
  };

  it('may take longer than other bodies', async () => {
    edge = await startEdge([FilesController], { requestTimeout: 1000, uploadTimeout: 60_000 });
    expect((await slowly('read')).status).toBe(408);
    // On a busy machine, a client is silent for too long between two pieces.
    await eventually(async () => {
      const { status, text } = await slowly('streamed');
      expect(status).toBe(200);
      expect(text).toContain('"name":"f.txt","bytes":100');
    });
  });

  it('is refused with 408 after the upload timeout', async () => {
    edge = await startEdge([FilesController], { requestTimeout: 600, uploadTimeout: 700 });
    expect((await slowly('streamed')).status).toBe(408);
  });

  it('ends when its client sends nothing for too long', async () => {
    edge = await startEdge([FilesController], { requestTimeout: SILENCE_MS, uploadTimeout: 60_000 });
    expect((await send('streamed', [[`${HEAD}half`, 0]], 1000)).status).toBe(0);
    expect(ends.at(-1)).toMatchObject({ code: 'MALFORMED_REQUEST' });
  });

  it('may be read late: its client cannot send more before', async () => {
    edge = await startEdge([FilesController], { requestTimeout: SILENCE_MS, uploadTimeout: 60_000 });
    const body = `${HEAD}${'x'.repeat(1_000_000)}${TAIL}`;
    await eventually(async () => {
      const { status, text } = await send('later', [[body, 0]], body.length);
      expect([status, text.includes('"bytes":1000000')]).toEqual([200, true]);
    });
  });

  it('leaves no timer behind if it is answered unread', async () => {
    edge = await startEdge([FilesController], { requestTimeout: 200_000, uploadTimeout: 200_000 });
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const body = `${HEAD}${'x'.repeat(1_000_000)}${TAIL}`;
    expect(await send('unread', [[body, 0]], body.length)).toMatchObject({ status: 200 });
    await eventually(() => expect(timers()).toBeLessThanOrEqual(before));
  });

  it('ends when its client closes the connection', async () => {
    edge = await startEdge([FilesController]);
    await send(
      'streamed',
      [
        [`${HEAD}half`, 50],
        [null, 0],
      ],
      1000,
    );
    const { status } = await slowly('streamed');
    expect(status).toBe(200);
    expect(ends.slice(-2)).toEqual([expect.objectContaining({ code: 'MALFORMED_REQUEST' }), 100]);
  });
});
