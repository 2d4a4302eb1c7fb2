import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { START } from '../../../src/platform/kernel/position.js';
import type { StoredEvent } from '../../../src/platform/log/event-store.js';
import { SqliteConnection } from '../../../src/platform/sqlite/driver.js';
import { newEvent } from '../../support/engines/event-store-events.js';
import { newSide, sealedEvent, withoutPositions } from '../../support/engines/sides.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import { Client } from '../../support/requests/http.js';
import { annals, spawnAnnals } from '../../support/servers/command-line.js';
import { RunningServer, temporaryDataDirectory } from '../../support/servers/running-server.js';

type Folder = Awaited<ReturnType<typeof temporaryDataDirectory>>;

const eventsOf = async (dataDirectory: string): Promise<readonly StoredEvent[]> => {
  const engines = await openEngines({ dataDirectory, readOnly: true });
  try {
    return (await engines.eventStore.readAll({ after: START, limit: 1_000_000 })).events;
  } finally {
    await engines.close();
  }
};

/** The count and the root that the copy printed for its source and its target. */
const roots = (stdout: string): string[] =>
  [...stdout.matchAll(/^(?:Source|Target): (.*)$/gm)].map(([, root]) => root ?? '');

describe('annals copy', () => {
  let folders: Folder[];
  let source: string;
  let target: string;

  beforeEach(async () => {
    folders = [await temporaryDataDirectory(), await temporaryDataDirectory()];
    [source, target] = folders.map(({ path }) => path) as [string, string];
  });

  afterEach(async () => {
    for (const folder of folders) await folder.remove();
  });

  const copy = (settings = {}) => annals(['copy', '--from', source, '--to', target], settings);

  it('explains its options under --help', async () => {
    const { code, stdout } = await annals(['copy', '--help']);
    expect(code).toBe(0);
    for (const word of ['Usage: annals copy', '--from', '--to', 'distributed', 'EVENTSTORE_URL', 'MONGODB_URL']) {
      expect(stdout).toContain(word);
    }
    expect(stdout).not.toContain('ANNALS_DATA_DIR');
  });

  it.each([
    [[], /required option '--from <place>'/],
    [['--from', 'a'], /required option '--to <place>'/],
    [['--from', 'a', '--to', ' '], /a place is the path of a data folder, or the word distributed/],
    [['--from', 'a', '--to', './b/../a'], /--from and --to both name .*\/a: a log is copied to another place/],
    [['--from', 'a', '--to', 'distributed'], /distributed is what EVENTSTORE_URL and MONGODB_URL name: set both/],
    [['--from', 'a', '--to', 'b', '--port', '1'], /unknown option '--port'/],
    [['--from', 'a', '--to', 'b', 'c'], /too many arguments/],
  ])('refuses the arguments %j with a message and exit code 2', async (words, said) => {
    const { code, stdout, stderr } = await annals(['copy', ...words]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(said);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('refuses distributed as both source and target', async () => {
    const both = { EVENTSTORE_URL: 'esdb://me:secret@localhost:1', MONGODB_URL: 'mongodb://me:secret@localhost:1' };
    const { code, stderr } = await annals(['copy', '--from', 'distributed', '--to', 'distributed'], both);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'annals: --from and --to both name distributed: a log is copied to another place\n',
    });
  });

  it('recognizes the source folder as the target behind a link', async () => {
    const link = join(target, 'link');
    await symlink(source, link);
    expect(await annals(['copy', '--from', source, '--to', link])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--from and --to both name'),
    });
  });

  it('makes no target folder if the source has no log', async () => {
    const nowhere = join(target, 'not', 'made');
    const { code, stdout, stderr } = await annals(['copy', '--from', source, '--to', nowhere]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^annals: .*There is no log at .*\n$/);
    expect([existsSync(nowhere), existsSync(join(source, 'log.sqlite'))]).toEqual([false, false]);
  });

  it('refuses a target that has documents of another log', async () => {
    const side = await newSide();
    await side.eventStore.append('users', [newEvent('UserCreated')], 'any');
    await side.close();
    const engines = await openEngines({ dataDirectory: target });
    const database = await engines.documentStore.database('messages.1');
    await database.transaction((transaction) => transaction.setCheckpoint(12));
    await engines.close();
    expect(await annals(['copy', '--from', side.directory, '--to', target])).toEqual({
      code: 1,
      stdout: '',
      stderr: `annals: ${target} holds no events, but documents of another log (messages.1): delete its folder documents\n`,
    });
    await side.remove();
  });

  describe('annals copy of a log', () => {
    const EVENTS = 3000;
    let copying: ChildProcess | undefined;

    beforeEach(async () => {
      const engines = await openEngines({ dataDirectory: source });
      const appends: Promise<unknown>[] = [];
      for (let index = 0; index < EVENTS; index += 2) {
        const sent = await sealedEvent(engines, 'MessageSent', `word ${index}`);
        appends.push(engines.eventStore.append('messages', [sent], 'any'));
        appends.push(engines.eventStore.append(`user-${index % 7}`, [newEvent('TopicMuted')], 'any'));
      }
      await Promise.all(appends);
      await engines.close();
    });

    afterEach(() => {
      copying?.kill('SIGKILL');
      copying = undefined;
    });

    it('goes on after it was killed, and makes the same log in the end', async () => {
      copying = spawnAnnals(['copy', '--from', source, '--to', target]);
      const ended = once(copying, 'exit');
      await once(copying.stdout as NodeJS.ReadableStream, 'data');
      copying.kill('SIGKILL');
      expect(await ended).toEqual([null, 'SIGKILL']);

      const original = withoutPositions(await eventsOf(source));
      const begun = withoutPositions(await eventsOf(target));
      expect(begun.length).toBeGreaterThan(0);
      expect(begun.length).toBeLessThan(EVENTS);
      expect(begun).toEqual(original.slice(0, begun.length));

      const { code, stdout, stderr } = await copy();
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(`; ${begun.length.toLocaleString('en-US')} were there.`);
      expect(withoutPositions(await eventsOf(target))).toEqual(original);
      const [from, to] = roots(stdout);
      expect(from).toMatch(/^3,000 events, root [A-Za-z0-9+/]{43}=$/);
      expect(to).toBe(from);

      const again = await copy();
      expect(again).toMatchObject({ code: 0, stderr: '' });
      expect(again.stdout).toContain(`Nothing was left to copy: ${target} has every event of ${source}.`);
      expect(roots(again.stdout)).toEqual([from, from]);
    });

    it('is refused if the target was tampered with', async () => {
      expect(await copy()).toMatchObject({ code: 0 });
      const file = new SqliteConnection(join(target, 'log.sqlite'));
      file.exec(`UPDATE events SET metadata = replace(metadata, '"actorId":7', '"actorId":8') WHERE position = 1234`);
      file.close();
      const [there] = (await eventsOf(target)).slice(1233);
      expect(await copy()).toEqual({
        code: 1,
        stdout: expect.any(String),
        stderr:
          `annals: the target is not the beginning of the source: event 1234, TopicMuted (${there?.stream}@` +
          `${there?.revision}), holds something else there; copy to an empty place\n`,
      });
    });
  });
});

