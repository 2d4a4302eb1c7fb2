import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { blocksOf } from '../../scripts/readme.js';
import { eventually } from '../support/eventually.js';
import { type Client, client } from '../support/requests/http.js';
import { RunningServer } from '../support/servers/running-server.js';

const run = promisify(execFile);
const PAGE = readFileSync(new URL('../../docs/bots.md', import.meta.url), 'utf8');

const hasPython = await run('python3', ['--version']).then(
  () => true,
  () => false,
);
if (!hasPython) process.stdout.write('docs/bots.md: its Python is not tried, because there is none\n');

/** The programs of the page, by language: how they are started. */
const PROGRAMS = [
  ...(hasPython ? [{ language: 'python', file: 'echo.py', interpreter: 'python3' }] : []),
  { language: 'js', file: 'echo.mjs', interpreter: process.execPath },
];

describe('docs/bots.md', () => {
  let folder: string;
  let server: RunningServer;
  let owner: Client;
  const bots: ChildProcess[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'annals-bots-'));
    server = await (await RunningServer.start(join(folder, 'data'))).caughtUp();
    const { email, key } = await server.owner();
    owner = client(server.url).as({ email, apiKey: key });
    await run('bash', ['-euo', 'pipefail', '-c', blocksOf('sh', PAGE)], { cwd: folder });
  });
  afterAll(async () => {
    for (const bot of bots) bot.kill('SIGKILL');
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const botId = async (): Promise<number> => JSON.parse(await readFile(join(folder, 'bot.json'), 'utf8')).user_id;
  const tell = async (content: string) => owner.post('/messages', { type: 'direct', to: [await botId()], content });

  /** What the bot said, oldest first. */
  async function said(): Promise<string[]> {
    const narrow = [
      { operator: 'sender', operand: await botId() },
      { operator: 'is', operand: 'dm' },
    ];
    const asked = { anchor: 'newest', num_before: 1000, num_after: 0, narrow, apply_markdown: false };
    const { body } = await owner.get('/messages', asked);
    return body.messages.map(({ content }: { content: string }) => content);
  }

  function started(interpreter: string, file: string, state: string): ChildProcess {
    const bot = spawn(interpreter, [file, 'echo.zuliprc', state], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    bots.push(bot);
    return bot;
  }

  async function killed(bot: ChildProcess): Promise<void> {
    const ended = once(bot, 'exit');
    bot.kill('SIGKILL');
    await ended;
  }

  it('has a message sent by hand, as the bot', async () => {
    const narrow = [
      { operator: 'channel', operand: 'general' },
      { operator: 'topic', operand: 'bots' },
    ];
    const { body } = await owner.get('/messages', { anchor: 'newest', num_before: 10, num_after: 0, narrow });
    expect(body.messages).toMatchObject([{ content: '<p>Hello from a bot</p>', sender_id: await botId() }]);
  });

  it.each(PROGRAMS)(
    'has a bot in $language that answers each message once, whatever ends',
    async ({ language, file, interpreter }) => {
      const state = `${language}.json`;
      const before = await said();
      const expectSaid = (...words: string[]) =>
        eventually(async () =>
          expect((await said()).slice(before.length)).toEqual(words.map((one) => `You said: ${one}`)),
        );
      await writeFile(join(folder, file), blocksOf(language, PAGE));

      const first = started(interpreter, file, state);
      const registered = (): Promise<{ queue_id: string }> =>
        eventually(async () => JSON.parse(await readFile(join(folder, state), 'utf8')));
      await registered();
      await tell('one');
      await expectSaid('one');

      // Killed, it goes on with its queue. Killed before it noted an answer, it sends nothing twice.
      await killed(first);
      const noted = await readFile(join(folder, state), 'utf8');
      await tell('two');
      const second = started(interpreter, file, state);
      await expectSaid('one', 'two');
      await killed(second);
      await writeFile(join(folder, state), noted);
      await tell('three');
      const third = started(interpreter, file, state);
      await expectSaid('one', 'two', 'three');
      await killed(third);

      // Without its queue, it registers again and reads what it has missed.
      const { queue_id } = await registered();
      const [email = '', apiKey = ''] =
        /email=(.*)\nkey=(.*)\n/.exec(await readFile(join(folder, 'echo.zuliprc'), 'utf8'))?.slice(1) ?? [];
      await client(server.url).as({ email, apiKey }).delete('/events', { queue_id });
      await tell('four');
      const fourth = started(interpreter, file, state);
      await expectSaid('one', 'two', 'three', 'four');
      await tell('five');
      await expectSaid('one', 'two', 'three', 'four', 'five');
      await killed(fourth);
    },
  );
});
