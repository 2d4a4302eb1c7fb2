import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Config, ConfigRefused, readConfig, settings, siteUrl, unknownVariables } from '../../src/config/config.js';

const problemsOf = (environment: Record<string, string>, flags = {}): readonly string[] => {
  try {
    readConfig('start', flags, environment);
  } catch (error) {
    if (error instanceof ConfigRefused) return error.problems;
    throw error;
  }
  return [];
};

describe('the configuration', () => {
  it('has a default for everything', () => {
    expect({ ...readConfig('start', {}, {}) }).toEqual({
      dataDirectory: resolve('data'),
      host: '127.0.0.1',
      port: 9991,
      site: null,
      organization: 'Annals',
      ownerEmail: 'owner@example.com',
      ownerName: 'Owner',
      ownerPassword: null,
      logLevel: 'info',
      rateLimit: 0,
      queueIdleDays: 30,
      heartbeatSeconds: 50,
      eventStoreUrl: null,
      mongodbUrl: null,
    });
  });

  it('is read from the environment', () => {
    const config = readConfig(
      'start',
      {},
      {
        ANNALS_DATA_DIR: '/srv/annals',
        ANNALS_HOST: '::1',
        ANNALS_PORT: '0',
        ANNALS_SITE: 'https://chat.example.org/',
        ANNALS_ORGANIZATION: 'Zoë & Söhne',
        ANNALS_OWNER_EMAIL: 'zoe@localhost',
        ANNALS_OWNER_NAME: 'Zoë Größe',
        ANNALS_OWNER_PASSWORD: 'correct horse',
        ANNALS_LOG_LEVEL: 'silent',
        ANNALS_RATE_LIMIT: '200',
        ANNALS_QUEUE_IDLE_DAYS: '7',
        ANNALS_HEARTBEAT_SECONDS: '1',
      },
    );
    expect({ ...config }).toEqual({
      dataDirectory: '/srv/annals',
      host: '::1',
      port: 0,
      site: 'https://chat.example.org',
      organization: 'Zoë & Söhne',
      ownerEmail: 'zoe@localhost',
      ownerName: 'Zoë Größe',
      ownerPassword: 'correct horse',
      logLevel: 'silent',
      rateLimit: 200,
      queueIdleDays: 7,
      heartbeatSeconds: 1,
      eventStoreUrl: null,
      mongodbUrl: null,
    });
  });

  it('prefers a flag to the environment', () => {
    expect(readConfig('start', { port: '9000' }, { ANNALS_PORT: '8000' }).port).toBe(9000);
  });

  it('takes a variable that is set to nothing as not set', () => {
    expect(readConfig('start', {}, { ANNALS_PORT: '', MONGODB_URL: '' })).toMatchObject({
      port: 9991,
      mongodbUrl: null,
    });
  });

  it('cannot be changed afterwards', () => {
    expect(Object.isFrozen(readConfig('start', {}, {}))).toBe(true);
  });

  it.each([
    ['ANNALS_DATA_DIR', ' ', 'the path of a folder'],
    ['ANNALS_HOST', 'not a host', 'an IP address or a host name'],
    ['ANNALS_HOST', 'http://localhost', 'an IP address or a host name'],
    ['ANNALS_PORT', 'abc', 'a whole number from 0 to 65535'],
    ['ANNALS_PORT', '65536', 'a whole number from 0 to 65535'],
    ['ANNALS_PORT', '-1', 'a whole number from 0 to 65535'],
    ['ANNALS_PORT', '80.5', 'a whole number from 0 to 65535'],
    ['ANNALS_PORT', '0x50', 'a whole number from 0 to 65535'],
    ['ANNALS_PORT', ' 80', 'a whole number from 0 to 65535'],
    ['ANNALS_SITE', 'chat.example.org', 'an http:// or https:// URL without a path'],
    ['ANNALS_SITE', 'ftp://chat.example.org', 'an http:// or https:// URL without a path'],
    ['ANNALS_SITE', 'https://chat.example.org/team', 'an http:// or https:// URL without a path'],
    ['ANNALS_SITE', 'https://chat.example.org?a=b', 'an http:// or https:// URL without a path'],
    ['ANNALS_SITE', 'https://me:secret@chat.example.org', 'an http:// or https:// URL without a path'],
    ['ANNALS_ORGANIZATION', 'x'.repeat(101), 'a name of 1 to 100 characters on one line'],
    ['ANNALS_ORGANIZATION', '  ', 'a name of 1 to 100 characters on one line'],
    ['ANNALS_OWNER_EMAIL', 'owner', 'an email address'],
    ['ANNALS_OWNER_EMAIL', 'a@example.com\nkey=x', 'an email address'],
    ['ANNALS_OWNER_NAME', 'two\nlines', 'a name of 1 to 100 characters on one line'],
    ['ANNALS_LOG_LEVEL', 'loud', 'one of fatal, error, warn, info, debug, trace, silent'],
    ['ANNALS_RATE_LIMIT', '-5', 'a whole number from 0 to 1000000'],
    ['ANNALS_RATE_LIMIT', 'off', 'a whole number from 0 to 1000000'],
    ['ANNALS_QUEUE_IDLE_DAYS', '0', 'a whole number from 1 to 30: the events of older ones are forgotten'],
    ['ANNALS_HEARTBEAT_SECONDS', '0', 'a whole number from 1 to 600'],
  ])('refuses %s=%j and says what is allowed', (variable, value, allowed) => {
    const problems = problemsOf({ [variable]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`${variable} must be ${allowed}`);
    expect(problems[0]).toContain(`not ${JSON.stringify(value)}`);
  });

  it('does not repeat a password that it refuses', () => {
    expect(problemsOf({ ANNALS_OWNER_PASSWORD: 'hunter2' })).toEqual([
      'ANNALS_OWNER_PASSWORD must be 8 to 100 characters long',
    ]);
  });

  it.each(['EVENTSTORE_URL', 'MONGODB_URL'])('refuses %s instead of ignoring it, for every command', (variable) => {
    for (const command of ['start', 'rebuild', 'log'] as const) {
      expect(() => readConfig(command, {}, { [variable]: 'x://user:secret@host' })).toThrow(
        new RegExp(`^${variable} must be left out: this release keeps its \\w+ in the data directory only`),
      );
    }
    expect(problemsOf({ [variable]: 'x://user:secret@host' }).join()).not.toContain('secret');
  });

  it('names every problem at once, each by where its value came from', () => {
    const problems = problemsOf({ ANNALS_PORT: 'abc', ANNALS_LOG_LEVEL: 'loud' }, { rateLimit: 'much' });
    expect(problems).toHaveLength(3);
    expect(problems.join('\n')).toMatch(/^ANNALS_PORT must be/m);
    expect(problems.join('\n')).toMatch(/^ANNALS_LOG_LEVEL must be/m);
    expect(problems.join('\n')).toMatch(/^--rate-limit must be .*, not "much"$/m);
  });

  it('leaves alone what the command does not take', () => {
    expect(readConfig('log', {}, { ANNALS_PORT: 'abc', ANNALS_DATA_DIR: '/srv/annals' })).toMatchObject({
      port: 9991,
      dataDirectory: '/srv/annals',
    });
  });

  it('has one row, one variable and one flag for each property', () => {
    const rows = [...settings.values()];
    expect([...settings.keys()].sort()).toEqual(Object.keys(new Config()).sort());
    expect(new Set(rows.map((row) => row.environment)).size).toBe(rows.length);
    expect(new Set(rows.map((row) => row.flag)).size).toBe(rows.length);
  });

  it('notices variables that look like settings and are none', () => {
    expect(unknownVariables({ ANNALS_PROT: '1', ANNALS_PORT: '2', HOME: '/root' })).toEqual(['ANNALS_PROT']);
  });
});

describe('the public URL', () => {
  it.each([
    ['127.0.0.1', null, 'http://127.0.0.1:9000'],
    ['::1', null, 'http://[::1]:9000'],
    ['0.0.0.0', null, 'http://localhost:9000'],
    ['::', null, 'http://localhost:9000'],
    ['0.0.0.0', 'https://chat.example.org', 'https://chat.example.org'],
  ])('of a server on %s with site %s is %s', (host, site, url) => {
    expect(siteUrl({ host, site }, 9000)).toBe(url);
  });
});
