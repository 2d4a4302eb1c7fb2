import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../src/app/roles/read-side.js';
import { MESSAGES_STREAM } from '../../src/events/messages/messages.events.js';
import {
  DOCUMENT_STORE,
  type DocumentStore,
  type StoredDocument,
} from '../../src/platform/documents/document-store.js';
import { EventStoreDbEventStore } from '../../src/platform/log/eventstoredb/eventstoredb-event-store.js';
import { SqliteConnection } from '../../src/platform/sqlite/driver.js';
import { PublishedTree } from '../../src/platform/transparency/published-tree.js';
import type { HeadDocument } from '../../src/platform/transparency/tree.documents.js';
import { copyClosed } from '../support/engines/copy-closed.js';
import { newEvent } from '../support/engines/event-store-events.js';
import { describeMongodb } from '../support/engines/mongodb.js';
import { isShared } from '../support/engines/own-engines.js';
import { eventually } from '../support/eventually.js';
import { QueueReader } from '../support/requests/queue-reader.js';
import { Annals, type Member } from '../support/servers/annals.js';
import { Fleet } from '../support/servers/fleet.js';

const LOG = 'log.sqlite';
const MARK = 'log-mark.sqlite';

/** Copies one database to another folder. Both are closed. */
async function copyFile(name: string, from: string, to: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) await rm(join(to, name + suffix), { force: true });
  await cp(join(from, name), join(to, name));
}

const say = async ({ api }: Member, content: string): Promise<number> => {
  const { status, body } = await api.post('/messages', { type: 'channel', to: 'general', topic: 'restored', content });
  expect(status).toBe(200);
  return body.id;
};

const contentsOf = async ({ api }: Member): Promise<string[]> => {
  const { body } = await api.get('/messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    apply_markdown: false,
  });
  return body.messages.map(({ content }: { readonly content: string }) => content);
};

(isShared() ? describe.skip : describe)('a log restored from a backup', () => {
  it('has its documents rebuilt, and clients of the later log register again', async () => {
    const annals = await Annals.start();
    const backup = `${annals.dataDirectory}-backup`;
    try {
      const owner = await annals.owner();
      const queue = (await owner.api.post('/register', { event_types: ['message'] })).body;
      await say(owner, 'kept');
      await annals.restart(() => copyClosed(annals.dataDirectory, backup));
      await say(owner, 'lost');
      const seen = (await owner.api.get('/events', { queue_id: queue.queue_id, last_event_id: -1 })).body.events;
      expect(seen).toHaveLength(2);
      await eventually(async () => expect(await noted(annals)).toBe(await newestMessage(annals)));

      await annals.restore(() => copyFile(LOG, backup, annals.dataDirectory));
      expect(await contentsOf(owner)).toEqual(['kept']);
      const last_event_id = seen[1].id;
      const polled = await owner.api.get('/events', { queue_id: queue.queue_id, last_event_id });
      expect(polled.body.code).toBe('BAD_EVENT_QUEUE_ID');
      await say(owner, 'other');
      expect(await contentsOf(owner)).toEqual(['kept', 'other']);
    } finally {
      await annals.stop();
      await rm(backup, { recursive: true, force: true });
    }
  });

  it('is detected even after it has grown past the documents, and the same log is not taken for another', async () => {
    const annals = await Annals.start();
    const [backup, documents] = [`${annals.dataDirectory}-backup`, `${annals.dataDirectory}-documents`];
    try {
      const owner = await annals.owner();
      const queue = (await owner.api.post('/register', { event_types: ['message'] })).body;
      await annals.restart(() => copyClosed(annals.dataDirectory, backup));
      const alive = { queue_id: queue.queue_id, last_event_id: -1, dont_block: true };
      expect((await owner.api.get('/events', alive)).status).toBe(200);
      await say(owner, 'one way');
      await eventually(async () => expect(await noted(annals)).toBe(await newestMessage(annals)));
      await annals.restart(async () => {
        await copyClosed(join(annals.dataDirectory, 'documents'), documents);
        await copyFile(LOG, backup, annals.dataDirectory);
        await annals.removeDocuments();
      });
      for (const content of ['another', 'and', 'on']) await say(owner, content);
      await annals.restore(async () => {
        await annals.removeDocuments();
        await cp(documents, join(annals.dataDirectory, 'documents'), { recursive: true });
      });
      expect(await contentsOf(owner)).toEqual(['another', 'and', 'on']);
      expect((await owner.api.get('/events', alive)).body.code).toBe('BAD_EVENT_QUEUE_ID');
    } finally {
      await annals.stop();
      for (const folder of [backup, documents]) await rm(folder, { recursive: true, force: true });
    }
  });

  it('is detected even if the documents are newer than the last record of the newest event', async () => {
    const annals = await Annals.start();
    const [backup, documents] = [`${annals.dataDirectory}-backup`, `${annals.dataDirectory}-documents`];
    try {
      const owner = await annals.owner();
      await annals.restart(() => copyClosed(annals.dataDirectory, backup));
      await say(owner, 'one way');
      await annals.restart(async () => {
        await copyClosed(join(annals.dataDirectory, 'documents'), documents);
        // The record of the newest event is as old as the backup, as after a kill.
        await copyFile(MARK, join(backup, 'documents'), documents);
        await copyFile(LOG, backup, annals.dataDirectory);
        await annals.removeDocuments();
      });
      for (const content of ['another', 'and', 'on']) await say(owner, content);
      await annals.restore(async () => {
        await annals.removeDocuments();
        await cp(documents, join(annals.dataDirectory, 'documents'), { recursive: true });
      });
      expect(await contentsOf(owner)).toEqual(['another', 'and', 'on']);
    } finally {
      await annals.stop();
      for (const folder of [backup, documents]) await rm(folder, { recursive: true, force: true });
    }
  });

  it('is detected by documents of an older version that are ahead of it', async () => {
    const annals = await Annals.start();
    const [backup, documents] = [`${annals.dataDirectory}-backup`, join(annals.dataDirectory, 'documents')];
    try {
      const owner = await annals.owner();
      const queue = (await owner.api.post('/register', { event_types: ['message'] })).body;
      await annals.restart(() => copyClosed(annals.dataDirectory, backup));
      await say(owner, 'lost');
      await annals.restore(async () => {
        await copyFile(MARK, join(backup, 'documents'), documents);
        await forgetEvents(documents);
        await copyFile(LOG, backup, annals.dataDirectory);
      });
      expect(await contentsOf(owner)).toEqual([]);
      const polled = await owner.api.get('/events', { queue_id: queue.queue_id, last_event_id: -1 });
      expect(polled.body.code).toBe('BAD_EVENT_QUEUE_ID');
    } finally {
      await annals.stop();
      await rm(backup, { recursive: true, force: true });
    }
  });

  it('is not assumed if documents of an older version name no event, and they stay', async () => {
    const annals = await Annals.start();
    const documents = join(annals.dataDirectory, 'documents');
    try {
      const owner = await annals.owner();
      const queue = (await owner.api.post('/register', { event_types: ['message'] })).body;
      await say(owner, 'kept');
      const before = databasesOf(annals);
      await annals.restart(() => forgetEvents(documents));
      expect(databasesOf(annals)).toEqual(before);
      const polled = await owner.api.get('/events', { queue_id: queue.queue_id, last_event_id: -1 });
      expect(polled.body.events).toHaveLength(1);
    } finally {
      await annals.stop();
    }
  });
});

