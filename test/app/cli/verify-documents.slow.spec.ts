import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { messages } from '../../../projections/messages/messages.projection.js';
import type { ProjectionRecord } from '../../../projections/runner/projection-record.js';
import { Registry } from '../../../projections/runner/registry.js';
import { compareAll } from '../../../src/app/verify/compared-documents.js';
import { LiveDocuments } from '../../../src/app/verify/live-documents.js';
import { RebuiltDocuments } from '../../../src/app/verify/rebuilt-documents.js';
import type { DocumentDatabase, StoredDocument } from '../../../src/platform/documents/document-store.js';
import type { Engines } from '../../../src/platform/engines/engines.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import { type OwnEngines, ownEngines } from '../../support/engines/own-engines.js';
import { Api } from '../../support/requests/api.js';
import { run, spawnAnnals } from '../../support/servers/command-line.js';
import { RunningServer } from '../../support/servers/running-server.js';

const WORDS = 'walrus tusks';
const RIGHT = {
  code: 0,
  stderr: '',
  stdout: expect.stringMatching(
    /The documents are right: [\d,]+ of \d+ projections, as a rebuild from the log makes them/,
  ),
};

interface MessageDocument extends StoredDocument {
  readonly content: string;
}

describe('documents that are compared with a rebuild', () => {
  let own: OwnEngines;
  let server: RunningServer;
  let owner: Api;
  let temporary: string;
  let ids: readonly number[];

  const start = async (): Promise<void> => {
    server = await RunningServer.start(own.dataDirectory, own.environment);
    owner = new Api(await server.owner());
  };
  const settings = () => ({ ...own.environment, TMPDIR: temporary });
  const verify = () => run(['verify', '--documents'], settings());
  const send = async (content: string): Promise<number> =>
    Number((await owner.post('messages', { type: 'channel', to: 'general', topic: 'plans', content })).id);

  /** Sends messages, and deletes some, while the work goes on. */
  async function underLoad<T>(work: () => Promise<T>): Promise<T> {
    let isDone = false;
    const result = work().finally(() => {
      isDone = true;
    });
    while (!isDone) {
      const id = await send(WORDS);
      if (id % 3 === 0) await owner.delete(`messages/${id}`);
    }
    return result;
  }

  /** Opens the documents that clients are answered from, as somebody may who changes them by hand. */
  async function withLive<T>(work: (live: DocumentDatabase, engines: Engines) => Promise<T>): Promise<T> {
    const engines = await openEngines({ ...own.settings, readOnly: true, mustExist: true });
    try {
      const name = (await Registry.stored(engines.documentStore)).get('messages')?.live?.name ?? '';
      const live = await engines.documentStore.database(name);
      return await work(live, engines);
    } finally {
      await engines.close();
    }
  }

  /** Changes the live documents for the time of `work`. */
  const tampered = (
    change: (database: DocumentDatabase, right: MessageDocument) => Promise<unknown>,
    work: (id: number) => Promise<unknown>,
  ): Promise<void> =>
    withLive(async (live) => {
      const _id = ids[1] ?? 0;
      const documents = live.collection<MessageDocument>('messages');
      const right = await documents.findOne({ _id });
      if (!right) throw new Error('there is no such message');
      await change(live, right);
      await work(_id);
      await documents.replaceOne({ _id }, right, { upsert: true });
    });

  beforeAll(async () => {
    own = await ownEngines();
    temporary = join(own.dataDirectory, 'temporary');
    await mkdir(temporary);
    await start();
    const sent: number[] = [];
    for (let n = 0; n < 5; n++) sent.push(await send(`${WORDS} ${n}`));
    ids = sent;
    await owner.patch(`messages/${ids[0]}`, { topic: 'ideas', propagate_mode: 'change_all' });
  });
  afterAll(async () => {
    await server.kill();
    await own.remove();
  });

  it('are right beside a running server that changes them', async () => {
    expect(await underLoad(verify)).toMatchObject(RIGHT);
  });

  it('are right after words were erased, after a rebuild, and after a kill', async () => {
    await owner.patch(`messages/${ids[3]}`, { content: 'other words' });
    await owner.delete(`messages/${ids[2]}`);
    expect(await verify()).toMatchObject(RIGHT);
    await run(['rebuild'], own.environment);
    expect(await verify()).toMatchObject(RIGHT);
    await send(WORDS);
    await server.kill();
    const behind = /^(annals: .* behind the tree, .*\n)?$/;
    expect(await verify()).toMatchObject({ stdout: RIGHT.stdout, stderr: expect.stringMatching(behind) });
    expect(await readdir(temporary)).toEqual([]);
    await start();
  });

  it('are found beside a running server where one is changed', async () => {
    await tampered(
      (live, { _id }) => live.collection('messages').updateOne({ _id }, { $set: { content: 'never written' } }),
      async (id) =>
        expect(await underLoad(verify)).toEqual({
          code: 1,
          stdout: expect.stringContaining('The log is right'),
          stderr: `annals: messages: the document ${id} of messages differs from a rebuild in content\n`,
        }),
    );
    await server.stop();
  });

  it('are found where one is missing or was added', async () => {
    await tampered(
      (live, { _id }) => live.collection('messages').deleteOne({ _id }),
      async (id) =>
        expect(await verify()).toMatchObject({
          code: 1,
          stderr: `annals: messages: the document ${id} of messages is missing: a rebuild makes it\n`,
        }),
    );
    await tampered(
      (live, right) => live.collection('messages').insertOne({ ...right, _id: 999_999 }),
      async () =>
        expect(await verify()).toMatchObject({
          code: 1,
          stderr: 'annals: messages: the document 999999 of messages was added: no rebuild makes it\n',
        }),
    );
    await withLive((live) => live.collection('messages').deleteOne({ _id: 999_999 }));
    expect(await verify()).toMatchObject(RIGHT);
    expect(await readdir(temporary)).toEqual([]);
  });

  it('are not called wrong in the middle of an event, or behind words that are erased', async () => {
    const seen = async (live: DocumentDatabase, engines: Engines): Promise<string> => {
      const records = await Registry.stored(engines.documentStore);
      const opened = await LiveDocuments.open(engines.documentStore, messages, records.get('messages'));
      if (!(opened instanceof LiveDocuments)) throw new Error(opened);
      const rebuilt = await RebuiltDocuments.open([messages], engines, temporary);
      let looks = 0;
      const goOn = async (): Promise<void> => {
        if (looks++ > 30) throw new Error('looked again and again');
      };
      try {
        await compareAll({ live: opened, rebuilt, eventStore: engines.eventStore, goOn });
        return `right at ${await live.checkpoint()}`;
      } catch (error) {
        return (error as Error).message;
      } finally {
        await rebuilt.close();
        await opened.close();
      }
    };
    const looked = () => withLive(seen);
    const change = (live: DocumentDatabase, { _id }: MessageDocument) =>
      live.collection('messages').updateOne({ _id }, { $set: { content: 'half applied' } });
    await tampered(change, async () => {
      expect(await looked()).toMatch(/differs from a rebuild in content$/);
      await withLive(async (live) => {
        await live.ensure({ eventInParts: {} });
        await live.collection('eventInParts').insertOne({ _id: 'plan' });
      });
      expect(await looked()).toBe('looked again and again');
      await withLive((live) => live.collection('eventInParts').deleteMany({}));
    });
    expect(await looked()).toMatch(/^right at \d+$/);

    // The documents of the message before it is deleted, and their place in the log.
    await start();
    const id = await send(WORDS);
    await server.caughtUp();
    await server.stop();
    const before = await withLive(async (live) => ({
      position: Number(await live.checkpoint()),
      message: await live.collection('messages').findOne({ _id: id }),
    }));
    await start();
    await owner.delete(`messages/${id}`);
    await server.caughtUp();
    await server.stop();
    const after = await withLive(async (live) => {
      const position = Number(await live.checkpoint());
      if (before.message) await live.collection('messages').insertOne(before.message);
      await live.transaction((transaction) => transaction.setCheckpoint(before.position));
      return position;
    });
    expect(await looked()).toBe('looked again and again');
    await withLive(async (live) => {
      await live.collection('messages').deleteOne({ _id: id });
      await live.transaction((transaction) => transaction.setCheckpoint(after));
    });
    expect(await looked()).toMatch(/^right at \d+$/);
  });

  it('are said to be missing where there are none, and the others are compared', async () => {
    const put = (change: (record: ProjectionRecord) => ProjectionRecord) =>
      withLive(async (_, { documentStore }) => {
        const registry = await Registry.open(documentStore);
        const record = await registry.load('invitations');
        if (!record) throw new Error('there is no record');
        await registry.put(change(record));
        await registry.close();
        return record;
      });
    const right = await put((record) => ({ ...record, live: null, building: record.live }));
    expect(await verify()).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/The documents are right/),
      stderr: 'annals: not all documents could be compared: invitations is being built\n',
    });
    await put(() => right);
    expect(await verify()).toMatchObject(RIGHT);
  });

  it('leave nothing behind when the command is stopped', async () => {
    const command = spawnAnnals(['verify', '--documents'], settings());
    let stderr = '';
    command.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    let isAsked = false;
    command.stdout?.on('data', (chunk: Buffer) => {
      if (isAsked || !chunk.toString().includes('The log is right')) return;
      isAsked = true;
      command.kill('SIGTERM');
    });
    const [code] = await once(command, 'close');
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'annals: stopped while the documents were compared\n' });
    expect(await readdir(temporary)).toEqual([]);
  });
});
