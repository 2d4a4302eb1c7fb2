import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OwnEngines, ownEngines } from '../../support/engines/own-engines.js';
import { run } from '../../support/servers/command-line.js';
import { RunningServer } from '../../support/servers/running-server.js';

describe('annals grant', () => {
  let engines: OwnEngines;
  let server: RunningServer;
  const start = async () => {
    server = await (await RunningServer.start(engines.dataDirectory, engines.environment)).caughtUp();
  };

  beforeAll(async () => {
    engines = await ownEngines();
    await start();
  });
  afterAll(async () => {
    await server.stop();
    await engines.remove();
  });

  const grant = (...words: string[]) => run(['grant', ...words], engines.environment);

  async function as(email: string, key: string, method: string, path: string, params: Record<string, string> = {}) {
    const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
    const init = {
      method,
      headers: { authorization },
      ...(method === 'GET' ? {} : { body: new URLSearchParams(params) }),
    };
    return (await (await fetch(`${server.url}/api/v1${path}`, init)).json()) as Record<string, unknown>;
  }

  /** Creates an administrator: the permission allows only administrators to create accounts. */
  async function newAdministrator(
    name: string,
  ): Promise<{ readonly email: string; readonly create: (made: string) => Promise<unknown> }> {
    const { email, key } = await server.owner();
    const account = { email: `${name}@example.com`, password: 'a password', full_name: name };
    const created = await as(email, key, 'POST', '/users', account);
    expect(created).toMatchObject({ result: 'success' });
    expect(await as(email, key, 'PATCH', `/users/${created.user_id}`, { role: '200' })).toMatchObject({ msg: '' });
    const login = { username: account.email, password: account.password };
    const { api_key } = await as('', '', 'POST', '/fetch_api_key', login);
    const create = async (made: string) => {
      const params = { email: `${made}@example.com`, password: 'long enough', full_name: made };
      return (await as(account.email, String(api_key), 'POST', '/users', params)).msg;
    };
    return { email: account.email, create };
  }

  const REFUSED = 'User not authorized to create users';

  it('gives and takes a permission beside a running server, which applies it at once', async () => {
    const iris = await newAdministrator('iris');
    expect(await iris.create('one')).toBe(REFUSED);
    const given = await grant('can_create_users', 'IRIS@example.com');
    expect(given).toEqual({ code: 0, stdout: 'IRIS@example.com has can_create_users now.\n', stderr: '' });
    expect(await iris.create('two')).toBe('');
    expect((await grant('can_create_users', iris.email)).stdout).toContain('already');
    const taken = await grant('--revoke', 'can_create_users', iris.email);
    expect(taken.stdout).toBe('iris@example.com no longer has can_create_users.\n');
    expect(await iris.create('three')).toBe(REFUSED);
    expect((await grant('--revoke', 'can_create_users', iris.email)).stdout).toContain('did not have');
  });

  it('gives a permission without a running server, and the next server applies it', async () => {
    const noor = await newAdministrator('noor');
    await server.stop();
    const { code, stdout, stderr } = await grant('can_create_users', noor.email);
    expect([code, stdout, stderr]).toEqual([0, 'noor@example.com has can_create_users now.\n', '']);
    expect((await grant('can_create_users', 'nobody@example.com')).code).toBe(1);
    await start();
    expect(await noor.create('four')).toBe('');
  });

  it('reports wrong arguments', async () => {
    expect(await grant('can_create_users', 'nobody@example.com')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(
        'annals: there is no account nobody@example.com: there are owner@example.com (1)',
      ),
    });
    expect((await grant('can_create_users', '999')).stderr).toContain('no account 999');
    const unknown = await grant('can_fly', '1');
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('can_change_user_emails')]);
    expect((await grant('can_create_users')).code).toBe(2);
  });

  it('appends an event that names the permission and the operator', async () => {
    const { stdout } = await run(
      ['log', '--json', '--stream', 'users', '--type', 'PermissionRevoked'],
      engines.environment,
    );
    const [event] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(event.data ?? event).toMatchObject({ permission: 'can_create_users' });
    expect(event).toMatchObject({ operator: userInfo().username });
  });
});
