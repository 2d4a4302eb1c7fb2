import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Collection } from '../../../src/platform/documents/document-store.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { SqliteConnection } from '../../../src/platform/sqlite/driver.js';
import { PublishedTree } from '../../../src/platform/transparency/published-tree.js';
import {
  TILES,
  type TileDocument,
  TREE_DATABASE,
  treeCollections,
} from '../../../src/platform/transparency/tree.documents.js';
import { copyClosed } from '../../support/engines/copy-closed.js';
import { embeddedEngines, type OwnEngines } from '../../support/engines/own-engines.js';
import { eventually } from '../../support/eventually.js';
import { client } from '../../support/requests/http.js';
import { Annals, rootToAccept } from '../../support/servers/annals.js';
import { RunningServer } from '../../support/servers/running-server.js';

const SITE = { ANNALS_SITE: 'https://chat.example.org' };
const NAME = /^chat\.example\.org\/transparency\/[0-9a-f]{16}\n/;

let engines: OwnEngines;
/** The server in this process. */
let annals: Annals | null = null;
/** The server in a process of its own, for what it prints. */
let child: RunningServer | null = null;

beforeEach(async () => {
  engines = await embeddedEngines();
});
afterEach(async () => {
  await stop();
  await child?.kill();
  await engines.remove();
});

async function start(settings = {}): Promise<Annals> {
  annals = await Annals.on(engines, { ...SITE, ...settings });
  return annals;
}

async function stop(): Promise<void> {
  const running = annals;
  annals = null;
  await running?.close();
}

async function startProcess(settings = {}): Promise<RunningServer> {
  child = await RunningServer.start(engines.dataDirectory, { ...SITE, ...settings });
  return child;
}

const inData = (...path: string[]): string => join(engines.dataDirectory, ...path);
const noted = (): Promise<string> => readFile(inData('checkpoints'), 'utf8');

async function send(server: Annals): Promise<void> {
  const { api } = await server.owner();
  expect(await api.post('/users/me/status', { status_text: `${Math.random()}` })).toMatchObject({ status: 200 });
}

const checkpointOf = async ({ url }: { readonly url: string }) => {
  const answer = await fetch(`${url}/transparency/checkpoint`);
  return { status: answer.status, text: await answer.text() };
};

const isNamedAnew = ({ url }: { readonly url: string }): Promise<void> =>
  eventually(async () => expect((await checkpointOf({ url })).text).toMatch(NAME));

const expectCheckpoints = (server: Annals | RunningServer, expected: object): Promise<void> =>
  eventually(async () => expect((await server.health()).checkpoints).toMatchObject(expected));

/** The root that is to be accepted, as the server has printed it. */
const rootIn = (printed: string): string => /--accept-restored-log (\S+)/.exec(printed)?.[1] ?? '';

/** Stops the server, and leaves its log as it was before an event that was signed. @returns the noted checkpoints */
async function restored(): Promise<string> {
  const [log, backup] = [inData('log.sqlite'), inData('backup')];
  await stop();
  await cp(log, backup);
  const later = await start();
  await send(later);
  await later.app.get(PublishedTree).reach(await later.head(), 60_000);
  await expectCheckpoints(later, { alarms: [] });
  await stop();
  await cp(backup, log);
  return noted();
}

it('a restored log that has lost signed events is refused until it is accepted, and then has another name', async () => {
  await start();
  const before = await restored();

  const refused = await startProcess().catch(String);
  expect(refused).toMatch(
    /annals: the log contradicts the checkpoint of \d+ events .* as chat\.example\.org\/transparency: /,
  );
  // Another checkpoint does not do.
  const other = { ANNALS_ACCEPT_RESTORED_LOG: Buffer.alloc(32).toString('base64') };
  await expect(start(other)).rejects.toThrow('the log contradicts');
  const root = rootIn(String(refused));

  const accepting = await startProcess({ ANNALS_ACCEPT_RESTORED_LOG: root });
  await isNamedAnew(accepting);
  expect(accepting.printed).toContain('this is accepted and recorded');
  await accepting.stop();
  // What was noted under the earlier name stays.
  expect((await noted()).startsWith(before)).toBe(true);

  const again = await start();
  await send(again);
  await isNamedAnew(again);
  await expectCheckpoints(again, { alarms: [] });
  const { api } = await again.owner();
  const { body } = await api.get('/audit/events', { kind: ['RestoredLogAccepted'] });
  expect(body.events).toMatchObject([
    { actor: null, data: { origin: 'chat.example.org/transparency', root, name: expect.any(String) } },
  ]);
});

