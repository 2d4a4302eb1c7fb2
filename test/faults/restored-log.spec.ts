import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DOCUMENT_STORE, type DocumentStore, type StoredDocument } from '../../src/document-store/document-store.js';
import { Annals, type Member } from '../support/annals.js';
import { eventually } from '../support/eventually.js';
import { Fleet } from '../support/fleet.js';
import { describeMongodb } from '../support/mongodb.js';
import { isShared } from '../support/own-engines.js';

const FILES = ['log.sqlite', 'log.sqlite-wal', 'log.sqlite-shm'];

/** Again where SQLite has just taken away what stood beside a file that was closed. */
async function copyClosed(from: string, to: string): Promise<void> {
  await eventually(async () => {
    await rm(to, { recursive: true, force: true });
    await cp(from, to, { recursive: true });
  });
}

/** The log alone, from one folder to another; both stand still. */
async function copyLog(from: string, to: string): Promise<void> {
  for (const file of FILES) {
    await rm(join(to, file), { force: true });
    await cp(join(from, file), join(to, file), { recursive: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}

const say = async ({ api }: Member, content: string): Promise<number> => {
  const { status, body } = await api.post('/messages', { type: 'channel', to: 'general', topic: 'restored', content });
  expect(status).toBe(200);
  return body.id;
};

const wordsOf = async ({ api }: Member): Promise<string[]> => {
  const { body } = await api.get('/messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    apply_markdown: false,
  });
  return body.messages.map(({ content }: { readonly content: string }) => content);
};

(isShared() ? describe.skip : describe)('a log that was restored from a backup', () => {
  it('is what everything goes by, and clients of the later one register again', async () => {
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

      await annals.restart(() => copyLog(backup, annals.dataDirectory));
      expect(await wordsOf(owner)).toEqual(['kept']);
      const last_event_id = seen[1].id;
      const polled = await owner.api.get('/events', { queue_id: queue.queue_id, last_event_id });
      expect(polled.body.code).toBe('BAD_EVENT_QUEUE_ID');
      await say(owner, 'other');
      expect(await wordsOf(owner)).toEqual(['kept', 'other']);
    } finally {
      await annals.stop();
      await rm(backup, { recursive: true, force: true });
    }
  });

  it('is found out where it has grown past the documents, and left alone where it is the same', async () => {
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
        await copyLog(backup, annals.dataDirectory);
        await annals.removeDocuments();
      });
      for (const words of ['another', 'and', 'on']) await say(owner, words);
      await annals.restart(async () => {
        await annals.removeDocuments();
        await cp(documents, join(annals.dataDirectory, 'documents'), { recursive: true });
      });
      expect(await wordsOf(owner)).toEqual(['another', 'and', 'on']);
      expect((await owner.api.get('/events', alive)).body.code).toBe('BAD_EVENT_QUEUE_ID');
    } finally {
      await annals.stop();
      for (const folder of [backup, documents]) await rm(folder, { recursive: true, force: true });
    }
  });
});

describeMongodb('a log that was restored from a backup, under processes that run', () => {
  it('ends them with one line, and is what everything goes by when they are started again', async () => {
    const fleet = await Fleet.start({ apis: 1, workers: 1 });
    const backup = await mkdtemp(join(tmpdir(), 'annals-backup-'));
    try {
      const owner = await fleet.owner();
      const sent = (content: string) =>
        eventually(async () => {
          const answer = await owner.post('messages', { type: 'channel', to: 'general', topic: 'restored', content });
          expect(answer).toMatchObject({ result: 'success' });
        });
      const queue = await owner.post('register', { event_types: ['message'] });
      await sent('kept');
      await fleet.log.restart((folder) => cp(folder, backup, { recursive: true }));
      await sent('lost');
      const before = await fleet.withDocuments(notedIn);
      await sent('lost too');
      await eventually(async () => expect(await fleet.withDocuments(notedIn)).toBeGreaterThan(before));

      const [api, worker] = [fleet.api(0), fleet.workers[0]];
      await fleet.log.restart(async (folder) => {
        await rm(folder, { recursive: true });
        await cp(backup, folder, { recursive: true });
      });
      for (const ended of [api, worker]) {
        await eventually(() =>
          expect(ended?.printed.match(/^annals: the log is not the one .*; this process ends: .*$/gm)).toHaveLength(1),
        );
        await ended?.ended();
      }

      await fleet.replaceApi(0);
      await fleet.addWorker();
      const again = await fleet.owner();
      const narrow = { anchor: 'newest', num_before: 9, num_after: 0, apply_markdown: false };
      await eventually(async () => {
        const { messages } = await again.get('messages', narrow);
        expect((messages as readonly { content: string }[])?.map(({ content }) => content)).toEqual(['kept']);
      });
      const polled = await again.get('events', { queue_id: queue.queue_id, last_event_id: -1, dont_block: true });
      expect(polled.code).toBe('BAD_EVENT_QUEUE_ID');
    } finally {
      await fleet.stop();
      await rm(backup, { recursive: true, force: true });
    }
  });
});

const newestMessage = async (annals: Annals): Promise<number> =>
  (await annals.events('messages')).at(-1)?.position ?? Number.NaN;

/** Where the newest event that was noted lies. */
const noted = (annals: Annals): Promise<number> => notedIn(annals.app.get<DocumentStore>(DOCUMENT_STORE));

async function notedIn(store: DocumentStore): Promise<number> {
  const database = await store.database('log-mark');
  try {
    const mark = await database
      .collection<StoredDocument & { readonly position: number }>('mark')
      .findOne({ _id: 'newest' });
    return mark?.position ?? -1;
  } finally {
    await database.close();
  }
}
