import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Post } from '@nestjs/common';
import { IsString } from 'class-validator';
import request from 'supertest';
import { JsonInTurns } from '../../../src/platform/http/answers/json-in-turns.js';
import { httpDefaults } from '../../../src/platform/http/http-options.js';
import { LimitLoginAttempts } from '../../../src/platform/http/login-attempts.interceptor.js';
import { Parameters } from '../../../src/platform/http/parameters/parameters.decorator.js';
import { createLog } from '../../../src/platform/http/request-log.js';
import { Public } from '../../../src/platform/http/route-marks.js';
import { refuse } from '../../../src/platform/kernel/deciding.js';
import { eventually } from '../../support/eventually.js';
import { type Account, addAccount, basic, type EdgeApp, startEdge } from '../../support/servers/http-app.js';
import { RunningServer, temporaryDataDirectory } from '../../support/servers/running-server.js';

class LoginParameters {
  @IsString()
  username!: string;

  @IsString()
  password!: string;
}

@Controller()
class LoginController {
  @Get('me')
  me() {
    return {};
  }

  @Get('long')
  long() {
    return JsonInTurns.of({ list: Array.from({ length: 20_000 }, () => 'x'.repeat(1000)) });
  }

  @Public()
  @LimitLoginAttempts()
  @Post('fetch_api_key')
  login(@Parameters() { password }: LoginParameters) {
    if (password !== 'right') refuse('AUTHENTICATION_FAILED');
    return {};
  }
}

describe('the line of a request', () => {
  let edge: EdgeApp;
  let me: Account;

  beforeAll(async () => {
    edge = await startEdge([LoginController], { trustProxy: 'loopback' });
    me = addAccount(edge.directory, 'iago@example.com');
  });
  afterAll(() => edge.app.close());

  const line = ({ headers }: { headers: Record<string, string> }) =>
    edge.log().find(({ msg, correlationId }) => msg === 'request' && correlationId === headers['x-request-id']);
  const login = (username: string, password: string) =>
    request(edge.url).post('/fetch_api_key').type('form').send({ username, password });
  const withKey = (account: Pick<Account, 'email' | 'apiKey'>) =>
    request(edge.url).get('/me').set('Authorization', basic(account));

  it('tells whether the client has hung up in the middle of an answer', async () => {
    const whole = await request(edge.url).get('/long').set('Authorization', basic(me));
    expect(whole.body.list).toHaveLength(20_000);
    await eventually(() => expect(line(whole)).toMatchObject({ status: 200 }));
    expect(line(whole)).not.toHaveProperty('hungUp');

    const socket = connect(Number(new URL(edge.url).port), '127.0.0.1');
    socket.write(`GET /api/v1/long HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(me)}\r\n\r\n`);
    const [start] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    const [, id = ''] = /x-request-id: (\S+)/i.exec(start.toString()) ?? [];
    await eventually(() => expect(line({ headers: { 'x-request-id': id } })).toMatchObject({ hungUp: true }));
  });

  it('has the address of the client, which a trusted proxy tells', async () => {
    expect(line(await request(edge.url).get('/me'))).toMatchObject({ address: '127.0.0.1' });
    const proxied = await request(edge.url).get('/me').set('X-Forwarded-For', '192.0.2.1, 203.0.113.7');
    expect(line(proxied)).toMatchObject({ address: '203.0.113.7' });
  });

  it('has the path where there is no route, without what was asked', async () => {
    expect(line(await request(edge.url).get('/mesages/7?api_key=secret'))).toMatchObject({
      status: 404,
      route: null,
      path: '/api/v1/mesages/7',
    });
    expect(JSON.stringify(edge.log())).not.toContain('secret');
    expect(line(await withKey(me))).not.toHaveProperty('path');
  });

  it('names the account of a failed login, and no password or key', async () => {
    const apiKey = 'k'.repeat(32);
    expect(line(await login('iago@example.com', 'hunter2'))).toMatchObject({ failedLogin: 'iago@example.com' });
    expect(line(await withKey({ ...me, apiKey }))).toMatchObject({ status: 401, failedLogin: 'iago@example.com' });
    const text = JSON.stringify(edge.log());
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain(apiKey);
  });

  it('has nothing of a session but whose it is', async () => {
    const withCookie = (key: string) => request(edge.url).get('/me').set('Cookie', `annals_session=${key}`);
    expect(line(await withCookie(me.apiKey))).toMatchObject({ status: 200, userId: me.userId });
    const dead = line(await withCookie('k'.repeat(32)));
    expect(dead).toMatchObject({ status: 401 });
    expect(dead).not.toHaveProperty('failedLogin');
    for (const key of [me.apiKey, 'k'.repeat(32)]) expect(JSON.stringify(edge.log())).not.toContain(key);
  });

  it('names no account otherwise', async () => {
    for (const answer of [
      await login('iago@example.com', 'right'),
      await withKey(me),
      await request(edge.url).get('/me'),
    ])
      expect(line(answer)).not.toHaveProperty('failedLogin');
  });

  it('shows the beginning of a long name, and invisible characters as escapes', async () => {
    expect(line(await login('x'.repeat(5000), 'wrong'))).toMatchObject({ failedLogin: 'x'.repeat(100) });
    expect(line(await login('a\n\u001b[2J\u007f\u202e\u2028b', 'wrong'))).toMatchObject({
      failedLogin: 'a\\u{a}\\u{1b}[2J\\u{7f}\\u{202e}\\u{2028}b',
    });
  });
});

describe('the level of a line', () => {
  const levelWith = (isTTY: boolean): unknown => {
    const lines: string[] = [];
    const logDestination = { isTTY, write: (line: string) => void lines.push(line) };
    createLog({ ...httpDefaults, logDestination }).warn('a line');
    return JSON.parse(lines.join('')).level;
  };

  it('is a word on a terminal, and the number of pino for programs', () => {
    expect([levelWith(true), levelWith(false)]).toEqual(['warn', 40]);
  });
});

describe('a client that hangs up', () => {
  let server: RunningServer;
  let directory: Awaited<ReturnType<typeof temporaryDataDirectory>>;

  beforeAll(async () => {
    directory = await temporaryDataDirectory();
    server = await RunningServer.start(directory.path, { ANNALS_LOG_LEVEL: 'info' });
  });
  afterAll(async () => {
    await server?.stop();
    await directory.remove();
  });

  /** Sends the beginning of a message. */
  const begun = async (type: string, body: string) => {
    const { email, key } = await server.owner();
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const lines = [
      'POST /api/v1/messages HTTP/1.1',
      'Host: x',
      `Authorization: ${basic({ email, apiKey: key })}`,
      `Content-Type: ${type}`,
      'Content-Length: 100000',
    ];
    await new Promise((resolve) => socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`, resolve));
    return socket;
  };

  it.each([
    ['in a form', 'application/x-www-form-urlencoded', 'content=x'],
    ['in JSON', 'application/json', '{"content": '],
  ])('%s is no error in the log, whether it ends or resets the connection', async (_, type, body) => {
    for (const how of ['destroy', 'resetAndDestroy'] as const) {
      const before = server.printed.length;
      (await begun(type, body))[how]();
      const line = await eventually(() => {
        const [found = ''] = /^.*ECONNRESET.*$/m.exec(server.printed.slice(before)) ?? [];
        expect(found).not.toBe('');
        return found;
      });
      expect(JSON.parse(line)).toMatchObject({ level: 30, msg: 'the client has hung up' });
    }
  });
});
