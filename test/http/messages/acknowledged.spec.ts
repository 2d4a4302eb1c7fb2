import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

import { MESSAGES, messages } from '../../../projections/messages/messages.projection.js';
import { AHEAD_OF_DOCUMENTS, type AheadOfDocuments } from '../../../src/platform/read-models/ahead-of-documents.js';
import { READ_MODELS, type ReadModels } from '../../../src/platform/read-models/read-models.js';
import { SqliteConnection } from '../../../src/platform/sqlite/driver.js';
import { embeddedEngines, type OwnEngines } from '../../support/engines/own-engines.js';
import { eventually } from '../../support/eventually.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

// A send is answered when it is in the log. Whoever asks next must find it in every answer, though its documents come later. They
// are held up here: by locks on their files, which the thread that writes them waits for.

const CHANNEL = 'general';
/** Sends after which documents are written by a thread of their own. */
const SENDS_BEFORE = 400;
/** Milliseconds: the requests are asked meanwhile. */
const HELD_UP = 50;

let engines: OwnEngines;
let annals: Annals;
let owner: Member;
let channelId: number;
let sent = 0;

beforeAll(async () => {
  engines = await embeddedEngines();
  annals = await Annals.on(engines);
  owner = await annals.owner();
  await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: CHANNEL }] });
  channelId = (await owner.api.get('/get_stream_id', { stream: CHANNEL })).body.stream_id;
  for (let n = 0; n < SENDS_BEFORE; n++) await send();
  // The thread is there.
  await eventually(() =>
    heldUp(async () => {
      const { id } = await send();
      expect(await storedMessage(id)).toBeNull();
    }),
  );
});
afterAll(() => annals.stop());

const storedMessage = (id: number) =>
  annals.app.get<ReadModels>(READ_MODELS).collection(messages, MESSAGES, 'as stored').findOne({ _id: id });

/** Does work while no documents of projections can be stored. They have everything before. */
async function heldUp<T>(work: () => Promise<T>): Promise<T> {
  await annals.app.get<AheadOfDocuments>(AHEAD_OF_DOCUMENTS).acknowledged();
  const folder = join(engines.dataDirectory, 'documents');
  const files = (await readdir(folder)).filter((name) => /\.v\d+\.g\d+\.sqlite$/.test(name));
  const locks = files.map((name) => new SqliteConnection(join(folder, name)));
  for (const lock of locks) lock.exec('BEGIN IMMEDIATE');
  try {
    return await work();
  } finally {
    for (const lock of locks) {
      lock.exec('ROLLBACK');
      lock.close();
    }
  }
}

interface Own {
  readonly id: number;
  readonly word: string;
  readonly topic: string;
}

async function send(to: object = {}): Promise<Own> {
  const n = ++sent;
  // In topics that are there: a new one has consequences, which a send waits for.
  const [word, topic] = [`word${n}`, `Topic ${n % 10}`];
  const message = { type: 'channel', to: CHANNEL, topic, content: `say ${word}`, ...to };
  const { body } = await owner.api.post('/messages', message);
  expect(body.msg).toBe('');
  return { id: body.id, word, topic };
}

const read = { anchor: 'newest', num_before: 100, num_after: 0 };
const ids = (messages: readonly { readonly id: number }[]): readonly number[] => messages.map(({ id }) => id);
const found = async (narrow: readonly object[], own: Own): Promise<void> => {
  const { body } = await owner.api.get('/messages', { ...read, anchor: own.id, num_before: 5, narrow });
  expect(ids(body.messages)).toContain(own.id);
};

