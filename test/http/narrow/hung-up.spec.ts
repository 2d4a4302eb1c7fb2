import { get, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MESSAGES, messages } from '../../../projections/messages/messages.projection.js';
import type { Collection, DocumentStore, StoredDocument } from '../../../src/platform/documents/document-store.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { Annals, type Member } from '../../support/annals.js';
import { override } from '../../support/override.js';
import { ownEngines } from '../../support/own-engines.js';

/** Ids of no messages: they are looked up 100 at a time. */
const IDS = Array.from({ length: 1_000 }, (_, at) => at + 1_000_000);

/** Counts the reads of messages; one of them can be held. */
class CountedReads {
  count = 0;
  beforeRead: (count: number) => Promise<void> | void = () => {};

  of(documentStore: DocumentStore): DocumentStore {
    const counted = <D extends StoredDocument>(collection: Collection<D>): Collection<D> =>
      override(collection, {
        find: async (filter, options) => {
          this.count += 1;
          await this.beforeRead(this.count);
          return collection.find(filter, options);
        },
      });
    return override(documentStore, {
      database: async (name) => {
        const database = await documentStore.database(name);
        if (!name.startsWith(`${messages.name}.`)) return database;
        return override(database, {
          collection: <D extends StoredDocument>(collection: string): Collection<D> =>
            collection === MESSAGES ? counted(database.collection<D>(collection)) : database.collection<D>(collection),
        });
      },
    });
  }
}

describe('a client that hangs up during a read', () => {
  const reads = new CountedReads();
  let annals: Annals;
  let anna: Member;

  beforeAll(async () => {
    annals = await Annals.on(
      await ownEngines(),
      {},
      {
        open: async (settings) => {
          const engines = await openEngines(settings);
          const { documentStore, projectionStore } = engines;
          return { ...engines, documentStore: reads.of(documentStore), projectionStore: reads.of(projectionStore) };
        },
      },
    );
    anna = await annals.user('anna');
  });

  afterAll(() => annals.stop());

  beforeEach(() => {
    reads.beforeRead = () => {};
    reads.count = 0;
  });

  it.each([
    ['of messages by id', '/messages', 'message_ids'],
    ['of the messages that match a narrow', '/messages/matches_narrow', 'msg_ids'],
  ])('%s ends it before its next step', async (_, path, ids) => {
    const params = { [ids]: IDS, narrow: [] };
    await anna.api.get(path, params);
    const whole = reads.count;
    expect(whole).toBeGreaterThanOrEqual(10);

    reads.count = 0;
    const server: Server = annals.app.getHttpServer();
    const closed = new Promise<void>((resolve) => {
      server.once('connection', (socket) => socket.once('close', () => resolve()));
    });
    const query = new URLSearchParams({ [ids]: JSON.stringify(IDS), narrow: '[]' });
    const auth = `${anna.email}:${anna.apiKey}`;
    const heldAtThree = new Promise<void>((resolve) => {
      reads.beforeRead = async (count) => {
        if (count < 3) return;
        request.destroy();
        await closed;
        resolve();
      };
    });
    const request = get(`${annals.url}/api/v1${path}?${query}`, { agent: false, auth });
    request.on('error', () => {});
    await heldAtThree;
    reads.beforeRead = () => {};

    // A read that went on would read beside the next one.
    await anna.api.get(path, params);
    expect(reads.count).toBe(3 + whole);
  });
});
