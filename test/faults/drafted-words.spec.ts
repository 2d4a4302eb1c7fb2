import { describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../src/app/roles/read-side.js';
import { SqliteContentKeys } from '../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import { Annals } from '../support/annals.js';
import { type Answer, Api, ConnectionLost } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { filesWith } from '../support/files-with.js';
import { keyOfMessage, keysIn, type NamedKey } from '../support/keys-in.js';
import { killedAt } from '../support/killed-at.js';
import { RunningServer, temporaryDataDirectory } from '../support/running-server.js';

/** Single words with beginnings of their own, so that an index of words has nothing to shorten them by. */
const FIRST = 'quokkawasthefirstdraft';
const TOPIC = 'xenopswasitstopic';
const SECOND = 'jerboawasthesecond';
const KEPT = 'pangolinisnotdeleted';

const bytesOf = (...texts: readonly string[]) => texts.map((text) => Buffer.from(text));

const draft = (content: string, topic = '') =>
  topic === '' ? { type: '', to: [], topic, content } : { type: 'stream', to: [1], topic, content };

const expectSuccess = async (asked: Promise<object>) => expect(await asked).toMatchObject({ result: 'success' });

/** The draft that is to go is in the midst of others. */
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

/** Sends what was a draft, edits it so that it quotes itself, finds it, and has it in every form that the API gives. */
async function sendAndQuote(api: Api, words: string): Promise<number> {
  const channel = { type: 'channel', to: 'general', topic: 'words' };
  for (let n = 0; n < 40; n++) await api.post('messages', { ...channel, content: `${KEPT} ${n} `.repeat(20) });
  const { id } = await api.post('messages', { ...channel, content: `${words} *marked up*` });
  await expectSuccess(api.patch(`messages/${id}`, { content: `\`\`\`quote\n${words} again\n\`\`\`\nand ${words}` }));
  const narrow = [['search', words]];
  const { messages } = await api.get('messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow });
  expect(messages).toMatchObject([{ id, match_content: expect.stringContaining('highlight') }]);
  for (const path of [`messages/${id}`, `messages/${id}/history`]) await expectSuccess(api.get(path));
  return id as number;
}

async function searchedIds(api: Api, words: string): Promise<number[]> {
  const narrow = [['search', words]];
  const { messages } = await api.get('messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow });
  return (messages as { id: number }[]).map(({ id }) => id);
}

describe('the content of a draft', () => {
  it('is in no file after draft and message are deleted: at once, after a kill, and after a rebuild from the log', async () => {
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

      // 1. What a draft said before it was edited.
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

      // 2. The draft, after its words were sent.
      const secondKey = (await keysIn(data.path, 'user-1')).at(-1) as NamedKey;
      const messageId = await sendAndQuote(api, SECOND);
      const messageKey = await keyOfMessage(data.path, messageId);
      expect(JSON.stringify(await events(api, queue))).toContain(SECOND);
      await expectSuccess(api.delete(`drafts/${draftId}`));
      gone.push(secondKey.bytes);
      await expectGone();
      expect(await filesWith(data.path, [messageKey.bytes])).not.toEqual([]);
      expect(await searchedIds(api, SECOND)).toEqual([messageId]);

      // 3. The message.
      await expectSuccess(api.delete(`messages/${messageId}`));
      gone.push(...bytesOf(SECOND), messageKey.bytes);
      await expectGone();
      expect(await searchedIds(api, SECOND)).toEqual([]);
      expect(JSON.stringify(await events(api, queue))).not.toMatch(`${FIRST}|${SECOND}|${TOPIC}`);

      // 4. What a kill leaves, and what is built of it.
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

  it('is gone again after keys were restored from a backup', async () => {
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
    ['another took their place', (api: Api) => api.patch('drafts/1', { draft: draft('other') })],
    ['they were deleted', (api: Api) => api.delete('drafts/1')],
    ['drafts were no longer to be kept', (api: Api) => api.patch('settings', { enable_drafts_synchronization: false })],
  ])(
    'is gone soon after the next start when a kill came after %s and before the key was destroyed',
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
