import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Post } from '@nestjs/common';
import { IsString } from 'class-validator';
import request from 'supertest';
import { Caller, Requester } from '../../../src/directory/http/caller.decorator.js';
import { LimitLoginAttempts } from '../../../src/platform/http/login-attempts.interceptor.js';
import { loginLimitDefaults } from '../../../src/platform/http/logins/login-limits.js';
import { Parameters } from '../../../src/platform/http/parameters/parameters.decorator.js';
import { Public } from '../../../src/platform/http/route-marks.js';
import { type CommandContext, refuse } from '../../../src/platform/kernel/deciding.js';
import { inOneMinute } from '../../support/requests/in-one-minute.js';
import {
  type Account,
  addAccount,
  basic,
  deactivate,
  type EdgeApp,
  startEdge,
} from '../../support/servers/http-app.js';

class LoginParameters {
  @IsString()
  username!: string;

  @IsString()
  password!: string;
}

@Controller()
class WhoController {
  private readonly open: (() => void)[] = [];

  @Get('me')
  me(@Caller() { user, by }: Caller) {
    return { context: by, email: user.email };
  }

  @Public()
  @Get('server_settings')
  settings(@Requester() requester: CommandContext) {
    return { ...requester };
  }

  @Public()
  @LimitLoginAttempts()
  @Post('fetch_api_key')
  login(@Parameters() { password }: LoginParameters) {
    if (password !== 'right') refuse('AUTHENTICATION_FAILED');
    return {};
  }

  /** Answers when three requests have arrived: as many passwords are checked concurrently. */
  @Public()
  @LimitLoginAttempts()
  @Post('slow_login')
  async slowLogin(@Parameters() _parameters: LoginParameters) {
    await new Promise<void>((resolve) => {
      this.open.push(resolve);
      if (this.open.length === 3) for (const answer of this.open) answer();
    });
    refuse('AUTHENTICATION_FAILED');
  }
}

const UNAUTHORIZED = ['UNAUTHORIZED', 'Not logged in: API authentication or user session required'] as const;
const OTHER_SCHEME = [
  'UNAUTHORIZED',
  'Not logged in: authentication is HTTP Basic, with an email address and its API key',
] as const;
const INVALID = ['INVALID_API_KEY', 'Invalid API key'] as const;
const MALFORMED = ['INVALID_API_KEY', 'Malformed API key'] as const;

