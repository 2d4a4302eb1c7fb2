import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bundled } from '../../../scripts/bundle.js';
import { Api } from '../../support/requests/api.js';
import { annals, type Outcome, run, spawnAnnals } from '../../support/servers/command-line.js';
import { RunningServer, temporaryDataDirectory } from '../../support/servers/running-server.js';

const ANNALS = bundled('src/main.ts');

const shell = (line: string): Promise<Outcome> =>
  new Promise((resolve) => {
    execFile('sh', ['-c', line], (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

const NO_STACK = expect.not.stringMatching(/^\s+at /m);

describe('annals', () => {
  it.each(['start', 'rebuild', 'log', 'audit'])('explains %s under --help', async (command) => {
    const { code, stdout } = await run([command, '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Usage: annals ${command}`));
    expect(stdout).toContain('ANNALS_DATA_DIR');
  });

  it('lists every setting under start --help', async () => {
    const { stdout } = await run(['start', '--help']);
    for (const name of [
      'PORT',
      'HOST',
      'SITE',
      'ORGANIZATION',
      'OWNER_EMAIL',
      'OWNER_NAME',
      'OWNER_PASSWORD',
      'LOG_LEVEL',
    ]) {
      expect(stdout).toContain(`ANNALS_${name}`);
    }
    expect(stdout).toContain('EVENTSTORE_URL');
    expect(stdout).toContain('MONGODB_URL');
  });

  it('prints its version', async () => {
    const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'));
    expect(await annals(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each([
    [[]],
    [['stop']],
    [['start', '--prot', '1']],
    [['log', 'extra']],
    [['log', '--type', 'Nothing']],
    [['log', '--limit', '0']],
    [['log', '--message', 'seven']],
    [['log', '--message', '7', '--follow']],
    [['log', '--last', '7', '--limit', '7']],
    [['log', '--since', 'yesterday']],
    [['audit', '--topic', 'without its channel']],
    [['audit', '--kind', 'Nothing']],
    [['audit', '--format', 'xml']],
    [['audit', '--address', '1.2.3']],
    [['audit', '--proofs', '--format', 'csv']],
    [['audit', '--as-of', '2026-01-31']],
    [['audit', '--message', '7', '--as-of', '2026-01-31', '--limit', '3']],
    [['audit', '--message', '7', '--as-of', '2026-01-31', '--format', 'csv']],
  ])('refuses the arguments %j with a message and exit code 2', async (words) => {
    const { code, stdout, stderr } = await run(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toBe('');
    expect(stderr).toEqual(NO_STACK);
  });

  it('ends its process with the exit code and prints to its two outputs', async () => {
    const words = ['start', '--prot', '1'];
    expect(await annals(words)).toEqual(await run(words));
    const help = ['log', '--help'];
    expect(await annals(help)).toEqual(await run(help));
  });

  it('names all bad settings at once, and leaves the file system alone', async () => {
    const data = join(tmpdir(), `annals-never-${process.pid}`);
    const { code, stdout, stderr } = await run(['start', '--port', 'abc'], {
      ANNALS_DATA_DIR: data,
      ANNALS_RATE_LIMIT: 'often',
      MONGODB_URL: 'mongodb://localhost',
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.split('\n').slice(0, 3)).toEqual([
      'annals: --port must be a whole number from 0 to 65535, not "abc"',
      'annals: ANNALS_RATE_LIMIT must be a whole number from 0 to 1000000, not "often"',
      'annals: EVENTSTORE_URL must be set too where MONGODB_URL is: they go together',
    ]);
    expect(existsSync(data)).toBe(false);
  });

  it('refuses to print the log of a folder that holds none', async () => {
    const data = await temporaryDataDirectory();
    const { code, stdout, stderr } = await run(['log'], { ANNALS_DATA_DIR: data.path });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(data.path);
    expect(stderr).toEqual(NO_STACK);
    expect(readdirSync(data.path)).toEqual([]);
    await data.remove();
  });
});

describe('a server', () => {
  let data: Awaited<ReturnType<typeof temporaryDataDirectory>>;
  let server: RunningServer;
  let settings: Record<string, string>;

  beforeAll(async () => {
    data = await temporaryDataDirectory();
    server = await RunningServer.start(data.path);
    settings = { ANNALS_DATA_DIR: data.path };
  });

  afterAll(async () => {
    await server.stop();
    await data.remove();
  });

  const curlLines = (): string[] => server.printed.split('\n').filter((line) => line.startsWith('  curl '));

  it('prints curl lines that work when pasted', async () => {
    const [send, read] = curlLines();
    expect(JSON.parse((await shell(send ?? '')).stdout)).toMatchObject({ result: 'success', id: expect.any(Number) });
    expect(JSON.parse((await shell(read ?? '')).stdout)).toMatchObject({
      result: 'success',
      messages: [{ content: '<p>Hello from curl</p>', subject: 'hello' }],
    });
  });

  it("writes the owner's credentials and random password to files that its own user alone can read", async () => {
    const file = join(data.path, 'owner.zuliprc');
    expect(server.printed).toContain(file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toMatch(/^\[api\]\nemail=owner@example\.com\nkey=\w{32}\nsite=http:/);
    expect(server.printed).not.toContain((await server.owner()).key);
    const password = join(data.path, 'owner.password');
    expect(server.printed).toContain(password);
    expect((await stat(password)).mode & 0o777).toBe(0o600);
    expect(server.printed).not.toContain((await readFile(password, 'utf8')).trim());
  });

  it('refuses a second server on its data directory', async () => {
    const { code, stdout, stderr } = await annals(['start', '--port', '0'], settings);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/in use by another Annals server/);
    expect(stderr).toEqual(NO_STACK);
  });

  it('says that it runs already if the server on its data directory has the port', async () => {
    const { code, stdout, stderr } = await annals(['start', '--port', new URL(server.url).port], settings);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const served = `process ${server.pid} serves ${data.path} at ${server.url}`;
    expect(stderr).toBe(`annals: this server runs already: ${served}\n`);
  });

  it('does not start on a port that is taken', async () => {
    const other = await temporaryDataDirectory();
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const outcome = await annals(['start', '--port', String(port)], { ANNALS_DATA_DIR: other.path });
    taken.close();
    await other.remove();
    expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: NO_STACK });
    expect(outcome.stderr).toMatch(new RegExp(`^annals: 127\\.0\\.0\\.1 port ${port} is taken .*\n$`));
  });

  it('does not start on an address that this machine does not have', async () => {
    const other = await temporaryDataDirectory();
    const words = ['start', '--port', '0', '--host', 'nowhere.invalid'];
    const outcome = await annals(words, { ANNALS_DATA_DIR: other.path });
    await other.remove();
    expect(outcome).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'annals: this machine has no address nowhere.invalid: choose another with --host or ANNALS_HOST\n',
    });
  });

  it.each([
    [['log', '--limit', '1'], /OrganizationCreated/],
    [['audit', '--limit', '1'], /@/],
    [['key', '--port', '0'], /^\S+\+[0-9a-f]{8}\+\S+\n$/],
    [['prove', '--all'], /^\{"format":"annals-log"/],
    [['verify'], /The log is right/],
    [['grant', 'can_create_users', 'owner@example.com'], /can_create_users/],
    [['rebuild', '--projection', 'sends'], /^Rebuilt sends in /m],
  ])('is asked by a process for %j', async (words, answer) => {
    expect(await annals(words, settings)).toEqual({ code: 0, stdout: expect.stringMatching(answer), stderr: '' });
  });

  describe('its log', () => {
    let printer: ChildProcess | undefined;

    afterEach(() => {
      printer?.kill('SIGKILL');
      printer = undefined;
    });

    /** Starts `annals log`; the caller reads its output. */
    const print = (...words: string[]) => {
      printer = spawnAnnals(['log', ...words], settings);
      return printer;
    };

    it('is printed for people, with its content sealed', async () => {
      await shell(curlLines()[0] ?? '');
      const { code, stdout } = await run(['log', '--type', 'MessageSent', '--limit', '1'], settings);
      expect(code).toBe(0);
      expect(stdout).toMatch(/messages@0 {2}MessageSent {2}Owner <owner@example\.com>/);
      expect(stdout).toContain('content=(sealed)');
      expect(stdout).not.toContain('Hello');
    });

    it('is printed with its content if --words is given', async () => {
      const { stdout } = await run(['log', '--stream', 'messages', '--words'], settings);
      expect(stdout).toContain('Hello from curl');
    });

    it('is printed for scripts, as lines of JSON', async () => {
      const { stdout } = await run(['log', '--json', '--actor', 'OWNER@example.com'], settings);
      const entries = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(entries.length).toBeGreaterThan(0);
      for (const entry of entries) expect(entry).toMatchObject({ actor: { email: 'owner@example.com' } });
    });

    it('is not printed for an actor whose address is unknown', async () => {
      expect(await run(['log', '--actor', 'nobody@example.com'], settings)).toMatchObject({ code: 2, stdout: '' });
    });

    it('is refused for a message that there is not', async () => {
      const stderr = 'annals: there is no message 999999\n';
      expect(await run(['log', '--message', '999999'], settings)).toEqual({ code: 1, stdout: '', stderr });
    });

    it('ends without an error when its reader closes the pipe', async () => {
      const follower = print('--follow');
      let complaints = '';
      follower.stderr?.on('data', (chunk) => {
        complaints += chunk;
      });
      if (follower.stdout) await once(follower.stdout, 'data');
      follower.stdout?.destroy();
      const ended = once(follower, 'exit');
      await shell(curlLines()[0] ?? '');
      expect([await ended, complaints]).toEqual([[0, null], '']);
    });

    it('is printed whole to a slow reader', async () => {
      const owner = new Api(await server.owner());
      for (let n = 0; n < 54; n++)
        await owner.post('messages', { type: 'channel', to: 'general', topic: 'hello', content: 'x'.repeat(500) });
      // The output is a little more than a pipe holds. The rest waits in the process until somebody reads.
      // Each command is an event itself, so the output ends before the first of them.
      const until = new Date().toISOString();
      const words = `${process.execPath} ${ANNALS} log --words --until ${until} --data-dir ${data.path}`;
      const whole = (await shell(`${words} > ${data.path}/whole; wc -c < ${data.path}/whole`)).stdout;
      expect(Number(whole)).toBeGreaterThan(2 ** 16);
      expect(Number(whole)).toBeLessThan(2 ** 16 + 10_000);
      expect((await shell(`${words} | (sleep 3; wc -c)`)).stdout).toBe(whole);
    });

    it('is followed until SIGINT', async () => {
      const follower = print('--follow', '--type', 'MessageSent', '--words');
      const before = await run(['log', '--type', 'MessageSent', '--json'], settings);
      const sentBefore = before.stdout.split('\n').length - 1;
      let seen = '';
      const complete = new Promise<void>((resolve) => {
        follower.stdout?.on('data', (chunk) => {
          seen += chunk;
          if (seen.split('content=').length - 1 === sentBefore + 1) resolve();
        });
      });
      await shell(curlLines()[0] ?? '');
      await complete;
      follower.kill('SIGINT');
      expect(await once(follower, 'exit')).toEqual([0, null]);
    });
  });

  describe('its documents', () => {
    it('are rebuilt by the running server', async () => {
      const { code, stdout, stderr } = await run(['rebuild'], settings);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^The running server rebuilds/);
      expect(stdout).toMatch(/^Rebuilt all projections in \d+ s\.$/m);
      const [, read] = curlLines();
      expect((await shell(read ?? '')).stdout).toContain('Hello from curl');
    });

    it('are rebuilt for the named projections only', async () => {
      const { code, stdout } = await run(['rebuild', '--projection', 'messages', '--projection', 'sends'], settings);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^Rebuilt messages, sends in /m);
    });

    it('are left alone if the projection is unknown', async () => {
      const { code, stdout, stderr } = await run(['rebuild', '--projection', 'nothing'], settings);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/no projection nothing: there are .*messages/);
    });
  });

  it('that stops removes its server.json, keeps all data, and prints no secret at the next start', async () => {
    const first = server;
    const { key } = await first.owner();
    await shell(curlLines()[0] ?? '');
    expect(existsSync(join(data.path, 'server.json'))).toBe(true);
    await first.stop();
    expect(first.printed).toContain('Stopping');
    expect([existsSync(join(data.path, 'server.json')), existsSync(join(data.path, 'control.sock'))]).toEqual([
      false,
      false,
    ]);

    const { code, stdout } = await run(['rebuild'], settings);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^Rebuilt all projections in/m) });
    const copied = await annals(['copy', '--from', data.path, '--to', join(data.path, 'copy')]);
    expect(copied).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Copied \d+ events from /m), stderr: '' });

    server = await RunningServer.start(data.path);
    const second = server;
    expect(second.printed).not.toContain(key);
    expect(second.printed).not.toContain('password');
    const read = await fetch(`${second.url}/api/v1/messages?anchor=newest&num_before=1&num_after=0`, {
      headers: { authorization: `Basic ${btoa(`owner@example.com:${key}`)}` },
    });
    expect(await read.json()).toMatchObject({ messages: [{ content: '<p>Hello from curl</p>' }] });
  });

  it('starts on the data directory of one that was killed', async () => {
    await server.kill();
    expect(existsSync(join(data.path, 'server.json'))).toBe(true);
    server = await RunningServer.start(data.path);
    expect(await run(['rebuild', '--projection', 'sends'], settings)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The running server rebuilds/),
    });
  });
});
