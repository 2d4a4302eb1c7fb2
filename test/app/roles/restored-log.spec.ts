import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { HealthReport } from '../../../src/app/health/health.js';
import type { Collection } from '../../../src/platform/documents/document-store.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { SqliteConnection } from '../../../src/platform/sqlite/driver.js';
import {
  TILES,
  type TileDocument,
  TREE_DATABASE,
  treeCollections,
} from '../../../src/platform/transparency/tree.documents.js';
import { eventually } from '../../support/eventually.js';
import { Api } from '../../support/requests/api.js';
import { RunningServer, temporaryDataDirectory } from '../../support/servers/running-server.js';

const send = async (server: RunningServer): Promise<void> => {
  const api = new Api(await server.owner());
  expect(await api.post('users/me/status', { status_text: `${Math.random()}` })).toMatchObject({ result: 'success' });
};

const checkpointOf = async (server: RunningServer) => {
  const answer = await fetch(`${server.url}/transparency/checkpoint`);
  return { status: answer.status, text: await answer.text() };
};

const checkpoints = async (server: RunningServer) =>
  ((await (await fetch(`${server.url}/health/ready`)).json()) as HealthReport).checkpoints;

/** The root that is to be accepted, as the server has printed it. */
const rootIn = (printed: string): string => /--accept-restored-log (\S+)/.exec(printed)?.[1] ?? '';

const site = { ANNALS_SITE: 'https://chat.example.org' };

/** Stops the server, and leaves its log as it was before an event that was signed. @returns the noted checkpoints */
async function restored(server: RunningServer): Promise<string> {
  const folder = server.dataDirectory;
  const [log, backup] = [join(folder, 'log.sqlite'), join(folder, 'backup')];
  await server.stop();
  await cp(log, backup);
  const later = await RunningServer.start(folder, site);
  try {
    await send(later);
    await eventually(async () => expect(await checkpoints(later)).toMatchObject({ alarms: [] }));
    await later.stop();
  } finally {
    await later.kill();
  }
  await cp(backup, log);
  return readFile(join(folder, 'checkpoints'), 'utf8');
}

it('a restored log that has lost signed events is refused until it is accepted, and then has another name', async () => {
  const data = await temporaryDataDirectory();
  let server = await RunningServer.start(data.path, site);
  try {
    const noted = await restored(server);

    const refused = await RunningServer.start(data.path, site).catch(String);
    expect(refused).toMatch(
      /annals: the log contradicts the checkpoint of \d+ events .* as chat\.example\.org\/transparency: /,
    );
    // Another checkpoint does not do.
    const other = { ANNALS_ACCEPT_RESTORED_LOG: Buffer.alloc(32).toString('base64') };
    expect(await RunningServer.start(data.path, { ...site, ...other }).catch(String)).toContain(
      'annals: the log contradicts',
    );
    const root = rootIn(String(refused));
    const accepting = { ...site, ANNALS_ACCEPT_RESTORED_LOG: root };

    server = await RunningServer.start(data.path, accepting);
    const name = /^chat\.example\.org\/transparency\/[0-9a-f]{16}\n/;
    await eventually(async () => expect((await checkpointOf(server)).text).toMatch(name));
    expect(server.printed).toContain('this is accepted and recorded');
    await send(server);
    await server.stop();
    // What was noted under the earlier name stays.
    expect((await readFile(join(data.path, 'checkpoints'), 'utf8')).startsWith(noted)).toBe(true);

    server = await RunningServer.start(data.path, site);
    await eventually(async () => expect((await checkpointOf(server)).text).toMatch(name));
    await eventually(async () => expect(await checkpoints(server)).toMatchObject({ alarms: [] }));
    const api = new Api(await server.owner());
    const audited = await api.get('audit/events', { kind: JSON.stringify(['RestoredLogAccepted']) });
    expect(audited.events).toMatchObject([
      { actor: null, data: { origin: 'chat.example.org/transparency', root, name: expect.any(String) } },
    ]);
  } finally {
    await server.kill();
    await data.remove();
  }
});