describe('credentials', () => {
  let edge: EdgeApp;
  let me: Account;
  let other: Account;

  beforeAll(async () => {
    edge = await startEdge([WhoController]);
    me = addAccount(edge.directory, 'Iago@Example.com');
    other = addAccount(edge.directory);
  });
  afterAll(async () => edge.app.close());

  const withHeader = (value: string) => request(edge.url).get('/me').set('Authorization', value);
  const raw = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

  const refused: [what: string, header: () => string, answer: readonly [string, string]][] = [
    ['another scheme', () => 'Bearer abc', OTHER_SCHEME],
    ['a value that is not base64', () => 'Basic ***', OTHER_SCHEME],
    ['no colon', () => raw('iago'), OTHER_SCHEME],
    ['an empty header', () => 'Basic', OTHER_SCHEME],
    ['a short key', () => basic({ ...me, apiKey: 'short' }), MALFORMED],
    ['an empty key', () => basic({ ...me, apiKey: '' }), MALFORMED],
    ['a long key', () => basic({ ...me, apiKey: `${me.apiKey}0` }), MALFORMED],
    ['an unknown key', () => basic({ ...me, apiKey: '0'.repeat(32) }), INVALID],
    ['a key in capitals', () => basic({ ...me, apiKey: me.apiKey.toUpperCase() }), INVALID],
    ["another's key", () => basic({ ...me, apiKey: other.apiKey }), INVALID],
    ['an unknown address', () => basic({ ...me, email: 'nobody@example.com' }), INVALID],
    ['no address', () => basic({ ...me, email: '' }), INVALID],
  ];

  it.each(refused)('with %s are refused', async (_, header, [code, msg]) => {
    const { status, body, headers } = await withHeader(header());
    expect({ status, body }).toEqual({ status: 401, body: { result: 'error', code, msg } });
    expect(headers['www-authenticate']).toBe('Basic realm="zulip"');
  });

  it('that are missing are refused', async () => {
    const { status, body } = await request(edge.url).get('/me');
    expect({ status, body }).toEqual({
      status: 401,
      body: { result: 'error', code: UNAUTHORIZED[0], msg: UNAUTHORIZED[1] },
    });
  });

  it('identify an account, whatever the case of the address', async () => {
    const { status, body } = await withHeader(basic({ ...me, email: 'iAGO@example.COM' }));
    expect({ status, body }).toMatchObject({ status: 200, body: { email: 'Iago@Example.com' } });
  });

  it('of a deactivated account are refused with USER_DEACTIVATED', async () => {
    const gone = addAccount(edge.directory);
    expect((await withHeader(basic(gone))).status).toBe(200);
    deactivate(edge.directory, gone.userId);
    const { status, body } = await withHeader(basic(gone));
    expect({ status, body }).toEqual({
      status: 401,
      body: { result: 'error', code: 'USER_DEACTIVATED', msg: 'Account is deactivated' },
    });
  });

  it('that are wrong do not tell that an account is deactivated', async () => {
    const gone = addAccount(edge.directory);
    deactivate(edge.directory, gone.userId);
    for (const apiKey of ['0'.repeat(32), other.apiKey]) {
      const { status, body } = await withHeader(basic({ ...gone, apiKey }));
      expect({ status, code: body.code, msg: body.msg }).toEqual({ status: 401, code: INVALID[0], msg: INVALID[1] });
    }
  });

  it.each([undefined, 'Bearer abc', 'Basic Og==', raw('iago@example.com:wrong')])(
    'are ignored on a public route: %s',
    async (header) => {
      const { status, body } = await request(edge.url)
        .get('/server_settings')
        .set(header === undefined ? {} : { Authorization: header });
      expect({ status, body }).toMatchObject({ status: 200, body: { result: 'success', actorId: null } });
    },
  );

  it.each([
    ['ZulipPython/0.9.1 (Debian GNU/Linux; 12)', 'ZulipPython'],
    ['node-fetch/1.0 (+https://github.com/bitinn/node-fetch)', 'node-fetch'],
    ['ZulipTerminal/0.7.0+git Linux-6.1 (Debian GNU/Linux; 12)', 'ZulipTerminal'],
    ['curl', 'curl'],
    ['', 'Unspecified'],
    ['/1.0', 'Unspecified'],
    [`${'x'.repeat(100)}/1`, 'x'.repeat(40)],
  ])('are recorded with the client of the User-Agent: %s', async (userAgent, client) => {
    const { body } = await withHeader(basic(me)).set('User-Agent', userAgent);
    expect(body.context).toEqual({
      actorId: me.userId,
      address: '127.0.0.1',
      client,
      correlationId: expect.any(String),
    });
  });

  it('are recorded with a correlation id for each request, which the client cannot choose', async () => {
    const answers = await Promise.all([1, 2].map(() => withHeader(basic(me)).set('X-Request-Id', 'mine')));
    const ids = answers.map(({ body }) => body.context.correlationId);
    expect(new Set([...ids, 'mine']).size).toBe(3);
    expect(answers.map(({ headers }) => headers['x-request-id'])).toEqual(ids);
  });
});

describe('logging in', () => {
  let edge: EdgeApp;
  beforeAll(async () => {
    edge = await startEdge([WhoController], { logins: { ...loginLimitDefaults, pairInMinute: 3 } });
  });
  afterAll(async () => edge.app.close());

  const login = async (username: string, password: string, path = '/fetch_api_key') => {
    const { status, body, headers } = await request(edge.url).post(path).type('form').send({ username, password });
    return { status, code: body.code, retryAfter: headers['retry-after'], body };
  };

  it('is refused for one name after three failures', () =>
    inOneMinute(async () => {
      for (const _ of [1, 2, 3]) {
        expect(await login('iago', 'wrong')).toMatchObject({ status: 401, code: 'AUTHENTICATION_FAILED' });
      }
      const { status, body, retryAfter } = await login('IAGO', 'right');
      expect({ status, body }).toEqual({
        status: 429,
        body: {
          result: 'error',
          code: 'RATE_LIMIT_HIT',
          msg: 'API usage exceeded rate limit',
          'retry-after': expect.any(Number),
        },
      });
      expect(Number(retryAfter)).toBe(body['retry-after']);
      expect(body['retry-after']).toBeGreaterThan(0);
      expect(body['retry-after']).toBeLessThanOrEqual(60);
      expect((await login('othello', 'wrong')).status).toBe(401);
    }));

  it('counts no successful attempts', async () => {
    for (const _ of [1, 2, 3, 4, 5]) expect((await login('emilia', 'right')).status).toBe(200);
    expect((await login('emilia', 'wrong')).status).toBe(401);
  });

  it('counts each of several concurrent attempts before it checks the password', () =>
    inOneMinute(async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => login('cassio', 'wrong', '/slow_login')));
      expect(answers.map(({ status }) => status).sort()).toEqual([401, 401, 401, 429, 429, 429, 429, 429]);
    }));
});

