import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import { httpDefaults } from '../../../src/platform/http/http-options.js';
import { HEADERS } from '../../../src/platform/http/plain-answer.js';
import { Public } from '../../../src/platform/http/route-marks.js';
import { eventually } from '../../support/eventually.js';
import { connectionsTo, type EdgeApp, startEdge } from '../../support/servers/http-app.js';

/** More than the buffers of both ends hold. */
const LARGE = 'x'.repeat(40_000_000);
const STALL_MS = 300;

let letGo: () => void = () => {};

@Controller()
@Public()
class AnswersController {
  @Get('large')
  large() {
    return { text: LARGE };
  }

  @Get('held')
  async held() {
    await new Promise<void>((resolve) => {
      letGo = resolve;
    });
    return { text: 'late' };
  }
}

describe('a connection on which no byte moves', () => {
  let edge: EdgeApp;
  beforeAll(async () => {
    edge = await startEdge([AnswersController], { stallTimeout: STALL_MS });
  });
  afterAll(async () => edge.app.close());

  const asking = (path: string): Socket => {
    const socket = connect(edge.port, '127.0.0.1', () =>
      socket.write(`GET /api/v1/${path} HTTP/1.1\r\nHost: x\r\n\r\n`),
    );
    return socket.on('error', () => {});
  };

  it('is cut if its client takes nothing of an answer', async () => {
    const socket = asking('large').pause();
    await eventually(async () => expect(await connectionsTo(edge)).toBe(1));
    await eventually(async () => expect(await connectionsTo(edge)).toBe(0));
    socket.destroy();
  });

  it('stays while its request is at work', async () => {
    const socket = asking('held').setEncoding('utf8');
    let answer = '';
    socket.on('data', (text) => {
      answer += text;
    });
    const until = performance.now() + 3 * STALL_MS;
    await eventually(() => expect(performance.now()).toBeGreaterThan(until));
    letGo();
    await eventually(() => expect(answer).toContain('late'));
    socket.destroy();
  });

  it('is cut if nothing more is asked for', async () => {
    const socket = asking('held').setEncoding('utf8');
    let answer = '';
    socket.on('data', (text) => {
      answer += text;
    });
    await eventually(() => {
      letGo();
      expect(answer).toContain('late');
    });
    await eventually(() => expect(socket.destroyed).toBe(true));
    expect(answer).toContain('Connection: keep-alive');
  });

  it('is kept for a little longer than its client is told', () => {
    const [, seconds] = /^timeout=(\d+)$/.exec(HEADERS['Keep-Alive']) ?? [];
    expect(Number(seconds) * 1000).toBeLessThan(httpDefaults.stallTimeout);
  });

  it('is cut if nothing is asked for', async () => {
    const socket = connect(edge.port, '127.0.0.1');
    await eventually(() => expect(socket.destroyed).toBe(true));
  });
});
