import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ROOT } from '../../../scripts/transpile.js';
import { type Client, type Credentials, client } from '../../support/requests/http.js';
import { run } from '../../support/servers/command-line.js';
import { RunningServer, temporaryDataDirectory } from '../../support/servers/running-server.js';

const PAGE = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
const OWNER = 'owner@example.com';
const MEMBER = 'iris@example.com';

/** The first command in the row of docs/operations.md with these words. */
function command(words: string): readonly string[] {
  const row = PAGE.split('\n').find((line) => line.startsWith('| ') && line.includes(words));
  const found = /`annals (user [^`]+)`/.exec(row?.slice(row.indexOf(words)) ?? '')?.[1];
  if (found === undefined) throw new Error(`docs/operations.md has no command for: ${words}`);
  return found.split(' ');
}

it('an owner without password and file gets back in, and so does a member who was shut out by mistake', async () => {
  const data = await temporaryDataDirectory();
  let server: RunningServer | null = null;
  const running = async (): Promise<RunningServer> => {
    server ??= await RunningServer.start(data.path);
    return server;
  };
  const stop = async (): Promise<void> => {
    await server?.stop();
    server = null;
  };
  const annals = async (words: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(words, { ANNALS_DATA_DIR: data.path });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  /** The random password that a command has made, from the file that it names. */
  const passwordIn = async (printed: string): Promise<string> => {
    const password = (await readFile(/ in (\/\S+)/.exec(printed)?.[1] ?? '', 'utf8')).trim();
    expect(printed).not.toContain(password);
    return password;
  };
  const as = async (credentials: Credentials): Promise<Client> => client((await running()).url).as(credentials);
  const logIn = async (email: string, password: string): Promise<Credentials> => {
    const { body } = await client((await running()).url).post('/fetch_api_key', { username: email, password });
    expect(body).toMatchObject({ result: 'success' });
    return { email, apiKey: body.api_key };
  };
  const me = async (credentials: Credentials): Promise<number> =>
    (await (await as(credentials)).get('/users/me')).status;

  try {
    const first = await (await running()).owner();
    let lost: Credentials = { email: first.email, apiKey: first.key };
    for (const isRunning of [true, false]) {
      const { body: queue } = await (await as(lost)).post('/register', { event_types: ['message'] });
      for (const name of ['owner.password', 'owner.zuliprc', `${OWNER}.password`])
        await rm(join(data.path, name), { force: true });
      if (!isRunning) await stop();
      const password = await passwordIn(await annals(command("the owner's password is lost")));
      expect(await me(lost)).toBe(401);
      const poll = { queue_id: queue.queue_id, last_event_id: -1, dont_block: true };
      expect((await (await as(lost)).get('/events', poll)).status).toBe(401);
      const found = await logIn(OWNER, password);
      expect((await (await as(found)).get('/users/me')).body).toMatchObject({ is_owner: true });
      // The login that is found is the next to be lost.
      lost = found;
    }

    // The audit says who did it: nobody with an account.
    const asked = { kind: ['PasswordChanged'], subject_user_id: 1 };
    const { body: audited } = await (await as(lost)).get('/audit/events', asked);
    const byOperator = { actor: null, operator: userInfo().username };
    expect(audited.events).toMatchObject([byOperator, byOperator]);

    const member = await logIn(MEMBER, await passwordIn(await annals(command('how do I add somebody?'))));
    for (const isRunning of [true, false]) {
      await annals(command('somebody has left'));
      expect(await me(member)).toBe(401);
      if (!isRunning) await stop();
      const [, , email] = command('somebody has left');
      expect(await annals(command('`annals user reactivate'))).toBe(`${email} is active again.\n`);
      expect(await me(member)).toBe(200);
    }
    const { body: back } = await (await as(lost)).get('/audit/events', { kind: ['UserReactivated'] });
    expect(back.events).toMatchObject([byOperator, byOperator]);
  } finally {
    await stop();
    await data.remove();
  }
});