describe('logging in through a proxy', () => {
  const attempt = (edge: EdgeApp, client: string) =>
    request(edge.url)
      .post('/fetch_api_key')
      .set('X-Forwarded-For', client)
      .type('form')
      .send({ username: 'iago', password: 'wrong' });

  it('is limited for each client behind a trusted proxy', () =>
    inOneMinute(async () => {
      const edge = await startEdge([WhoController], {
        logins: { ...loginLimitDefaults, pairInMinute: 1 },
        trustProxy: 'loopback, 10.0.0.0/8',
      });
      expect((await attempt(edge, '203.0.113.7')).status).toBe(401);
      expect((await attempt(edge, '203.0.113.7')).status).toBe(429);
      expect((await attempt(edge, '203.0.113.8')).status).toBe(401);
      // Only the last untrusted address counts: a client can invent the ones before it.
      expect((await attempt(edge, '198.51.100.1, 203.0.113.8')).status).toBe(429);
      await edge.app.close();
    }));

  it('is limited for the address of an untrusted proxy, because its header could be forged', () =>
    inOneMinute(async () => {
      const edge = await startEdge([WhoController], { logins: { ...loginLimitDefaults, pairInMinute: 1 } });
      expect((await attempt(edge, '203.0.113.7')).status).toBe(401);
      expect((await attempt(edge, '203.0.113.8')).status).toBe(429);
      await edge.app.close();
    }));
});

describe('a rate limit', () => {
  let edge: EdgeApp;
  let me: Account;
  let other: Account;

  beforeAll(async () => {
    edge = await startEdge([WhoController], { rateLimit: 3 });
    me = addAccount(edge.directory);
    other = addAccount(edge.directory);
  });
  afterAll(async () => edge.app.close());

  const ask = (account: Account) => request(edge.url).get('/me').set('Authorization', basic(account));
  const remaining = (headers: Record<string, string>): number => Number(headers['x-ratelimit-remaining']);

  it('counts each user separately, and answers the remaining requests in headers', () =>
    inOneMinute(async () => {
      for (const left of [2, 1, 0]) {
        const { status, headers } = await ask(me);
        expect({ status, limit: headers['x-ratelimit-limit'], left: remaining(headers) }).toEqual({
          status: 200,
          limit: '3',
          left,
        });
        expect(Number(headers['x-ratelimit-reset']) * 1000).toBeGreaterThan(Date.now());
      }
      const { status, body, headers } = await ask(me);
      expect({ status, body }).toEqual({
        status: 429,
        body: {
          result: 'error',
          code: 'RATE_LIMIT_HIT',
          msg: 'API usage exceeded rate limit',
          'retry-after': Number(headers['retry-after']),
        },
      });
      expect(remaining(headers)).toBe(0);
      expect((await ask(other)).status).toBe(200);
    }));

  it('counts requests without valid credentials by address', () =>
    inOneMinute(async () => {
      expect(remaining((await request(edge.url).get('/server_settings')).headers)).toBe(2);
      expect(remaining((await request(edge.url).get('/me')).headers)).toBe(1);
      expect(remaining((await ask({ ...other, apiKey: '0'.repeat(32) })).headers)).toBe(0);
      const { status, body } = await ask({ ...other, apiKey: '1'.repeat(32) });
      expect({ status, code: body.code }).toEqual({ status: 429, code: 'RATE_LIMIT_HIT' });
      expect((await ask(other)).status).toBe(200);
    }));

  it('is off by default', async () => {
    const unlimited = await startEdge([WhoController]);
    const { headers } = await request(unlimited.url).get('/server_settings');
    expect(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
    await unlimited.app.close();
  });
});
