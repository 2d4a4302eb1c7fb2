import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { START } from '../../../src/platform/kernel/position.js';
import { SqliteEventStore } from '../../../src/platform/log/sqlite/sqlite-event-store.js';
import { SqliteConnection } from '../../../src/platform/sqlite/driver.js';
import { SIGNING_KEY } from '../../../src/platform/transparency/open-signer.js';
import { PublishedTree } from '../../../src/platform/transparency/published-tree.js';
import { NoteSigner } from '../../../src/platform/transparency/signed-note.js';
import { TREE_DATABASE, treeCollections } from '../../../src/platform/transparency/tree.documents.js';
import { embeddedEngines, type OwnEngines } from '../../support/engines/own-engines.js';
import { treeOf } from '../../support/events/verified-history.js';
import { Annals, rootToAccept } from '../../support/servers/annals.js';
import { run } from '../../support/servers/command-line.js';

const SITE = 'https://chat.example.org';
const OTHER_SITE = 'https://other.example.org';

let engines: OwnEngines;
let annals: Annals | null = null;

beforeEach(async () => {
  engines = await embeddedEngines();
  const server = await start(SITE);
  const { api } = await server.owner();
  expect(await api.post('/users/me/status', { status_text: 'here' })).toMatchObject({ status: 200 });
  await server.app.get(PublishedTree).reach(await server.head(), 60_000);
  await stop();
});
afterEach(async () => {
  await stop();
  await engines.remove();
});

async function start(site: string, settings = {}): Promise<Annals> {
  annals = await Annals.on(engines, { ANNALS_SITE: site, ...settings });
  return annals;
}

async function stop(): Promise<void> {
  const running = annals;
  annals = null;
  await running?.close();
}

function change(file: string, sql: string): void {
  const database = new SqliteConnection(join(engines.dataDirectory, file));
  database.exec(sql);
  database.close();
}

/** Changes the first event, and makes the tree of the changed log. @param signer signs its head; null: nobody does */
async function forge(signer: NoteSigner | null): Promise<void> {
  change(
    'log.sqlite',
    `UPDATE events SET metadata = replace(metadata, '"client":"', '"client":"another ') WHERE position = (SELECT min(position) FROM events)`,
  );
  const log = await SqliteEventStore.open(engines.dataDirectory);
  const { events } = await log.readAll({ after: START, limit: 1000 });
  await log.close();
  const { tree } = await treeOf(events, [], signer ?? undefined);
  const documents = await SqliteDocumentStore.open(engines.dataDirectory);
  const database = await documents.database(TREE_DATABASE);
  await database.ensure(treeCollections);
  await database.write({
    writes: Object.entries(tree).map(([collection, made]) => ({
      collection,
      operations: made.map((document) => ({
        replaceOne: {
          filter: { _id: document._id },
          replacement: signer || document._id !== 'head' ? document : { ...document, note: null, verifier: null },
          upsert: true,
        },
      })),
    })),
  });
  await documents.close();
}

const forgerOf = (site: string) => new NoteSigner(`${site.slice('https://'.length)}/transparency`, Buffer.alloc(32, 9));
const isRefused =
  /^StartRefused: the log contradicts the checkpoint of \d+ events that it has signed as chat\.example\.org\/transparency: its first \d+ events have the root/;

it.each([
  ['whose signing key is a new one', SITE, SITE],
  ['that has another name', OTHER_SITE, OTHER_SITE],
  ['whose head nobody has signed', null, SITE],
])('a log that was changed with its tree, %s, is refused, and is not right', async (_, forgedBy, site) => {
  await forge(forgedBy === null ? null : forgerOf(forgedBy));
  if (forgedBy === SITE) change('keys.sqlite', `DELETE FROM keys WHERE id = '${SIGNING_KEY}'`);

  const refused = await start(site).catch(String);
  expect(String(refused)).toMatch(isRefused);
  const verified = await run(['verify', '--data-dir', engines.dataDirectory], engines.environment);
  expect(verified).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/the log contradicts the checkpoint of|the head of the tree has no verifier key/),
  });

  const accepted = await start(site, { ANNALS_ACCEPT_RESTORED_LOG: rootToAccept(String(refused)) });
  await accepted.app.get(PublishedTree).reach(await accepted.head(), 60_000);
  await stop();
  const again = await run(['verify', '--data-dir', engines.dataDirectory], engines.environment);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/of which the log gave up [1-9]/) });
});
