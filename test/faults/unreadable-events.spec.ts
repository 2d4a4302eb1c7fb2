import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { SqliteConnection } from '../../src/platform/sqlite/driver.js';
import { embeddedEngines, type OwnEngines } from '../support/engines/own-engines.js';
import { Annals, type Member } from '../support/servers/annals.js';
import { annals as command, run } from '../support/servers/command-line.js';
import { RunningServer } from '../support/servers/running-server.js';

const QUIET = { ANNALS_LOG_LEVEL: 'fatal' };
const EVERYBODY = { narrow: [], anchor: 'newest', num_before: 100, num_after: 0 };

let engines: OwnEngines;
let running: { close(): Promise<void> } | null = null;
let owner: Member;
let messages: number[];

beforeEach(async () => {
  engines = await embeddedEngines();
  owner = await (await started()).owner();
  messages = [];
  for (const content of ['one', 'two', 'three']) messages.push(await send(content));
  await owner.api.patch(`/messages/${messages[2]}`, { content: 'three, edited' });
  await stop();
});
afterEach(async () => {
  await stop();
  await engines.remove();
});

async function started(settings = {}): Promise<Annals> {
  const annals = await Annals.on(engines, { ...QUIET, ...settings });
  running = annals;
  return annals;
}

async function stop(): Promise<void> {
  await running?.close();
  running = null;
}

const send = async (content: string): Promise<number> =>
  (await owner.api.post('/messages', { type: 'direct', to: [owner.id], content })).body.id;

/** Removes the documents of all projections. The tree of the log stays. */
async function removeDocuments(): Promise<void> {
  const folder = join(engines.dataDirectory, 'documents');
  for (const file of await readdir(folder))
    if (/\.v\d+\.g\d+/.test(file)) await rm(join(folder, file), { force: true });
}

/** Damages an event as a bad disk may. @returns its place */
function damage(type: string, change: string): string {
  const connection = new SqliteConnection(join(engines.dataDirectory, 'log.sqlite'));
  try {
    const [place] =
      connection
        .prepare(
          `UPDATE events SET ${change} WHERE position = (
             SELECT max(e.position) FROM events e JOIN kinds k ON k.id = e.kind WHERE k.type = ?)
           RETURNING (SELECT name FROM streams WHERE id = stream) || '@' || revision`,
        )
        .get(type) ?? [];
    return String(place);
  } finally {
    connection.close();
  }
}
const NO_JSON = "data = '{' || substr(data, 3)";

const contents = async (annals: Annals): Promise<readonly string[]> => {
  const { api } = await annals.owner();
  const { body } = await api.get('/messages', { ...EVERYBODY, apply_markdown: false });
  return body.messages.map(({ content }: { content: string }) => content);
};
const recorded = async (annals: Annals) =>
  (await annals.events('transparency'))
    .filter(({ type }) => type === 'EventSkipped')
    .map(({ data }) => data as { stream: string; revision: number });

it.each([
  ['data that are no JSON', NO_JSON, 'its data are no JSON'],
  ['data that are no object', "data = '5'", 'its data are not the JSON of an object'],
  ['metadata that are no JSON', "metadata = 'x'", 'its metadata are no JSON'],
])('an event with %s is named by the log, which goes on behind it', async (_, change, why) => {
  const place = damage('MessageSent', change);
  const { code, stdout, stderr } = await run(['log', '--data-dir', engines.dataDirectory]);
  expect([code, stderr]).toEqual([1, 'annals: an event cannot be read\n']);
  expect(stdout).toContain(place);
  expect(stdout).toContain(why);
  expect(stdout).toMatch(/MessageEdited/);
});

it('a start that needs an event which cannot be read is refused in one line, and passes it over on record', async () => {
  const place = damage('MessageSent', NO_JSON);
  await removeDocuments();
  const refused = await command(['start', '--data-dir', engines.dataDirectory, '--port', '0'], engines.environment);
  expect(refused.code).toBe(1);
  const lines = refused.stderr.split('\n').filter((line) => line.startsWith('annals: '));
  expect(lines).toEqual([
    expect.stringMatching(
      new RegExp(
        `^annals: MessageSent \\S+ \\(${place}, position \\d+\\) cannot be read: its data are no JSON\\. .* --skip ${place} `,
      ),
    ),
  ]);
  const annals = await started({ ANNALS_SKIP: place });
  // The edit of the message has its words; the others are as they were.
  expect((await contents(annals)).slice(0, 2)).toEqual(['one', 'two']);
  owner = await annals.owner();
  await send('four');
  expect(await contents(annals)).toEqual(expect.arrayContaining(['four']));
  expect((await recorded(annals)).map(({ stream, revision }) => `${stream}@${revision}`)).toEqual([place]);
  // It is on record: neither a start nor a rebuild needs to be told again.
  await stop();
  await removeDocuments();
  const again = await started();
  expect((await contents(again)).slice(0, 2)).toEqual(['one', 'two']);
});

it('an old event is found when the documents are built, and refuses the start, too', async () => {
  owner = await (await started()).owner();
  for (let n = 0; n < 12; n++) await Promise.all(Array.from({ length: 50 }, (_, at) => send(`${n} ${at}`)));
  await stop();
  const place = damage('MessageEdited', NO_JSON);
  await removeDocuments();
  const refused = await command(['start', '--data-dir', engines.dataDirectory, '--port', '0'], engines.environment);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(new RegExp(`^annals: .* --skip ${place} `, 'm')),
  });
  expect((await contents(await started({ ANNALS_SKIP: place }))).at(-1)).toBe('11 49');
});

it('an event that many things are decided by is passed over by all of them', async () => {
  const place = damage('UsersSubscribed', NO_JSON);
  await removeDocuments();
  await expect(started()).rejects.toThrow(`--skip ${place}`);
  const annals = await started({ ANNALS_SKIP: place });
  expect(await contents(annals)).toContain('one');
  const { api } = await annals.owner();
  expect((await api.get('/users/me/subscriptions')).body).toMatchObject({ result: 'success' });
});

it('a running server names it when it rebuilds, and passes it over when told', async () => {
  const server = await RunningServer.start(engines.dataDirectory, QUIET);
  running = { close: async () => void (await server.stop()) };
  const place = damage('MessageEdited', NO_JSON);
  const rebuild = (...more: string[]) => run(['rebuild', '--data-dir', engines.dataDirectory, ...more]);
  const failed = await rebuild();
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining(`--skip ${place} passes it over`) });
  expect(await rebuild('--skip', place)).toMatchObject({ code: 0, stderr: '' });
  expect(await rebuild()).toMatchObject({ code: 0, stderr: '' });
});

it('what can be read, and what is not there, is not passed over', async () => {
  await expect(started({ ANNALS_SKIP: 'messages@0' })).rejects.toThrow(/messages@0\) can be read/);
  await expect(started({ ANNALS_SKIP: 'messages@99' })).rejects.toThrow('there is no event messages@99');
});

it('a message with an event that is passed over can be edited', async () => {
  const place = damage('MessageEdited', NO_JSON);
  const annals = await started({ ANNALS_SKIP: place });
  const { api } = await annals.owner();
  expect((await api.patch(`/messages/${messages[2]}`, { content: 'anew' })).body).toMatchObject({ result: 'success' });
  expect((await contents(annals)).at(-1)).toBe('anew');
});
