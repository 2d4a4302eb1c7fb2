import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Post } from '@nestjs/common';
import { MANY, NobodyWaits } from '../../../src/platform/http/gathered-requests.js';
import { PathText } from '../../../src/platform/http/parameters/path.decorators.js';
import { Public } from '../../../src/platform/http/route-marks.js';
import { eventually } from '../../support/eventually.js';
import { connectionsTo, type EdgeApp, startEdge } from '../../support/servers/http-app.js';

const begun: string[] = [];
let underWay = 0;
let most = 0;
let letGo: (() => void)[] = [];

@Controller()
@Public()
class SlowController {
  /** Answers when the spec lets it. */
  @Get('held/:name')
  async held(@PathText('name') name: string) {
    return this.during(name, () => new Promise<void>((resolve) => void letGo.push(resolve)));
  }

  @Get('quick/:name')
  async quick(@PathText('name') name: string) {
    return this.during(name, () => new Promise<void>((resolve) => setImmediate(resolve)));
  }

  @Get('unhurried/:name')
  @NobodyWaits()
  async unhurried(@PathText('name') name: string) {
    return this.during(name, async () => {});
  }

  @Post('changes/:name')
  async change(@PathText('name') name: string) {
    return this.during(name, () => new Promise<void>((resolve) => setImmediate(resolve)));
  }

  private async during(name: string, work: () => Promise<void>) {
    begun.push(name);
    underWay += 1;
    most = Math.max(most, underWay);
    await work();
    underWay -= 1;
    return { name };
  }
}

describe('requests that one connection sends at once', () => {
  let edge: EdgeApp;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    edge = await startEdge([SlowController]);
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  afterAll(async () => edge.app.close());

  const pipelining = (bytes: string) => {
    [begun.length, underWay, most, letGo] = [0, 0, 0, []];
    const socket = connect(edge.port, '127.0.0.1', () => socket.write(bytes));
    sockets.push(socket.setEncoding('utf8'));
    let answer = '';
    socket.on('data', (text) => {
      answer += text;
    });
    // The server cuts some of these connections.
    socket.on('error', () => {});
    return { socket, answered: () => [...answer.matchAll(/"name":"([^"]+)"/g)].map(([, name]) => name) };
  };
  const get = (path: string) => `GET /api/v1/${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const names = (count: number) => Array.from({ length: count }, (_, n) => `r${n}`);

  it('are carried out one after the other, and all are answered in their order', async () => {
    const all = names(1_000);
    const { answered } = pipelining(all.map((name) => get(`quick/${name}`)).join(''));
    await eventually(() => expect(answered()).toEqual(all));
    expect(most).toBe(1);
    expect(begun).toEqual(all);
  });

  it('take their bodies along', async () => {
    const post = (name: string) =>
      `POST /api/v1/changes/${name} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{"text":"abc"}`;
    const { answered } = pipelining([post('a'), get('quick/b'), post('c')].join(''));
    await eventually(() => expect(answered()).toEqual(['a', 'b', 'c']));
    expect(most).toBe(1);
  });

  it('are in order where nobody waits for some of them, also when these are carried out with those of others', async () => {
    const all = names(MANY + 20);
    const { answered } = pipelining(
      all.map((name, n) => get(`${n % 10 === 9 ? 'quick' : 'unhurried'}/${name}`)).join(''),
    );
    await eventually(() => expect(answered()).toEqual(all));
    expect(most).toBe(1);
    const others = all.map((name) => pipelining(get(`unhurried/${name}`)));
    await eventually(() => expect(others.flatMap((other) => other.answered())).toEqual(all));
  });

  it('are not begun any more once the client has hung up', async () => {
    const { socket } = pipelining(
      get('held/a') +
        names(10)
          .map((name) => get(`quick/${name}`))
          .join(''),
    );
    await eventually(() => expect(letGo).toHaveLength(1));
    socket.destroy();
    await eventually(async () => expect(await connectionsTo(edge)).toBe(0));
    letGo[0]?.();
    const response = await fetch(`${edge.url}/quick/other`);
    expect(response.status).toBe(200);
    expect(begun).toEqual(['a', 'other']);
  });

  it('are read a few ahead of those that are answered', async () => {
    let taken = () => 0;
    edge.app.getHttpServer().once('connection', (socket: Socket) => {
      taken = () => socket.bytesRead;
    });
    const padding = 'x'.repeat(1_000);
    const all = names(3_000);
    const { answered } = pipelining(get('held/a') + all.map((name) => get(`quick/${name}?${padding}`)).join(''));
    await eventually(() => expect(letGo).toHaveLength(1));
    await fetch(`${edge.url}/quick/other`);
    expect(taken()).toBeLessThan(256 * 1024);
    letGo[0]?.();
    await eventually(() => expect(answered()).toEqual(['a', ...all]));
  });

  it('wait for an answer on their connection that is given elsewhere, as health is', async () => {
    const held: { response: ServerResponse; connection: Socket }[] = [];
    const server: Server = edge.app.getHttpServer();
    const listeners = server.listeners('request');
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (request.url === '/elsewhere') held.push({ response, connection: request.socket });
      else for (const listener of listeners) listener.call(server, request, response);
    });
    const ahead = `GET /elsewhere HTTP/1.1\r\nHost: x\r\n\r\n`;
    const stays = pipelining(ahead + get('quick/a') + get('quick/b'));
    await eventually(() => expect(held).toHaveLength(1));
    const hangsUp = pipelining(ahead + get('quick/c'));
    await eventually(() => expect(held).toHaveLength(2));
    hangsUp.socket.destroy();
    await eventually(() => expect(held[1]?.connection.destroyed).toBe(true));
    expect(begun).toEqual([]);
    held[0]?.response.end();
    await eventually(() => expect(stays.answered()).toEqual(['a', 'b']));
    expect(begun).toEqual(['a', 'b']);
  });
});
