import { readdir, readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OwnEngines, ownEngines } from '../../support/engines/own-engines.js';
import { client } from '../../support/requests/http.js';
import { annals, run } from '../../support/servers/command-line.js';
import { RunningServer } from '../../support/servers/running-server.js';

const OWNER = 'owner@example.com';

describe('annals user', () => {
  let engines: OwnEngines;
  let server: RunningServer | null = null;

  /** Sees that a server runs. */
  async function beside(): Promise<RunningServer> {
    server ??= await RunningServer.start(engines.dataDirectory, engines.environment);
    return server.caughtUp();
  }
  /** Sees that no server runs. */
  async function alone(): Promise<void> {
    await server?.stop();
    server = null;
  }

  beforeAll(async () => {
    engines = await ownEngines();
    await beside();
  });
  afterAll(async () => {
    await alone();
    await engines.remove();
  });

  const user = (words: readonly string[], input?: string) => run(['user', ...words], engines.environment, input);
  const passwordOf = async (name: string) => {
    const file = join(engines.dataDirectory, `${name}.password`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    return (await readFile(file, 'utf8')).trim();
  };
  const logIn = async (username: string, password: string) => {
    const { body } = await client((await beside()).url).post('/fetch_api_key', { username, password });
    return body;
  };
  const list = async () => {
    const { stdout } = await user(['list', '--json']);
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  /** The newest event of a type, as the audit's own reader and as the log has it. */
  const newest = async (type: string) => {
    const asked = ['audit', '--kind', type, '--format', 'jsonl', '--limit', '1', '--order', 'newest'];
    const [audited, logged] = [
      await run(asked, engines.environment),
      await run(['log', '--json', '--type', type, '--last', '1'], engines.environment),
    ];
    return { audited: JSON.parse(audited.stdout), logged: JSON.parse(logged.stdout) };
  };

  it.each(['beside a server', 'alone'])(
    'creates an account that can log in and is in the default channels, %s',
    async (where) => {
      const email = where === 'alone' ? 'noor@example.com' : 'iris@example.com';
      await (where === 'alone' ? alone() : beside());
      const made = await user(['create', email, '--name', 'A new one', '--role', 'moderator']);
      expect(made).toMatchObject({ code: 0, stderr: '' });
      expect(made.stdout).toMatch(
        /^Created the account \d+: A new one <.*>, moderator\.\n {2}password {2}in .*\(random\)\n$/,
      );
      const password = await passwordOf(email);
      expect(made.stdout).not.toContain(password);
      const { api_key: apiKey } = await logIn(email, password);
      const api = client((await beside()).url).as({ email, apiKey });
      const { body } = await api.get('/users/me/subscriptions');
      expect(body.subscriptions).toMatchObject([{ name: 'general' }]);
      expect(await list()).toContainEqual(
        expect.objectContaining({ email, role: 'moderator', is_active: true, keys: 1 }),
      );
    },
  );

  it("ends the owner's credentials in their file, which later starts do not name", async () => {
    const file = join(engines.dataDirectory, 'owner.zuliprc');
    const again = async () => {
      await alone();
      return (await beside()).printed;
    };
    expect(await again()).toContain(`Owner's credentials: ${file}\n`);
    await user(['reset-password', OWNER]);
    expect(await again()).not.toContain('owner.zuliprc');
  });

  it.each(['beside a server', 'alone'])(
    'lets an owner back in whose password is lost, without mail, %s',
    async (where) => {
      const { email, key } = await (await beside()).owner();
      if (where === 'alone') await alone();
      const reset = await user(['reset-password', OWNER]);
      expect(reset).toMatchObject({ code: 0, stderr: '' });
      expect(reset.stdout).toContain(`${OWNER} has a new password, and its logins have ended.`);
      const old = client((await beside()).url).as({ email, apiKey: key });
      expect((await old.get('/users/me')).status).toBe(401);
      const { api_key: apiKey } = await logIn(OWNER, await passwordOf(OWNER));
      const { body } = await client((await beside()).url)
        .as({ email, apiKey })
        .get('/users/me');
      expect(body).toMatchObject({ is_owner: true });
    },
  );

  it.each(['beside a server', 'alone'])(
    'names the user of the operating system in the log and the audit, %s',
    async (where) => {
      await (where === 'alone' ? alone() : beside());
      await run(['user', 'reset-password', '1'], { ...engines.environment, SUDO_USER: 'iris' });
      await beside();
      const operator = `${userInfo().username} (iris by sudo)`;
      const { audited, logged } = await newest('PasswordChanged');
      expect(logged).toMatchObject({ actor: null, operator, client: 'annals' });
      expect(audited).toMatchObject({ actor: null, operator, request_id: logged.correlationId });
      const text = await run(['log', '--type', 'PasswordChanged', '--last', '1'], engines.environment);
      expect(text.stdout).toContain(`PasswordChanged  operator ${operator}  annals`);
    },
  );

  it('takes a password from standard input or a file, and no other way', async () => {
    await beside();
    const typed = await user(['reset-password', OWNER, '--password-file', '-', '--json'], 'typed by hand\nnot this\n');
    expect(typed).toEqual({ code: 0, stdout: `${JSON.stringify({ user_id: 1, email: OWNER })}\n`, stderr: '' });
    expect(await logIn(OWNER, 'typed by hand')).toMatchObject({ result: 'success' });
    const file = await user(['reset-password', OWNER, '--password-file', join(engines.dataDirectory, 'none')]);
    const missing = join(engines.dataDirectory, 'none');
    const why = `annals: --password-file ${missing} cannot be read: there is no such file\n`;
    expect(file).toEqual({ code: 2, stdout: '', stderr: why });
    expect((await user(['reset-password', OWNER, '--password-file', '-'], '\n')).code).toBe(2);
    const short = await user(['reset-password', OWNER, '--password-file', '-'], 'short');
    const advice = 'ANNALS_PASSWORD_MIN_LENGTH asks for 8 characters or more.';
    expect(short).toEqual({ code: 1, stdout: '', stderr: `annals: The password is too weak. ${advice}\n` });
    expect((await user(['reset-password', OWNER, '--password', 'x'])).code).toBe(2);
    expect(await logIn(OWNER, 'typed by hand')).toMatchObject({ result: 'success' });
  });

  it('leaves no file with a password that is valid no more', async () => {
    await beside();
    const files = async () =>
      (await readdir(engines.dataDirectory)).filter((name) => /^(bob|\d).*\.password/.test(name));
    const bob = 'bob@example.com';
    const { user_id } = JSON.parse((await user(['create', bob, '--name', 'Bob', '--json'])).stdout);
    expect(await files()).toEqual([`${bob}.password`]);
    await user(['reset-password', String(user_id)]);
    expect(await files()).toEqual([`${user_id}.password`]);
    await user(['reset-password', bob, '--password-file', '-'], 'short');
    expect(await files()).toEqual([`${user_id}.password`]);
    await user(['reset-password', bob, '--password-file', '-'], 'typed by hand');
    expect(await files()).toEqual([]);
    await user(['reset-password', bob]);
    expect(await logIn(bob, await passwordOf(bob))).toMatchObject({ result: 'success' });
    await user(['deactivate', bob]);
    expect(await files()).toEqual([]);
  });

  it('writes the password to a file however long the address is', async () => {
    await beside();
    const email = `${'用户'.repeat(13)}@例子.公司`;
    const made = await user(['create', email, '--name', 'A new one', '--json']);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const password = (await readFile(JSON.parse(made.stdout).password_file, 'utf8')).trim();
    expect(await logIn(email, password)).toMatchObject({ result: 'success' });
  });

  it('refuses with the reason, and keeps the file of an earlier password', async () => {
    await beside();
    await user(['reset-password', OWNER]);
    const before = await passwordOf(OWNER);
    const taken = await user(['create', 'OWNER@example.com', '--name', 'Another']);
    expect(taken).toEqual({ code: 1, stdout: '', stderr: "annals: Email 'OWNER@example.com' already in use\n" });
    expect((await user(['create', OWNER, '--name', 'Another'])).code).toBe(1);
    expect(await passwordOf(OWNER)).toBe(before);
    const nobody = await user(['reset-password', 'nobody@example.com']);
    expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining(`there are ${OWNER} (1)`)]);
    const king = await user(['create', 'x@example.com', '--name', 'X', '--role', 'king']);
    expect([king.code, king.stderr]).toEqual([2, expect.stringContaining('owner, administrator, moderator')]);
    expect((await user(['create', 'x@example.com'])).code).toBe(2);
    expect((await user(['vanish'])).code).toBe(2);
  });

  /** Creates an account with a password, and logs in. */
  const newAccount = async (email: string) => {
    await user(['create', email, '--name', 'A new one', '--password-file', '-'], 'a long password');
    const login = await logIn(email, 'a long password');
    return {
      status: async () =>
        (
          await client((await beside()).url)
            .as({ email, apiKey: login.api_key })
            .get('/users/me')
        ).status,
    };
  };

  it.each(['beside a server', 'alone'])('changes the role of an account, and its state, %s', async (where) => {
    const email = where === 'alone' ? 'lea@example.com' : 'kim@example.com';
    await beside();
    const { status } = await newAccount(email);
    const place = where === 'alone' ? alone : beside;
    await place();
    expect(await user(['set-role', email, 'administrator'])).toEqual({
      code: 0,
      stdout: `${email} has the role administrator now, not member.\n`,
      stderr: '',
    });
    expect((await user(['set-role', email, 'administrator'])).stdout).toContain('had the role administrator already');
    expect((await user(['deactivate', email])).stdout).toBe(`${email} is deactivated.\n`);
    expect((await user(['deactivate', email])).stdout).toBe(`${email} was deactivated already.\n`);
    const refused = await user(['set-role', email, 'owner']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`annals user reactivate ${email}`)]);
    expect(await status()).toBe(401);
    expect(await list()).toContainEqual(expect.objectContaining({ email, role: 'administrator', is_active: false }));
    await place();
    expect((await user(['reactivate', email])).stdout).toBe(`${email} is active again.\n`);
    expect((await user(['reactivate', email])).stdout).toBe(`${email} was active already.\n`);
    expect(await status()).toBe(200);
    const { logged } = await newest('UserReactivated');
    expect(logged).toMatchObject({ actor: null, operator: userInfo().username });
  });

  it.each(['beside a server', 'alone'])('neither demotes nor deactivates the last owner, %s', async (where) => {
    await (where === 'alone' ? alone() : beside());
    const demoted = await user(['set-role', OWNER, 'member']);
    expect([demoted.code, demoted.stdout]).toEqual([1, '']);
    expect(demoted.stderr).toBe('annals: The owner permission cannot be removed from the only organization owner.\n');
    const gone = await user(['deactivate', OWNER]);
    expect([gone.code, gone.stderr]).toEqual([1, 'annals: Cannot deactivate the only organization owner\n']);
    expect(await list()).toContainEqual(expect.objectContaining({ email: OWNER, role: 'owner', is_active: true }));
  });

  it('deactivates and reactivates bots, too', async () => {
    await beside();
    await user(['reset-password', OWNER, '--password-file', '-'], 'typed by hand');
    const { api_key: apiKey } = await logIn(OWNER, 'typed by hand');
    const api = client((await beside()).url).as({ email: OWNER, apiKey });
    const { body } = await api.post('/bots', { full_name: 'Robo', short_name: 'robo' });
    expect(body).toMatchObject({ result: 'success' });
    const { stdout } = await user(['deactivate', String(body.user_id), '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ user_id: body.user_id, is_bot: true, is_active: false });
    expect((await user(['reactivate', String(body.user_id)])).code).toBe(0);
  });

  it('lists keys, and ends one or all', async () => {
    await beside();
    const email = 'max@example.com';
    const [first, second, third] = [await newAccount(email), await newAccount(email), await newAccount(email)];
    expect(await first.status()).toBe(200);
    const { stdout } = await user(['keys', email, '--json']);
    const keys = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(keys).toHaveLength(3);
    expect(keys[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      client: expect.any(String),
      created_at: expect.any(Number),
      last_used_at: expect.any(Number),
    });
    await alone();
    expect((await user(['keys', email])).stdout).toMatch(/^id +issued +last used +client\n[0-9a-f]{16} {2}.*Z/);
    expect((await user(['end-keys', email, keys[1].id])).stdout).toBe(`1 key of ${email} ended, 2 left.\n`);
    const again = await user(['end-keys', email, keys[0].id, keys[1].id]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(`has no key ${keys[1].id}`)]);
    await beside();
    expect([await first.status(), await second.status(), await third.status()]).toEqual([200, 401, 200]);
    expect((await user(['end-keys', email])).stdout).toBe(`2 keys of ${email} ended, 0 left.\n`);
    expect([await first.status(), await third.status()]).toEqual([401, 401]);
  });

  it.each([
    [['set-role', 'nobody@example.com', 'member']],
    [['deactivate', 'nobody@example.com']],
    [['reactivate', '999']],
    [['keys', '999']],
    [['end-keys', 'nobody@example.com']],
  ])('refuses %j, which names nobody', async (words) => {
    await beside();
    const { code, stdout, stderr } = await user(words);
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringContaining(`there is no account ${words[1]}: there are`),
    ]);
  });

  it('refuses a role that there is not', async () => {
    const { code, stderr } = await user(['set-role', OWNER, 'king']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('owner, administrator, moderator, member, guest')]);
  });

  it('prints a table for people, by the real program', async () => {
    await beside();
    const { code, stdout, stderr } = await annals(['user', 'list'], engines.environment);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^id {2}email +name +role +state +keys\n1 {3}owner@example.com +Owner +owner +active +\d+\n/,
    );
  });
});