describeMongodb('a log restored from a backup under running processes', () => {
  it('is detected even if they were killed before they recorded the newest event, and it has grown since', async () => {
    const fleet = await Fleet.start({ apis: 1, workers: 1 });
    const backup = await mkdtemp(join(tmpdir(), 'annals-backup-'));
    try {
      const owner = await fleet.owner();
      const queue = await owner.post('register', { event_types: ['message'] });
      await sent(owner, 'kept');
      await fleet.log.restart((folder) => cp(folder, backup, { recursive: true }));
      const mark = await fleet.withDocuments(markIn);
      if (!mark) throw new Error('nothing was noted');
      await sent(owner, 'lost');
      await signedUpTo(fleet, await newestMessageIn(fleet));
      await Promise.all([...fleet.apis, ...fleet.workers].map((process) => process.kill()));
      const applied = await fleet.withDocuments(furthest);
      await fleet.withDocuments((store) => noteAgain(store, mark));
      await putBack(fleet, backup);
      await growPast(fleet, applied);

      await startedAgain(fleet, queue.queue_id, ['kept']);
    } finally {
      await fleet.stop();
      await rm(backup, { recursive: true, force: true });
    }
  });

  it('ends each of them with one line, and has its documents rebuilt when they are started again', async () => {
    const fleet = await Fleet.start({ apis: 2, workers: 1 });
    const backup = await mkdtemp(join(tmpdir(), 'annals-backup-'));
    try {
      const owner = await fleet.owner();
      const queue = await QueueReader.register(owner);
      await sent(owner, 'kept');
      await fleet.log.restart((folder) => cp(folder, backup, { recursive: true }));
      await sent(owner, 'lost');
      const before = await fleet.withDocuments(notedIn);
      await sent(owner, 'lost too');
      await eventually(async () => expect(await fleet.withDocuments(notedIn)).toBeGreaterThan(before));
      await signedUpTo(fleet, await newestMessageIn(fleet));
      await eventually(async () => {
        await queue.poll(owner);
        expect(queue.contents).toEqual(['kept', 'lost', 'lost too']);
      });

      const processes = [...fleet.apis, ...fleet.workers];
      await putBack(fleet, backup);
      for (const ended of processes) {
        await eventually(() =>
          expect(ended.printed).toMatch(/^annals: the log is not the one .*; this process ends: .*$/m),
        );
        await ended.ended();
        expect(ended.printed.match(/^annals: the log is not/gm)).toHaveLength(1);
      }

      await startedAgain(fleet, queue.id, ['kept']);
      await fleet.replaceApi(1);
      for (const at of [0, 1]) {
        const client = await fleet.owner(at);
        await sent(client, 'new');
        // It waits for no event: nothing that the queue can have is behind that position.
        const polled = await client.get('events', { queue_id: queue.id, last_event_id: queue.lastEventId });
        expect(polled.code).toBe('BAD_EVENT_QUEUE_ID');
      }
    } finally {
      await fleet.stop();
      await rm(backup, { recursive: true, force: true });
    }
  });
});