it('a restored log without documents is not signed, and says so, until it is accepted', async () => {
  const data = await temporaryDataDirectory();
  let server = await RunningServer.start(data.path, site);
  try {
    const noted = await restored(server);

    await rm(join(data.path, 'documents'), { recursive: true });
    server = await RunningServer.start(data.path, site);
    const reason = expect.stringMatching(
      /^the log contradicts a signed checkpoint of chat\.example\.org\/transparency: it has/,
    );
    await eventually(async () =>
      expect(await checkpoints(server)).toEqual({ size: null, alarms: [reason], witnesses: [] }),
    );
    expect(await checkpointOf(server)).toMatchObject({
      status: 503,
      text: expect.stringContaining('CHECKPOINT_NOT_SIGNED'),
    });
    expect((await fetch(`${server.url}/transparency/tile/0/000.p/1`)).status).toBe(404);
    expect(server.printed).toContain('no checkpoint is signed: the log contradicts a signed checkpoint');
    const root = rootIn(server.printed);
    await send(server);
    await server.stop();
    expect(await readFile(join(data.path, 'checkpoints'), 'utf8')).toBe(noted);

    server = await RunningServer.start(data.path, { ...site, ANNALS_ACCEPT_RESTORED_LOG: root });
    await eventually(async () =>
      expect((await checkpointOf(server)).text).toMatch(/^chat\.example\.org\/transparency\/[0-9a-f]{16}\n/),
    );
    await eventually(async () => expect(await checkpoints(server)).toMatchObject({ alarms: [] }));
  } finally {
    await server.kill();
    await data.remove();
  }
});

it('a log whose newest events were changed is refused, and a damaged tree is built anew', async () => {
  const data = await temporaryDataDirectory();
  const change = async (from: string, to: string): Promise<void> => {
    const log = new SqliteConnection(join(data.path, 'log.sqlite'));
    log.exec(
      `UPDATE events SET metadata = replace(metadata, '${from}', '${to}') WHERE position = (SELECT max(position) FROM events)`,
    );
    log.close();
  };
  let server = await RunningServer.start(data.path, site);
  try {
    await send(server);
    await eventually(async () => expect(await checkpoints(server)).toMatchObject({ size: expect.any(Number) }));
    await server.stop();

    await change('"client":"', '"client":"another ');
    const refused = await RunningServer.start(data.path, site).catch(String);
    expect(refused).toMatch(
      /annals: the log contradicts .*: changed: event \d+, [A-Z]\w+ .* is not the one of the tree\./,
    );
    await change('"client":"another ', '"client":"');

    const tile = await changeTile(data.path);
    server = await RunningServer.start(data.path, site);
    await eventually(async () => expect((await checkpointOf(server)).status).toBe(200));
    await server.stop();
    const again = await withTiles(data.path, (tiles) => tiles.findOne({ _id: tile._id }));
    expect(Buffer.from(again?.bytes ?? '', 'base64').indexOf(Buffer.from(tile.bytes, 'base64'))).toBe(0);
  } finally {
    await server.kill();
    await data.remove();
  }
});

it('an accepted log ends event queues, even if the tree alone had seen the lost events', async () => {
  const data = await temporaryDataDirectory();
  const [documents, backup] = [join(data.path, 'documents'), join(data.path, 'documents-backup')];
  let server = await RunningServer.start(data.path, site);
  try {
    const api = new Api(await server.owner());
    const { queue_id } = await api.post('register', { event_types: ['message'] });
    await eventually(async () => expect(await checkpoints(server)).toMatchObject({ size: expect.any(Number) }));
    await server.stop();
    await cp(documents, backup, { recursive: true });
    server = await RunningServer.start(data.path, site);
    await restored(server);
    // All other documents are as old as the log, as if the server was killed before they had the lost events.
    for (const file of await readdir(backup))
      if (!file.includes(TREE_DATABASE)) await cp(join(backup, file), join(documents, file));

    const refused = await RunningServer.start(data.path, site).catch(String);
    const root = rootIn(String(refused));
    server = await RunningServer.start(data.path, { ...site, ANNALS_ACCEPT_RESTORED_LOG: root });
    const again = new Api({ ...(await server.owner()), site: server.url });
    expect(await again.get('events', { queue_id, last_event_id: -1, dont_block: true })).toMatchObject({
      code: 'BAD_EVENT_QUEUE_ID',
    });
  } finally {
    await server.kill();
    await data.remove();
  }
});

/** Changes a leaf in the tree. @returns the tile as it was */
const changeTile = (folder: string): Promise<TileDocument> =>
  withTiles(folder, async (tiles) => {
    const tile = await tiles.findOne({ _id: 'tile/entries/000' });
    if (!tile) throw new Error('there are no leaves');
    const bytes = Buffer.from(tile.bytes, 'base64').fill(7, 40, 44).toString('base64');
    expect(bytes).not.toBe(tile.bytes);
    await tiles.replaceOne({ _id: tile._id }, { _id: tile._id, bytes });
    return tile;
  });

async function withTiles<T>(folder: string, work: (tiles: Collection<TileDocument>) => Promise<T>): Promise<T> {
  const store = await SqliteDocumentStore.open(folder);
  try {
    const database = await store.database(TREE_DATABASE);
    await database.ensure(treeCollections);
    return await work(database.collection<TileDocument>(TILES));
  } finally {
    await store.close();
  }
}
