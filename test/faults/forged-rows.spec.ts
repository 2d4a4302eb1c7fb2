import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { SqliteConnection } from '../../src/platform/sqlite/driver.js';
import { PublishedTree } from '../../src/platform/transparency/published-tree.js';
import { embeddedEngines, type OwnEngines } from '../support/engines/own-engines.js';
import { Annals } from '../support/servers/annals.js';
import { run } from '../support/servers/command-line.js';
import { RunningServer } from '../support/servers/running-server.js';

let engines: OwnEngines;
let running: { close(): Promise<void> } | null = null;

beforeEach(async () => {
  engines = await embeddedEngines();
  const annals = await started();
  const owner = await annals.owner();
  for (const content of ['one', 'two', 'three'])
    await owner.api.post('/messages', { type: 'direct', to: [owner.id], content });
  await stop();
});
afterEach(async () => {
  await stop();
  await engines.remove();
});

async function started(): Promise<Annals> {
  const annals = await Annals.on(engines, { ANNALS_LOG_LEVEL: 'fatal' });
  running = annals;
  return annals;
}

async function stop(): Promise<void> {
  await running?.close();
  running = null;
}

function log<T>(work: (connection: SqliteConnection) => T): T {
  const connection = new SqliteConnection(join(engines.dataDirectory, 'log.sqlite'));
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}

const change = (sql: string): void => log((connection) => connection.exec(sql));
const verify = () => run(['verify', '--data-dir', engines.dataDirectory], engines.environment);

/** Appends a copy of the newest message as a forger may: with another id, so many revisions later. */
const forge = (id: string, later = 1): void =>
  change(`
    INSERT INTO events
    SELECT (SELECT max(position) FROM events) + 1, stream, revision + ${later}, '${id}', kind, version, data, metadata
    FROM events WHERE position = (
      SELECT max(e.position) FROM events e JOIN kinds k ON k.id = e.kind WHERE k.type = 'MessageSent'
    )`);
const ID = '01890000-0000-7000-8000-00000000000';

it('a log that was stopped in order has no event behind its tree', async () => {
  expect(await verify()).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^The log is right: /m) });
});

it('rows at the end of a stopped log are named, until a server takes them into the tree and says so', async () => {
  // The content of a copy is sealed for another id, so no key opens it: a reading event has none.
  const copied = `
    INSERT INTO events
    SELECT (SELECT max(position) FROM events) + 1, e.stream, (SELECT max(revision) FROM events WHERE stream = e.stream) + 1,
      'ID', e.kind, e.version, e.data, e.metadata
    FROM events e JOIN kinds k ON k.id = e.kind WHERE k.type = 'ChannelCreated' ORDER BY e.position LIMIT 1`;
  change(copied.replace('ID', `${ID}1`));
  const [position] = log((connection) => connection.prepare('SELECT max(position) FROM events').get()) ?? [];
  expect(await verify()).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^The log is right as far as its tree goes: /m),
    stderr: expect.stringMatching(
      new RegExp(
        `^annals: 1 event is behind the tree, .*: ChannelCreated ${ID}1 \\(.+@\\d+\\) at position ${position}\\. .*\\n$`,
      ),
    ),
  });
  change(copied.replace('ID', `${ID}2`));
  expect((await verify()).stderr).toMatch(
    new RegExp(`^annals: 2 events are behind the tree, .*: ChannelCreated ${ID}1 .* to ChannelCreated ${ID}2 `),
  );
  // A command takes only its own event into the tree, and not if others are to be looked at.
  await run(['log', '--limit', '1'], engines.environment);
  expect((await verify()).stderr).toMatch(
    new RegExp(`^annals: 3 events are behind the tree, .*: ChannelCreated ${ID}1 .* to OperatorActed `),
  );
});

it('a start says once how many events were behind the tree, and takes them in', async () => {
  change(`
    INSERT INTO events
    SELECT (SELECT max(position) FROM events) + 1, e.stream, (SELECT max(revision) FROM events WHERE stream = e.stream) + 1,
      '${ID}1', e.kind, e.version, e.data, e.metadata
    FROM events e JOIN kinds k ON k.id = e.kind WHERE k.type = 'UserStatusChanged' OR k.type = 'OrganizationCreated'
    ORDER BY e.position DESC LIMIT 1`);
  const server = await RunningServer.start(engines.dataDirectory, { ...engines.environment, ANNALS_LOG_LEVEL: 'info' });
  running = { close: () => server.stop() };
  expect(
    server.printed.match(/events behind the signed tree[^\n]*: 1 \(\w+ [0-9a-f-]{36} \(\S+@\d+\) at position \d+\)/g),
  ).toHaveLength(1);
  expect(await verify()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^The log is right: /m) });
});

it.each([
  ['does not follow', () => forge(`${ID}1`, 2), /does not follow revision \d+ of its stream$/],
  [
    'is sealed with a key that does not open it',
    () => forge(`${ID}1`),
    /^annals: the key \S+ does not open MessageSent/,
  ],
])('a row behind the tree that %s is found', async (_, tamper, fault) => {
  tamper();
  expect(await verify()).toMatchObject({ code: 1, stderr: expect.stringMatching(new RegExp(fault, 'm')) });
});

it.each([
  [
    'the category of a kind',
    `UPDATE kinds SET category = 'hidden-' WHERE type = 'MessageSent'`,
    /is missed by readings by stream or type: its kind is of streams hidden-$/,
  ],
  [
    'the type of a kind',
    `UPDATE kinds SET type = 'UserDeactivated' WHERE type = 'MessageSent'`,
    /^annals: changed: event \d+, UserDeactivated/,
  ],
  [
    'the kind of an event',
    `UPDATE events SET kind = (SELECT id FROM kinds WHERE type = 'ChannelCreated') WHERE kind = (SELECT id FROM kinds WHERE type = 'MessageSent')`,
    /^annals: changed: event \d+, ChannelCreated/,
  ],
])('a changed log that hides events by %s is found, and is not started', async (_, sql, fault) => {
  change(sql);
  expect(await verify()).toMatchObject({ code: 1, stderr: expect.stringMatching(new RegExp(fault, 'm')) });
  await expect(started()).rejects.toThrow(/is damaged: the (event at position|kind) \d+|contradicts the checkpoint/);
});

it('a type that was renamed for events of long ago alone is found at the start', async () => {
  const annals = await started();
  const owner = await annals.owner();
  for (let n = 0; n < 520; n++) await owner.api.post('/users/me/status', { status_text: `status ${n}` });
  await annals.app.get(PublishedTree).reach(await annals.head(), 60_000);
  await stop();
  change(`UPDATE kinds SET type = 'MessageHidden' WHERE type = 'MessageSent'`);
  await expect(started()).rejects.toThrow(/contradicts the checkpoint of .*: changed: event \d+, MessageHidden/);
});