type Client = Awaited<ReturnType<Fleet['owner']>>;

const sent = (owner: Client, content: string): Promise<void> =>
  eventually(async () => {
    const answer = await owner.post('messages', { type: 'channel', to: 'general', topic: 'restored', content });
    expect(answer).toMatchObject({ result: 'success' });
  });

const putBack = (fleet: Fleet, backup: string): Promise<void> =>
  fleet.log.restart(async (folder) => {
    await rm(folder, { recursive: true });
    await cp(backup, folder, { recursive: true });
  });

/** Expects new processes to answer from the restored log, and a queue of the later log to be gone. */
async function startedAgain(fleet: Fleet, queueId: unknown, contents: readonly string[]): Promise<void> {
  const root = await fleet.withDocuments(signedRoot);
  await expect(fleet.addWorker()).rejects.toThrow(`--accept-restored-log ${root}`);
  await fleet.replaceApi(0, { ANNALS_ACCEPT_RESTORED_LOG: root });
  await fleet.addWorker();
  const again = await fleet.owner();
  const narrow = { anchor: 'newest', num_before: 9, num_after: 0, apply_markdown: false };
  await eventually(async () => {
    const { messages } = await again.get('messages', narrow);
    expect((messages as readonly { content: string }[])?.map(({ content }) => content)).toEqual(contents);
  });
  // The documents of queues are built beside those of messages.
  await eventually(async () => {
    const polled = await again.get('events', { queue_id: queueId, last_event_id: -1, dont_block: true });
    expect(polled.code).toBe('BAD_EVENT_QUEUE_ID');
  });
}

/** Waits until a checkpoint is signed that covers the position. The tree may start after the first answers. */
const signedUpTo = (fleet: Fleet, position: number): Promise<void> =>
  eventually(async () => expect((await fleet.withDocuments(signedHead)).position).toBeGreaterThanOrEqual(position));

const signedRoot = async (store: DocumentStore): Promise<string> => (await signedHead(store)).root;

async function signedHead(store: DocumentStore): Promise<HeadDocument> {
  const tree = await PublishedTree.open(store);
  const head = await tree.head().finally(() => tree.onApplicationShutdown());
  if (!head?.note) throw new Error(`nothing was signed: ${JSON.stringify(head)}`);
  return head;
}

/** Makes documents as older versions left them, without the events of checkpoints. */
async function forgetEvents(documents: string): Promise<void> {
  for (const file of await readdir(documents)) {
    if (!file.endsWith('.sqlite')) continue;
    const connection = new SqliteConnection(join(documents, file));
    connection.exec('DROP TABLE checkpointEvent');
    connection.close();
  }
}

const databasesOf = (annals: Annals) =>
  annals.app
    .get<ReadSide>(READ_SIDE)
    .status()
    .map(({ name, database }) => ({ name, database }));

/** Restores the record of the newest event, as if the process was killed before it recorded a later one. */
async function noteAgain(store: DocumentStore, mark: StoredDocument): Promise<void> {
  const database = await store.database('log-mark');
  await database.collection('mark').replaceOne({ _id: mark._id }, mark);
  await database.close();
}

/** Lets another process append events without consequences until the log is past the position. */
async function growPast(fleet: Fleet, position: number): Promise<void> {
  const log = await EventStoreDbEventStore.open({ url: fleet.log.url, streamPrefix: '' });
  try {
    while ((await log.head()) <= position) {
      await log.append('eventQueues', [newEvent('QueueDeleted', { queueId: 'of nobody' })], 'any');
    }
  } finally {
    await log.close();
  }
}

async function newestMessageIn(fleet: Fleet): Promise<number> {
  const log = await EventStoreDbEventStore.open({ url: fleet.log.url, streamPrefix: '' });
  try {
    const [newest] = await log.readStream(MESSAGES_STREAM, { direction: 'backwards', limit: 1 });
    return newest?.position ?? Number.NaN;
  } finally {
    await log.close();
  }
}

async function furthest(store: DocumentStore): Promise<number> {
  return Math.max(...(await store.checkpoints()).map(({ position }) => position));
}

const newestMessage = async (annals: Annals): Promise<number> =>
  (await annals.events('messages')).at(-1)?.position ?? Number.NaN;

/** The position of the newest recorded event. */
const noted = (annals: Annals): Promise<number> => notedIn(annals.app.get<DocumentStore>(DOCUMENT_STORE));

const notedIn = async (store: DocumentStore): Promise<number> => (await markIn(store))?.position ?? -1;

async function markIn(store: DocumentStore) {
  const database = await store.database('log-mark');
  const marks = database.collection<StoredDocument & { readonly position: number }>('mark');
  return marks.findOne({ _id: 'newest' }).finally(() => database.close());
}
