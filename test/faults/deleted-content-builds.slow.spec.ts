import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { attachments } from '../../projections/attachments/attachments.projection.js';
import { messages } from '../../projections/messages/messages.projection.js';
import { bundled } from '../../scripts/bundle.js';
import { ERASURE_DATABASE } from '../../src/platform/consumers/erased-content.js';
import { SqliteEventStore } from '../../src/platform/log/sqlite/sqlite-event-store.js';
import { withOwnEngines } from '../support/engines/own-engines.js';
import { eventually } from '../support/eventually.js';
import { filesWith } from '../support/files-with.js';
import { checkpointIn, fileOf, killedRebuilding } from '../support/projections/killed-building.js';
import { type Answer, Api } from '../support/requests/api.js';
import { uploaded } from '../support/requests/uploads.js';
import { RunningServer } from '../support/servers/running-server.js';
import { seedMessages } from '../support/servers/seeded-messages.js';

const FAULTY = bundled('test/support/servers/faulty-server.ts');

/** Single words that begin differently, so that a text index cannot shorten them. */
const REVISIONS = ['quokkawasthefirst', 'narwhalwasthesecond', 'jerboawasthethird'] as const;
const FILE = 'xenopsisinthefile';
const FILE_NAME = 'capybaraisitsname';
const KEPT = 'pangolinisnotdeleted';
const CONTENT = [...REVISIONS, FILE, FILE_NAME].map((text) => Buffer.from(text));

/** More documents than a transaction takes, so that a build stores checkpoints on its way. */
const NEIGHBOURS = 2500;

const BUILT = [messages, attachments];
const nameOf = ({ name, version }: (typeof BUILT)[number], generation: number) => `${name}.v${version}.g${generation}`;
const UNFINISHED = BUILT.map((projection) => nameOf(projection, 2));

interface Unfinished {
  readonly dataDirectory: string;
  readonly messageId: unknown;
  readonly attachmentId: unknown;
}

/** Runs `work` with an organization whose documents a killed process was building anew. They hold the content. */
const withUnfinished = (work: (unfinished: Unfinished) => Promise<void>) => () =>
  withOwnEngines(async ({ dataDirectory, settings }) => {
    const edit = async (api: Api, id: unknown, content: string) =>
      expect(await api.patch(`messages/${id}`, { content })).toMatchObject({ result: 'success' });
    const [first, second, third] = REVISIONS;
    const { checkpoint, ...ids } = await during(dataDirectory, async (api) => {
      const { id } = await api.post('messages', { type: 'channel', to: 'general', topic: 't', content: first });
      await edit(api, id, second);
      const { email, key: apiKey, site } = api.credentials;
      await uploaded(site, { email, apiKey }, FILE, FILE_NAME);
      const [attachment] = (await api.get('attachments')).attachments as [{ id: unknown }];
      return { messageId: id, attachmentId: attachment.id, checkpoint: await headOf(dataDirectory) };
    });
    const texts = Array.from({ length: NEIGHBOURS }, (_, n) => `${KEPT} ${n}`.repeat(9));
    await seedMessages(settings, { senderId: 1, channelId: 1, topic: 't' }, texts);
    const halted = (await headOf(dataDirectory)) + 1;
    await during(dataDirectory, (api) => edit(api, ids.messageId, third));
    const names = BUILT.map(({ name }) => name);
    await killedRebuilding(dataDirectory, names, UNFINISHED, { checkpoint, halted });
    const held = await filesWith(dataDirectory, CONTENT);
    for (const name of UNFINISHED) expect(held.some((path) => path.startsWith(`documents/${name}`))).toBe(true);
    await work({ dataDirectory, ...ids });
  });

/** Runs `work` against a server of its own process: SQLite's files stay open in a process for a while. */
async function during<T>(dataDirectory: string, work: (api: Api) => Promise<T>): Promise<T> {
  const server = await RunningServer.start(dataDirectory);
  try {
    await server.caughtUp();
    return await work(new Api(await server.owner()));
  } finally {
    await server.stop();
  }
}

const deletions = (api: Api, { messageId, attachmentId }: Unfinished): Promise<readonly Answer[]> =>
  Promise.all([api.delete(`messages/${messageId}`), api.delete(`attachments/${attachmentId}`)]);

async function expectBuiltWithout({ dataDirectory }: Unfinished, server: RunningServer): Promise<void> {
  await server.caughtUp();
  const documents = await filesWith(dataDirectory, [Buffer.from(KEPT)]);
  expect(documents).toContain(`documents/${UNFINISHED[0]}.sqlite`);
  expect(documents.filter((path) => path.startsWith(`documents/${nameOf(messages, 1)}`))).toEqual([]);
  await server.stop();
  expect(await filesWith(dataDirectory, CONTENT)).toEqual([]);
}

describe('the content of a message and of an upload that are deleted after the process of a build was killed', () => {
  it(
    'is in no file when the deletion is answered, and when the build is finished',
    withUnfinished(async (unfinished) => {
      const { dataDirectory } = unfinished;
      const server = await RunningServer.start(dataDirectory);
      try {
        const told = await deletions(new Api(await server.owner()), unfinished);
        const isGone = async () => expect(await filesWith(dataDirectory, CONTENT)).toEqual([]);
        // WORDS_REMAIN is allowed only if the build takes too long.
        if (told.some(({ code }) => code === 'WORDS_REMAIN')) await eventually(isGone);
        else for (const answer of told) expect(answer).toMatchObject({ result: 'success' });
        await isGone();
        await expectBuiltWithout(unfinished, server);
      } finally {
        await server.stop();
      }
    }),
  );

  it(
    'is in no file if the process that goes on is killed, too, when the built documents have just become live',
    withUnfinished(async (unfinished) => {
      const { dataDirectory } = unfinished;
      const script = { file: FAULTY, args: ['switched:messages'] };
      const faulty = await RunningServer.start(dataDirectory, {}, script);
      const told = deletions(new Api(await faulty.owner()), unfinished).catch(() => 'nothing');
      try {
        await eventually(async () => {
          // The documents that were live until then are rid of the content.
          const erased = await lastDeletion(dataDirectory);
          expect(erased).toBeGreaterThan(0);
          expect(checkpointIn(fileOf(dataDirectory, ERASURE_DATABASE))).toBeGreaterThanOrEqual(erased);
        });
      } finally {
        await writeFile(join(dataDirectory, 'armed'), '');
        await faulty.ended();
      }
      expect(await told).toBe('nothing');

      const server = await RunningServer.start(dataDirectory);
      try {
        await eventually(async () => expect(await filesWith(dataDirectory, CONTENT)).toEqual([]));
        await expectBuiltWithout(unfinished, server);
      } finally {
        await server.stop();
      }
    }),
  );
});

async function withLog<T>(dataDirectory: string, read: (log: SqliteEventStore) => Promise<T>): Promise<T> {
  const log = await SqliteEventStore.openReadOnly(dataDirectory);
  return read(log).finally(() => log.close());
}

const headOf = (dataDirectory: string): Promise<number> => withLog(dataDirectory, (log) => log.head());

/** Position of the last deletion, once both are in the log; 0 before. */
const lastDeletion = (dataDirectory: string): Promise<number> =>
  withLog(dataDirectory, async (log) => {
    const types = ['MessageDeleted', 'FileDeleted'];
    const { events } = await log.readAll({ after: 0, limit: 10, filter: { types } });
    return events.length === 2 ? (events.at(-1)?.position ?? 0) : 0;
  });
