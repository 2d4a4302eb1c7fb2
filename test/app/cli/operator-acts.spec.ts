import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ExclusiveLock } from '../../../src/platform/sqlite/exclusive-lock.js';
import { isShared, type OwnEngines, ownEngines } from '../../support/engines/own-engines.js';
import { filesWith } from '../../support/files-with.js';
import { client } from '../../support/requests/http.js';
import { annals } from '../../support/servers/command-line.js';
import { RunningServer } from '../../support/servers/running-server.js';

const NOT_RECORDED = 'annals: this command is not recorded in the log: ';
const OFF = { ANNALS_ACCESS_DAYS: '0' };

describe('operators\u2019 commands in the log', () => {
  let engines: OwnEngines;
  let server: RunningServer | null;
  const start = async (settings = {}) => {
    server = await RunningServer.start(engines.dataDirectory, { ...engines.environment, ...settings });
    await server.caughtUp();
  };
  const stop = async () => {
    await server?.stop();
    server = null;
  };

  beforeEach(async () => {
    engines = await ownEngines();
    await start();
  });
  afterEach(async () => {
    await stop();
    await engines.remove();
  });

  const run = (words: readonly string[], settings = {}) => annals(words, { ...engines.environment, ...settings });
  /** Operators' commands in the log, without those that read them here. */
  const acts = async () => {
    const words = ['log', '--json', '--words', '--type', 'OperatorActed'];
    const { code, stdout, stderr } = await run(words, OFF);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const entries = stdout
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
    return entries.filter(({ data }) => String(data.options.type) !== 'OperatorActed');
  };
  const act = (command: string, options: object, sudoUser: string | null = null) => ({
    actor: null,
    client: 'annals',
    data: { command, options, words: { user: userInfo().username, sudoUser } },
  });

  it('name the user of the operating system, the command and its options, beside a server and without one', async () => {
    const both = async () => {
      await run(['log', '--limit', '3', '--words', '--actor', 'whispered@example.com'], { SUDO_USER: 'iris' });
      await run(['audit', '--channel', '1', '--topic', 'whispered', '--actor', '7', '--kind', 'MessageSent']);
      await run(['rebuild', '--projection', 'sends', '--projection', 'audit']);
      await run(['prove', '--event', '018f0000-0000-7000-8000-000000000001', '--output', '/dev/null']);
      await run(['prove', '--event', 'whispered']);
    };
    const expected = [
      act('log', { actor: [], limit: [3], words: [] }, 'iris'),
      act('audit', { channel: [1], topic: [], actor: [7], kind: ['MessageSent'] }),
      act('rebuild', { projection: ['sends', 'audit'] }),
      act('prove', { event: ['018f0000-0000-7000-8000-000000000001'], output: [] }),
      act('prove', { event: [] }),
    ];
    await both();
    expect(await acts()).toMatchObject(expected);
    await stop();
    await both();
    expect(await acts()).toMatchObject([...expected, ...expected]);
    expect(await filesWith(engines.dataDirectory, [Buffer.from('whispered')])).toEqual([]);
  });

  it('have the request id of the change that they made', async () => {
    const newest = async (type: string) => {
      const { stdout } = await run(['log', '--json', '--type', type], OFF);
      return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    };
    const { email } = (await server?.owner()) ?? { email: '' };

    expect((await run(['grant', '--revoke', 'can_create_users', email])).code).toBe(0);
    const revoked = await newest('PermissionRevoked');
    const permission = ['can_create_users'];
    const first = (await acts()).find(({ data }) => data.command === 'grant');
    expect(first).toMatchObject({
      ...act('grant', { permission, user: [], revoke: [] }),
      correlationId: revoked.correlationId,
    });

    await stop();
    const { userId } = revoked.data;
    expect((await run(['grant', 'can_create_users', String(userId)])).code).toBe(0);
    const { correlationId } = await newest('PermissionGranted');
    expect((await acts()).at(-1)).toMatchObject({
      ...act('grant', { permission, user: [userId] }),
      correlationId,
    });
  });

  it('are found by the audit, and leave the answer of the next one complete without a server', async () => {
    await run(['log', '--message', '1']);
    const asked = ['audit', '--kind', 'OperatorActed', '--format', 'json', '--order', 'oldest'];
    const first = await run(asked);
    expect(JSON.parse(first.stdout).map(({ data }: { data: object }) => data)).toMatchObject([
      { command: 'log', words: { sealed: true } },
      { command: 'audit' },
    ]);
    expect(first.stderr).toBe('');
    await stop();
    const second = await run(asked);
    expect(second).toMatchObject({ code: 0, stdout: first.stdout });
    expect(second.stderr).toMatch(/^annals: the newest command of an operator is not in this answer: /);
    expect((await run(asked)).stderr).toContain('the newest 2 commands of operators are not in this answer');
    await start();
    const third = await run(asked);
    expect(third.stderr).toBe('');
    expect(JSON.parse(third.stdout)).toHaveLength(5);
  });

  it('precede the words that annals audit prints, of messages and not of drafts', async () => {
    const { email, key: apiKey, site } = (await server?.owner()) ?? { email: '', key: '', site: '' };
    const api = client(site).as({ email, apiKey });
    await api.post('/messages', { type: 'channel', to: 'general', topic: 't', content: 'whispered' });
    const drafts = [{ type: '', to: [], topic: '', content: 'unsent' }];
    await api.post('/drafts', { drafts });
    const asked = ['audit', '--words', '--format', 'json', '--kind', 'MessageSent', '--kind', 'DraftCreated'];
    const { code, stdout, stderr } = await run(asked);
    expect([code, stderr, stdout]).toEqual([0, '', expect.stringContaining('whispered')]);
    expect(stdout).not.toContain('unsent');
    expect((await run(asked.filter((word) => word !== '--words'))).stdout).not.toContain('whispered');
    const kind = ['MessageSent', 'DraftCreated'];
    expect(await acts()).toMatchObject([
      act('audit', { words: [], format: ['json'], kind }),
      act('audit', { format: ['json'], kind }),
    ]);
    await stop();
    expect((await run(asked)).stdout).toContain('whispered');
    for (const isServed of [false, true]) {
      if (isServed) await start(OFF);
      const refused = await run(asked, isServed && !isShared() ? {} : OFF);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toContain('words are not shown, because this command cannot be recorded');
    }
    expect(await acts()).toHaveLength(3);
  });

  it('are none if the setting is 0: the server\u2019s own beside a server', async () => {
    await run(['log', '--limit', '1'], OFF);
    expect(await acts()).toHaveLength(isShared() ? 0 : 1);
    await stop();
    await run(['log', '--limit', '1'], OFF);
    expect(await acts()).toHaveLength(isShared() ? 0 : 1);
    await start(OFF);
    await run(['log', '--limit', '1'], isShared() ? OFF : {});
    expect(await acts()).toHaveLength(isShared() ? 0 : 1);
  });

  const embedded = isShared() ? it.skip : it;

  embedded('print what they have and say so if the log cannot be written', async () => {
    await stop();
    const lock = ExclusiveLock.acquire(join(engines.dataDirectory, 'log.lock'));
    try {
      const { code, stdout, stderr } = await run(['log', '--limit', '1']);
      expect([code, stdout, stderr]).toEqual([0, expect.stringContaining('OrganizationCreated'), expect.any(String)]);
      expect(stderr).toContain(`${NOT_RECORDED}The log in ${engines.dataDirectory} is in use`);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      const refused = await run(['grant', 'can_create_users', 'owner@example.com']);
      expect([refused.code, refused.stdout]).toEqual([1, '']);
    } finally {
      lock?.release();
    }
    expect(await acts()).toEqual([]);
  });

  it('fail as before where there is no log', async () => {
    const { code, stderr } = await run(['log'], {
      ANNALS_DATA_DIR: join(engines.dataDirectory, 'none'),
      ...(isShared() && { ANNALS_STREAM_PREFIX: 'none.' }),
    });
    expect(code).toBe(1);
    expect(stderr).not.toContain(NOT_RECORDED);
  });
});