describe('a copied server', () => {
  let folders: Folder[];
  let source: RunningServer;
  let copied: RunningServer | undefined;
  let queue: EventQueue;
  let report: string;

  const owner = async (): Promise<{ email: string; apiKey: string }> => {
    const { email, key } = await source.owner();
    return { email, apiKey: key };
  };

  beforeAll(async () => {
    folders = [await temporaryDataDirectory(), await temporaryDataDirectory()];
    const [from, to] = folders.map(({ path }) => path) as [string, string];
    source = await RunningServer.start(from);
    const api = new Client(source.url).as(await owner());
    for (const content of ['first words', 'second words']) {
      await api.post('/messages', { type: 'channel', to: 'general', topic: 'copies', content });
    }
    queue = await EventQueue.register(api);

    const refused = await annals(['copy', '--from', from, '--to', to]);
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: `annals: ${from} is in use: stop the server, or the copy, that runs on it, and copy again\n`,
    });
    expect(existsSync(join(to, 'log.sqlite'))).toBe(false);

    await source.stop();
    const outcome = await annals(['copy', '--from', from, '--to', to]);
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    report = outcome.stdout;
    await writeFile(join(to, 'owner.zuliprc'), await readFile(join(from, 'owner.zuliprc')), { mode: 0o600 });
    copied = await RunningServer.start(to);
  });

  afterAll(async () => {
    await source.kill();
    await copied?.kill();
    for (const folder of folders) await folder.remove();
  });

  const api = async () => new Client(copied?.url ?? '').as(await owner());

  it('serves the same messages, with their content', async () => {
    const { body } = await (await api()).get('/messages', { anchor: 'newest', num_before: 10, num_after: 0 });
    expect(body.messages.map(({ id, content }: { id: number; content: string }) => [id, content])).toEqual([
      [1, '<p>first words</p>'],
      [2, '<p>second words</p>'],
    ]);
  });

  it('has no event queue any more, and the copy reported so', async () => {
    expect(report).toContain('Ended 1 event queue: a queue is a position in the log');
    expect(report).toContain('Documents are not copied: the first start on the copy builds them from the log.');
    const answer = await (await api()).get('/events', { queue_id: queue.id, last_event_id: queue.lastEventId });
    expect([answer.status, answer.body.code]).toEqual([400, 'BAD_EVENT_QUEUE_ID']);
  });

  it('continues the message ids of the source', async () => {
    const sent = { type: 'channel', to: 'general', topic: 'copies', content: 'third words' };
    expect((await (await api()).post('/messages', sent)).body.id).toBe(3);
  });

  it('is refused as the target of another copy', async () => {
    await copied?.stop();
    const [from, to] = folders.map(({ path }) => path) as [string, string];
    const { code, stderr } = await annals(['copy', '--from', from, '--to', to]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^annals: the target has all \d+ events of the source, and has gone on since with MessageSent/,
    );
  });
});
