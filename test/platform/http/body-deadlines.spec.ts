import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Post } from '@nestjs/common';
import { Public } from '../../../src/platform/http/route-marks.js';
import { type EdgeApp, startEdge } from '../../support/servers/http-app.js';

const TIMEOUT_MS = 400;
const BETWEEN_MS = 150;

@Controller()
@Public()
class ThingsController {
  @Post('things')
  make(): object {
    return {};
  }
}

describe('bodies that do not arrive', () => {
  let edge: EdgeApp;
  beforeAll(async () => {
    edge = await startEdge([ThingsController], { requestTimeout: TIMEOUT_MS });
  });
  afterAll(async () => edge.app.close());

  /** Sends a request's headers and this much of its body of two bytes; resolves when the connection is closed. */
  async function sent(body: string) {
    const socket = connect(edge.port, '127.0.0.1');
    await once(socket, 'connect');
    const startedAt = performance.now();
    socket.write(
      `POST /api/v1/things HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n${body}`,
    );
    let answer = '';
    socket.setEncoding('utf8').on('data', (text) => {
      answer += text;
    });
    await once(socket, 'close');
    return { status: Number(answer.split(' ')[1]), ms: performance.now() - startedAt };
  }

  it('are each refused after their own time, whatever arrives in between', async () => {
    const first = sent('{');
    const begunAt = performance.now();
    while (performance.now() - begunAt < BETWEEN_MS) await sent('{}');
    const second = sent('');
    for (const { status, ms } of await Promise.all([first, second])) {
      expect(status).toBe(408);
      expect(ms).toBeGreaterThan(TIMEOUT_MS - BETWEEN_MS / 2);
    }
    // Nothing was expected any more: the deadlines have to begin anew.
    expect((await sent('{')).status).toBe(408);
  });
});
