import { request, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MESSAGES, messages } from '../../../projections/messages/messages.projection.js';
import type { Collection, DocumentStore, StoredDocument } from '../../../src/platform/documents/document-store.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { ownEngines } from '../../support/engines/own-engines.js';
import { override } from '../../support/override.js';
import { Annals, type Member } from '../../support/servers/annals.js';

/** Ids of no messages: they are looked up 100 at a time. */
const IDS = Array.from({ length: 1_000 }, (_, at) => at + 1_000_000);

const MESSAGES_EDITED = 12;
const EDITS = 4;

/** Counts the reads of messages; one of them can be held. */
class CountedReads {
  count = 0;
  beforeRead: (count: number) => Promise<void> | void = () => {};
  /** Characters of the largest answer. */
  largest = 0;

  of(documentStore: DocumentStore): DocumentStore {
    const counted = <D extends StoredDocument>(collection: Collection<D>): Collection<D> =>
      override(collection, {
        find: async (filter, options) => {
          this.count += 1;
          await this.beforeRead(this.count);
          const found = await collection.find(filter, options);
          this.largest = Math.max(this.largest, JSON.stringify(found).length);
          return found;
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

describe('reads of messages', () => {
  const reads = new CountedReads();
  let annals: Annals;
  let anna: Member;
  let bert: Member;

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
    bert = await annals.user('bert');
    const sent = async (): Promise<void> => {
      const { body } = await anna.api.post('/messages', { type: 'direct', to: [bert.id], content: 'as sent' });
      for (let edit = 1; edit <= EDITS; edit++)
        await anna.api.patch(`/messages/${body.id}`, { content: `edit ${edit} `.padEnd(9_000, 'x') });
    };
    await Promise.all(Array.from({ length: MESSAGES_EDITED }, sent));
  });

  afterAll(() => annals.stop());

  beforeEach(() => {
    reads.beforeRead = () => {};
    reads.count = 0;
    reads.largest = 0;
  });

  /** Sends a request, and hangs up while its read with this number, from 1, is under way. */
  async function hangUpAt(
    read: number,
    { email, apiKey }: Member,
    method: string,
    path: string,
    body = '',
  ): Promise<void> {
    const server: Server = annals.app.getHttpServer();
    const closed = new Promise<void>((resolve) => {
      server.once('connection', (socket) => socket.once('close', () => resolve()));
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length };
    const options = { method, agent: false, auth: `${email}:${apiKey}`, headers } as const;
    const held = new Promise<void>((resolve) => {
      reads.beforeRead = async (count) => {
        if (count < read) return;
        sent.destroy();
        await closed;
        resolve();
      };
    });
    const sent = request(`${annals.url}/api/v1${path}`, options);
    sent.on('error', () => {});
    sent.end(body);
    await held;
    reads.beforeRead = () => {};
  }

  it.each([
    ['of messages by id', '/messages', 'message_ids'],
    ['of the messages that match a narrow', '/messages/matches_narrow', 'msg_ids'],
  ])('%s end before their next step if their client hangs up', async (_, path, ids) => {
    const params = { [ids]: IDS, narrow: [] };
    await anna.api.get(path, params);
    const whole = reads.count;
    expect(whole).toBeGreaterThanOrEqual(10);

    reads.count = 0;
    const query = new URLSearchParams({ [ids]: JSON.stringify(IDS), narrow: '[]' });
    await hangUpAt(3, anna, 'GET', `${path}?${query}`);

    // A read that went on would read beside the next one.
    await anna.api.get(path, params);
    expect(reads.count).toBe(3 + whole);
  });

  it('of the messages to be flagged by a narrow end, too, and nothing is flagged', async () => {
    const narrow = [
      { operator: 'sender', operand: anna.id },
      { operator: 'has', operand: 'link', negated: true },
    ];
    const params = { anchor: 'newest', num_before: 5_000, num_after: 0, narrow, flag: 'starred' };
    const { body } = await bert.api.post('/messages/flags/narrow', { ...params, op: 'remove' });
    expect(body).toMatchObject({ result: 'success', processed_count: MESSAGES_EDITED });
    const whole = reads.count;
    expect(whole).toBeGreaterThan(1);

    const before = await annals.head();
    reads.count = 0;
    const form = new URLSearchParams({
      ...params,
      op: 'add',
      num_before: '5000',
      num_after: '0',
      narrow: JSON.stringify(narrow),
    });
    await hangUpAt(1, bert, 'POST', '/messages/flags/narrow', form.toString());

    // A command that went on would read and append beside the next one.
    await bert.api.post('/messages/flags/narrow', { ...params, op: 'remove' });
    expect(reads.count).toBe(1 + whole);
    expect(await annals.events(undefined, before)).toEqual([]);
  });

  it.each([
    ['a page', { anchor: 'newest', num_before: 100, num_after: 0 }],
    ['a page of unread messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow: [['is', 'unread']] }],
    ['messages by id', { message_ids: Array.from({ length: 40 }, (_, at) => at) }],
  ])('read the past contents of few messages at once for %s', async (_, params) => {
    const { body } = await bert.api.get('/messages', params);
    expect(body.messages).toHaveLength(MESSAGES_EDITED);
    for (const { content, edit_history } of body.messages) {
      expect(content).toContain(`edit ${EDITS}`);
      expect(edit_history).toHaveLength(EDITS);
    }
    expect(reads.largest).toBeGreaterThan(0);
    expect(reads.largest).toBeLessThan(400_000);
  });
});
