import { describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../src/app/roles/read-side.js';
import { SqliteContentKeys } from '../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import { keyOfMessage, keysIn, type NamedKey } from '../support/engines/keys-in.js';
import { eventually } from '../support/eventually.js';
import { filesWith } from '../support/files-with.js';
import { type Answer, Api, ConnectionLost } from '../support/requests/api.js';
import { Annals } from '../support/servers/annals.js';
import { killedAt } from '../support/servers/killed-at.js';
import { RunningServer, temporaryDataDirectory } from '../support/servers/running-server.js';

/** Single words that begin differently, so that a text index cannot shorten them. */
const FIRST = 'quokkawasthefirstdraft';
const TOPIC = 'xenopswasitstopic';
const SECOND = 'jerboawasthesecond';
const KEPT = 'pangolinisnotdeleted';

const bytesOf = (...texts: readonly string[]) => texts.map((text) => Buffer.from(text));

const draft = (content: string, topic = '') =>
  topic === '' ? { type: '', to: [], topic, content } : { type: 'stream', to: [1], topic, content };

const expectSuccess = async (asked: Promise<object>) => expect(await asked).toMatchObject({ result: 'success' });

/** Creates a draft between 40 earlier and 40 later ones. @returns its id */
async function createDrafts(api: Api, content: string, topic: string): Promise<number> {
  const others = (about: string) => Array.from({ length: 40 }, (_, n) => draft(`${KEPT} ${about} ${n}`.repeat(20)));
  await expectSuccess(api.post('drafts', { drafts: others('before') }));
  const { ids } = await api.post('drafts', { drafts: [draft(content, topic)] });
  await expectSuccess(api.post('drafts', { drafts: others('after') }));
  return (ids as number[])[0] as number;
}

async function events(api: Api, { queue_id, last_event_id }: Answer): Promise<readonly object[]> {
  return (await api.get('events', { queue_id, last_event_id, dont_block: true })).events as readonly object[];
}

/** Sends the content, edits the message so that it quotes the content, and reads it in every way of the API. */
async function sendAndQuote(api: Api, content: string): Promise<number> {
  const channel = { type: 'channel', to: 'general', topic: 'content' };
  for (let n = 0; n < 40; n++) await api.post('messages', { ...channel, content: `${KEPT} ${n} `.repeat(20) });
  const { id } = await api.post('messages', { ...channel, content: `${content} *marked up*` });
  await expectSuccess(
    api.patch(`messages/${id}`, { content: `\`\`\`quote\n${content} again\n\`\`\`\nand ${content}` }),
  );
  const narrow = [['search', content]];
  const { messages } = await api.get('messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow });
  expect(messages).toMatchObject([{ id, match_content: expect.stringContaining('highlight') }]);
  for (const path of [`messages/${id}`, `messages/${id}/history`]) await expectSuccess(api.get(path));
  return id as number;
}

async function searchedIds(api: Api, content: string): Promise<number[]> {
  const narrow = [['search', content]];
  const { messages } = await api.get('messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow });
  return (messages as { id: number }[]).map(({ id }) => id);
}

describe('the content of a draft', () => {
  it('is in no file after draft and message are deleted, nor after a kill, nor after a rebuild from the log', async () => {
    const data = await temporaryDataDirectory();
    let server = await RunningServer.start(data.path);
    const gone: Buffer[] = [];
    const expectGone = async () => {
      expect(await filesWith(data.path, gone)).toEqual([]);
      expect(await filesWith(data.path, bytesOf(KEPT))).not.toEqual([]);
    };
    try {
      await server.caughtUp();
      const api = new Api(await server.owner());
      const queue = await api.post('register');

      // 1. The content of a draft is replaced.
      const draftId = await createDrafts(api, FIRST, TOPIC);
      const drafted = await keysIn(data.path, 'user-1');
      const firstKey = drafted[40] as NamedKey;
      expect(await filesWith(data.path, bytesOf(FIRST))).not.toEqual([]);
      expect(await filesWith(data.path, bytesOf(TOPIC))).not.toEqual([]);
      expect(await filesWith(data.path, [firstKey.bytes])).not.toEqual([]);
      expect(JSON.stringify(await events(api, queue))).toContain(FIRST);
      await expectSuccess(api.patch(`drafts/${draftId}`, { draft: draft(SECOND) }));
      gone.push(...bytesOf(FIRST, TOPIC), firstKey.bytes);
      await expectGone();
      expect(await filesWith(data.path, bytesOf(SECOND))).not.toEqual([]);

      // 2. The draft is deleted after its content was sent as a message.
      const secondKey = (await keysIn(data.path, 'user-1')).at(-1) as NamedKey;
      const messageId = await sendAndQuote(api, SECOND);
      const messageKey = await keyOfMessage(data.path, messageId);
      expect(JSON.stringify(await events(api, queue))).toContain(SECOND);
      await expectSuccess(api.delete(`drafts/${draftId}`));
      gone.push(secondKey.bytes);
      await expectGone();
      expect(await filesWith(data.path, [messageKey.bytes])).not.toEqual([]);
      expect(await searchedIds(api, SECOND)).toEqual([messageId]);

      // 3. The message is deleted.
      await expectSuccess(api.delete(`messages/${messageId}`));
      gone.push(...bytesOf(SECOND), messageKey.bytes);
      await expectGone();
      expect(await searchedIds(api, SECOND)).toEqual([]);
      expect(JSON.stringify(await events(api, queue))).not.toMatch(`${FIRST}|${SECOND}|${TOPIC}`);

      // 4. The server is killed, restarted, and its documents are rebuilt.
      await server.kill();
      await expectGone();
      server = await RunningServer.start(data.path);
      await server.caughtUp();
      await expectGone();
      await server.stop();
      await data.removeDocuments();
      server = await RunningServer.start(data.path);
      await server.caughtUp();
      await expectGone();
      expect(await new Api(await server.owner()).get('drafts')).toMatchObject({ count: 80 });
      await server.stop();
      await expectGone();
    } finally {
      await server.stop();
      await data.remove();
    }
  });

  it('is gone after a rebuild that ran while drafts were edited and deleted', async () => {
    const annals = await Annals.start();
    try {
      const api = await annals.ownerApi();
      const edited = await createDrafts(api, FIRST, TOPIC);
      const deleted = await createDrafts(api, SECOND, TOPIC);
      const keys = await keysIn(annals.dataDirectory, 'user-1');
      const goneKeys = [keys[40] as NamedKey, keys[81 + 40] as NamedKey].map(({ bytes }) => bytes);
      expect(await filesWith(annals.dataDirectory, goneKeys)).not.toEqual([]);
      const rebuilt = annals.app.get<ReadSide>(READ_SIDE).rebuild(['drafts', 'client-events'], () => {});
      await expectSuccess(api.patch(`drafts/${edited}`, { draft: draft('other') }));
      await expectSuccess(api.delete(`drafts/${deleted}`));
      await rebuilt;
      expect(await filesWith(annals.dataDirectory, [...bytesOf(FIRST, SECOND, TOPIC), ...goneKeys])).toEqual([]);
    } finally {
      await annals.stop();
    }
  });

  it('is erased again after keys were restored from a backup', async () => {
    const annals = await Annals.start();
    try {
      const api = await annals.ownerApi();
      await expectSuccess(api.post('drafts', { drafts: [draft(FIRST, TOPIC), draft(SECOND, TOPIC)] }));
      const backup = await keysIn(annals.dataDirectory, 'user-1');
      expect(backup).toHaveLength(2);
      await expectSuccess(api.patch('drafts/1', { draft: draft('other') }));
      await expectSuccess(api.delete('drafts/2'));
      await annals.restart(async () => {
        const keys = await SqliteContentKeys.open(annals.dataDirectory);
        for (const { id, bytes } of backup) await keys.putIfAbsent(id, bytes);
        await keys.close();
        await annals.removeDocuments();
      });
      const gone = [...bytesOf(FIRST, SECOND, TOPIC), ...backup.map(({ bytes }) => bytes)];
      await eventually(async () => expect(await filesWith(annals.dataDirectory, gone)).toEqual([]));
      expect(await new Api({ ...api.credentials, site: annals.url }).get('drafts')).toMatchObject({
        drafts: [{ id: 1, content: 'other' }],
      });
    } finally {
      await annals.stop();
    }
  });

  it.each([
    ['an edit', (api: Api) => api.patch('drafts/1', { draft: draft('other') })],
    ['a deletion', (api: Api) => api.delete('drafts/1')],
    ['the end of synchronization', (api: Api) => api.patch('settings', { enable_drafts_synchronization: false })],
  ])(
    'is gone soon after the next start if the server was killed after %s, before it destroyed the key',
    async (_, work) => {
      const goneOf = (key: Buffer) => [...bytesOf(FIRST, TOPIC), key];
      await killedAt('appended:user-', {
        prepare: async ({ api, dataDirectory }) => {
          await expectSuccess(api.post('drafts', { drafts: [draft(FIRST, TOPIC)] }));
          return ((await keysIn(dataDirectory, 'user-1'))[0] as NamedKey).bytes;
        },
        work: ({ api }) => expect(work(api)).rejects.toBeInstanceOf(ConnectionLost),
        left: async ({ dataDirectory }, key) => expect(await filesWith(dataDirectory, [key])).not.toEqual([]),
        check: ({ dataDirectory }, key) =>
          eventually(async () => expect(await filesWith(dataDirectory, goneOf(key))).toEqual([])),
        stopped: async ({ dataDirectory }, key) => expect(await filesWith(dataDirectory, goneOf(key))).toEqual([]),
      });
    },
  );
});
