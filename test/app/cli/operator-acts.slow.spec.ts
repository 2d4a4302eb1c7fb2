import { userInfo } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ExclusiveLock } from '../../../src/platform/sqlite/open-locked.js';
import { isShared, type OwnEngines, ownEngines } from '../../support/engines/own-engines.js';
import { filesWith } from '../../support/files-with.js';
import { client } from '../../support/requests/http.js';
import { run as runCommand } from '../../support/servers/command-line.js';
import { RunningServer } from '../../support/servers/running-server.js';

const NOT_RECORDED = 'annals: this command is not recorded in the log: ';
const OFF = { ANNALS_ACCESS_DAYS: '0' };

describe('operators\u2019 commands in the log', () => {
  let engines: OwnEngines;
  let running: { readonly server: RunningServer; readonly settings: object } | null = null;
  /** Number of commands that earlier tests left in the log. */
  let earlier = 0;

  /** Sees that a server runs with these settings: the one that runs, if it has them. */
  async function beside(settings = {}): Promise<RunningServer> {
    if (running && isDeepStrictEqual(running.settings, settings)) return running.server;
    await alone();
    const server = await RunningServer.start(engines.dataDirectory, { ...engines.environment, ...settings });
    running = { server, settings };
    return server.caughtUp();
  }
  /** Sees that no server runs. */
  async function alone(): Promise<void> {
    await running?.server.stop();
    running = null;
  }

  beforeAll(async () => {
    engines = await ownEngines();
    await beside();
  });
  beforeEach(async () => {
    earlier = (await allActs()).length;
  });
  afterAll(async () => {
    await alone();
    await engines.remove();
  });

  const run = (words: readonly string[], settings = {}) => runCommand(words, { ...engines.environment, ...settings });
  /** Operators' commands in the log, without those that read them here. */
  const allActs = async () => {
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
  /** Those of this test. */
  const acts = async () => (await allActs()).slice(earlier);
  const act = (command: string, options: object, sudoUser: string | null = null) => ({
    actor: null,
    client: 'annals',
    data: { command, options, words: { user: userInfo().username, sudoUser } },
  });

  const embedded = isShared() ? it.skip : it;

  it('are found by the audit, and leave the answer of the next one complete without a server', async () => {
    await beside();
    await run(['log', '--message', '1']);
    const asked = ['audit', '--kind', 'OperatorActed', '--format', 'json', '--order', 'oldest'];
    const first = await run(asked);
    const found = JSON.parse(first.stdout).map(({ data }: { data: object }) => data);
    expect(found.slice(-2)).toMatchObject([{ command: 'log', words: { sealed: true } }, { command: 'audit' }]);
    expect(first.stderr).toBe('');
    await alone();
    const second = await run(asked);
    expect(second).toMatchObject({ code: 0, stdout: first.stdout });
    expect(second.stderr).toMatch(/^annals: the newest command of an operator is not in this answer: /);
    expect((await run(asked)).stderr).toContain('the newest 2 commands of operators are not in this answer');
    await beside();
    const third = await run(asked);
    expect(third.stderr).toBe('');
    expect(JSON.parse(third.stdout)).toHaveLength(found.length + 3);
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
    await beside();
    await both();
    expect(await acts()).toMatchObject(expected);
    await alone();
    await both();
    expect(await acts()).toMatchObject([...expected, ...expected]);
    expect(await filesWith(engines.dataDirectory, [Buffer.from('whispered')])).toEqual([]);
  });

  embedded('print what they have and say so if the log cannot be written', async () => {
    await alone();
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

  it('have the request id of the change that they made', async () => {
    const newest = async (type: string) => {
      const { stdout } = await run(['log', '--json', '--type', type], OFF);
      return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    };
    const permission = ['can_create_users'];

    await alone();
    expect((await run(['grant', '--revoke', 'can_create_users', 'owner@example.com'])).code).toBe(0);
    const revoked = await newest('PermissionRevoked');
    expect((await acts()).at(-1)).toMatchObject({
      ...act('grant', { permission, user: [], revoke: [] }),
      correlationId: revoked.correlationId,
    });

    await beside();
    const { userId } = revoked.data;
    expect((await run(['grant', 'can_create_users', String(userId)])).code).toBe(0);
    const { correlationId } = await newest('PermissionGranted');
    const last = (await acts()).findLast(({ data }) => data.command === 'grant');
    expect(last).toMatchObject({
      ...act('grant', { permission, user: [userId] }),
      correlationId,
    });
  });

  it('are none if the setting is 0: the server\u2019s own beside a server', async () => {
    await beside();
    await run(['log', '--limit', '1'], OFF);
    expect(await acts()).toHaveLength(isShared() ? 0 : 1);
    await alone();
    await run(['log', '--limit', '1'], OFF);
    expect(await acts()).toHaveLength(isShared() ? 0 : 1);
    await beside(OFF);
    await run(['log', '--limit', '1'], isShared() ? OFF : {});
    expect(await acts()).toHaveLength(isShared() ? 0 : 1);
  });

  it('precede the words that annals audit prints, of messages and not of drafts', async () => {
    const { email, key: apiKey, site } = await (await beside(OFF)).owner();
    const api = client(site).as({ email, apiKey });
    await api.post('/messages', { type: 'channel', to: 'general', topic: 't', content: 'whispered' });
    const drafts = [{ type: '', to: [], topic: '', content: 'unsent' }];
    await api.post('/drafts', { drafts });
    const asked = ['audit', '--words', '--format', 'json', '--kind', 'MessageSent', '--kind', 'DraftCreated'];
    for (const refuse of [() => run(asked, isShared() ? OFF : {}), () => run(asked, OFF)]) {
      const refused = await refuse();
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toContain('words are not shown, because this command cannot be recorded');
      await alone();
    }
    expect(await acts()).toEqual([]);
    expect((await run(asked)).stdout).toContain('whispered');

    await beside();
    const { code, stdout, stderr } = await run(asked);
    expect([code, stderr, stdout]).toEqual([0, '', expect.stringContaining('whispered')]);
    expect(stdout).not.toContain('unsent');
    expect((await run(asked.filter((word) => word !== '--words'))).stdout).not.toContain('whispered');
    const kind = ['MessageSent', 'DraftCreated'];
    expect(await acts()).toMatchObject([
      act('audit', { words: [], format: ['json'], kind }),
      act('audit', { words: [], format: ['json'], kind }),
      act('audit', { format: ['json'], kind }),
    ]);
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