it('a restored log without documents is not signed, and says so, until it is accepted', async () => {
  await start();
  const before = await restored();

  await rm(inData('documents'), { recursive: true });
  const unsigned = await startProcess();
  const reason = expect.stringMatching(
    /^the log contradicts a signed checkpoint of chat\.example\.org\/transparency: it has/,
  );
  await expectCheckpoints(unsigned, { size: null, alarms: [reason], witnesses: [] });
  expect(await checkpointOf(unsigned)).toMatchObject({
    status: 503,
    text: expect.stringContaining('CHECKPOINT_NOT_SIGNED'),
  });
  expect((await fetch(`${unsigned.url}/transparency/tile/0/000.p/1`)).status).toBe(404);
  expect(unsigned.printed).toContain('no checkpoint is signed: the log contradicts a signed checkpoint');
  const { site, email, key } = await unsigned.owner();
  const { body } = await client(site).as({ email, apiKey: key }).post('/users/me/status', { status_text: 'here' });
  expect(body.result).toBe('success');
  await unsigned.stop();
  expect(await noted()).toBe(before);

  const accepted = await start({ ANNALS_ACCEPT_RESTORED_LOG: rootIn(unsigned.printed) });
  await isNamedAnew(accepted);
  await expectCheckpoints(accepted, { alarms: [] });
});

it('a log whose newest events were changed is refused, and a damaged tree is built anew', async () => {
  const change = (from: string, to: string): void => {
    const log = new SqliteConnection(inData('log.sqlite'));
    log.exec(
      `UPDATE events SET metadata = replace(metadata, '${from}', '${to}') WHERE position = (SELECT max(position) FROM events)`,
    );
    log.close();
  };
  const first = await start();
  await send(first);
  await expectCheckpoints(first, { size: expect.any(Number) });
  await stop();

  change('"client":"', '"client":"another ');
  await expect(start()).rejects.toThrow(
    /^the log contradicts .*: changed: event \d+, [A-Z]\w+ .* is not the one of the tree\./,
  );
  change('"client":"another ', '"client":"');

  const tile = await changeTile(engines.dataDirectory);
  const again = await start();
  await eventually(async () => expect((await checkpointOf(again)).status).toBe(200));
  await stop();
  const found = await withTiles(engines.dataDirectory, (tiles) => tiles.findOne({ _id: tile._id }));
  expect(Buffer.from(found?.bytes ?? '', 'base64').indexOf(Buffer.from(tile.bytes, 'base64'))).toBe(0);
});

it('an accepted log ends event queues, even if the tree alone had seen the lost events', async () => {
  const [documents, backup] = [inData('documents'), inData('documents-backup')];
  const first = await start();
  const { queue_id } = (await (await first.owner()).api.post('/register', { event_types: ['message'] })).body;
  await expectCheckpoints(first, { size: expect.any(Number) });
  await stop();
  await copyClosed(documents, backup);
  await start();
  await restored();
  // All other documents are as old as the log, as if the server was killed before they had the lost events.
  for (const file of await readdir(backup))
    if (!file.includes(TREE_DATABASE)) await cp(join(backup, file), join(documents, file));

  const refused = await start().catch(String);
  const accepted = await start({ ANNALS_ACCEPT_RESTORED_LOG: rootToAccept(String(refused)) });
  const { api } = await accepted.owner();
  const { body } = await api.get('/events', { queue_id, last_event_id: -1, dont_block: true });
  expect(body.code).toBe('BAD_EVENT_QUEUE_ID');
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
