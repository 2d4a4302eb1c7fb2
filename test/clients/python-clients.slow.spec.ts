import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../../scripts/transpile.js';
import { eventually } from '../support/eventually.js';
import { pythonPackages } from '../support/outside/python.js';
import { Api } from '../support/requests/api.js';
import { LongLivedServer } from '../support/servers/long-lived-server.js';

const METHODS = join(ROOT, 'test/clients/python/methods.py');

interface Bot {
  readonly id: number;
  readonly email: string;
  readonly config: string;
  process?: ChildProcess;
}

const packages = await pythonPackages(['zulip==0.9.1', 'zulip_bots==0.9.1']);

(packages ? describe : describe.skip)('clients in Python, unmodified', () => {
  const program = (name: string): string => packages?.program(name) ?? '';
  let server: LongLivedServer;
  let owner: Api;
  const bots = new Map<string, Bot>();

  beforeAll(async () => {
    server = await LongLivedServer.start();
    owner = new Api(await server.current.owner());
  });
  afterAll(async () => {
    for (const { process } of bots.values()) process?.kill('SIGKILL');
    await server?.stop();
  });

  it('answers every method of the client', async () => {
    const config = join(server.dataDirectory, 'owner.zuliprc');
    const { stdout } = await promisify(execFile)(program('python'), [METHODS, config], { timeout: 120_000 });
    expect(stdout).toMatch(/^\d+ methods answered$/m);
  });

  const emailOf = async (id: number): Promise<string> => {
    const { user } = await owner.get(`users/${id}`);
    return (user as { readonly email: string }).email;
  };

  async function addBot(name: string): Promise<void> {
    const { user_id: id, api_key: key } = await owner.post('bots', { full_name: name, short_name: name, bot_type: 1 });
    const email = await emailOf(Number(id));
    const config = join(server.dataDirectory, `${name}.zuliprc`);
    await writeFile(config, `[api]\nemail=${email}\nkey=${key}\nsite=${owner.credentials.site}\n`);
    bots.set(name, { id: Number(id), email, config });
  }

  const queuesOf = async (email: string): Promise<number> =>
    (await server.log(['--type', 'QueueRegistered', '--actor', email])).length;

  /** Starts a bot, in place of the one before. Resolves when its queue is there. */
  async function run(name: string): Promise<void> {
    const bot = bots.get(name);
    if (!bot) throw new Error(`there is no bot ${name}`);
    if (bot.process) {
      bot.process.kill('SIGKILL');
      await once(bot.process, 'exit');
    }
    const before = await queuesOf(bot.email);
    bot.process = spawn(program('zulip-run-bot'), [name, '--config-file', bot.config], { stdio: 'ignore' });
    await eventually(async () => expect(await queuesOf(bot.email)).toBe(before + 1));
  }

  const newestOf = async (bot: number): Promise<{ readonly id: number; readonly content: string } | undefined> => {
    const narrow = [
      { operator: 'dm', operand: [bot] },
      { operator: 'sender', operand: bot },
    ];
    const page = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false, narrow };
    const { messages } = await owner.get('messages', page);
    const [newest] = messages as readonly { readonly id: number; readonly content: string }[];
    return newest;
  };

  /** Sends direct messages to a bot until what it says last is as expected. */
  async function ask(name: string, content: string, expected: RegExp): Promise<void> {
    const bot = bots.get(name)?.id ?? 0;
    const before = await newestOf(bot);
    await owner.post('messages', { type: 'direct', to: [bot], content });
    await eventually(async () => {
      const newest = await newestOf(bot);
      expect(newest).not.toEqual(before);
      expect(newest?.content).toMatch(expected);
    });
  }

  it('runs bots that keep state, through kills of the bots and of the server, and a rebuild', async () => {
    const names = ['incrementor', 'virtual_fs', 'incident'];
    for (const name of names) await addBot(name);
    await Promise.all(names.map(run));
    await ask('incrementor', 'go', /^1$/);
    await ask('virtual_fs', 'mkdir home', /directory created/);
    await ask('incident', 'new fire', /TICKET0001/);

    // The bots wait for the server, and their queues are still there.
    await server.killAndRestart();
    await ask('incrementor', 'go', /^2$/);
    await ask('virtual_fs', 'ls', /home/);
    await ask('incident', 'new flood', /TICKET0002/);

    // The other two ask the library whether they have state, which knows only of what was stored since their start.
    await run('incident');
    await ask('incident', 'new storm', /TICKET0003/);

    await server.rebuild();
    await ask('incrementor', 'go', /^3$/);
    await ask('virtual_fs', 'cd home', /Current path: \/home\//);
    await ask('incident', 'new thief', /TICKET0004/);
  });
});