const QUESTIONS: Readonly<Record<string, (own: Own) => Promise<unknown>>> = {
  'the newest messages': async ({ id }) => {
    const { body } = await owner.api.get('/messages', read);
    expect(ids(body.messages)).toContain(id);
  },
  'the message': async ({ id }) => expect((await owner.api.get(`/messages/${id}`)).body.message.id).toBe(id),
  'several messages by id': async ({ id }) =>
    expect(ids((await owner.api.get('/messages', { message_ids: [id] })).body.messages)).toEqual([id]),
  'its channel': (own) => found([{ operator: 'channel', operand: CHANNEL }], own),
  'its topic': (own) => found([{ operator: 'topic', operand: own.topic }], own),
  'its sender': (own) => found([{ operator: 'sender', operand: owner.id }], own),
  'its words': (own) => found([{ operator: 'search', operand: own.word }], own),
  'whether it matches': async ({ id, word }) => {
    const narrow = [{ operator: 'search', operand: word }];
    const { body } = await owner.api.get('/messages/matches_narrow', { msg_ids: [id], narrow });
    expect(Object.keys(body.messages)).toEqual([`${id}`]);
  },
  'the topics of its channel': async ({ topic }) => {
    const { body } = await owner.api.get(`/users/me/${channelId}/topics`);
    expect(body.topics.map(({ name }: { name: string }) => name)).toContain(topic);
  },
  'the newest id of a registration': async ({ id }) =>
    expect(
      (await owner.api.post('/register', { fetch_event_types: ['message'] })).body.max_message_id,
    ).toBeGreaterThanOrEqual(id),
  'its history': async ({ id }) =>
    expect((await owner.api.get(`/messages/${id}/history`)).body.message_history).toHaveLength(1),
  'a reaction': async ({ id }) =>
    expect((await owner.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })).body.result).toBe('success'),
  'a star': async ({ id }) => {
    const star = { messages: [id], op: 'add', flag: 'starred' };
    expect((await owner.api.post('/messages/flags', star)).body.messages).toEqual([id]);
  },
  'an edit': async ({ id }) =>
    expect((await owner.api.patch(`/messages/${id}`, { content: 'edited' })).body.result).toBe('success'),
  'a deletion': async ({ id }) => expect((await owner.api.delete(`/messages/${id}`)).body.result).toBe('success'),
  'the audit': async ({ id }) => {
    const { body } = await owner.api.get('/audit/events', { message_id: id });
    expect(body.events.map(({ kind }: { kind: string }) => kind)).toContain('MessageSent');
  },
};

/** Sends while documents are held up, asks, and lets them go on. */
async function behind<T>(sends: () => Promise<T>, ask: (own: T) => Promise<unknown>): Promise<void> {
  let asked: Promise<unknown> = Promise.resolve();
  await heldUp(async () => {
    asked = ask(await sends());
    await Promise.race([asked, pause(HELD_UP)]);
  });
  await asked;
}

it.each(Object.entries(QUESTIONS))('who has sent a message finds it in %s', (_name, ask) => behind(() => send(), ask));

it('a direct message is in its conversation', () =>
  behind(
    () => send({ type: 'direct', to: [owner.id], topic: undefined }),
    (own) => found([{ operator: 'dm', operand: [owner.id] }], own),
  ));

it('a queue that is asked without waiting has it', async () => {
  const queue = await EventQueue.register(owner.api, { event_types: ['message'] });
  await behind(
    () => send(),
    async ({ id }) => expect((await queue.drain()).map(({ message }) => message.id)).toEqual([id]),
  );
});

it('the same send again is answered with the same message', async () => {
  const { queue_id } = (await owner.api.post('/register', {})).body;
  const local = { queue_id, local_id: '1' };
  await behind(
    () => send(local),
    async ({ id, word, topic }) => {
      const message = { type: 'channel', to: CHANNEL, topic, content: `say ${word}`, ...local };
      expect((await owner.api.post('/messages', message)).body.id).toBe(id);
    },
  );
});

it('a topic keeps its spelling, however soon it is used again', async () => {
  for (const topic of ['One', 'Two', 'Three']) {
    await send({ topic });
    const { id } = await send({ topic: topic.toUpperCase() });
    expect((await owner.api.get(`/messages/${id}`)).body.message.subject).toBe(topic);
  }
});
