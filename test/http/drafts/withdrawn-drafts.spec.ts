import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { drafts as draftDocuments } from '../../../projections/drafts/drafts.projection.js';
import { Directory } from '../../../src/directory/directory.js';
import { personalStream } from '../../../src/events/personal/personal.events.js';
import { drafts } from '../../../src/features/drafts/domain/drafts.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { CONTENT_KEYS, type ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import { Deferred } from '../../../src/platform/kernel/deferred.js';
import { READ_MODELS, type ReadModels } from '../../../src/platform/read-models/read-models.js';
import { eventually } from '../../support/eventually.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import { Annals, by } from '../../support/servers/annals.js';

describe('withdrawn drafts', () => {
  let annals: Annals;

  beforeAll(async () => {
    annals = await Annals.start();
  });
  afterAll(() => annals.stop());

  /** Later decisions on the stream begin when the work is done. */
  async function holding<T>(stream: string, work: () => Promise<T>): Promise<T> {
    const done = new Deferred<void>();
    const held = annals.app.get(CommandRunner).decide({
      stream,
      decider: drafts,
      expects: 'any',
      decide: () => [],
      command: undefined,
      contextAsOf: () => done.promise,
      by,
    });
    try {
      return await work();
    } finally {
      done.resolve();
      await held;
    }
  }

  it('drafts of a user who turns synchronization off and on are nowhere, even before they are deleted', async () => {
    const { id: userId, api } = await annals.user('mila');
    const stream = personalStream(userId);
    const create = (...contents: string[]) =>
      api.post('/drafts', {
        drafts: contents.map((content) => ({ type: '', to: [], topic: '', content, timestamp: 1 })),
      });
    const synchronize = (to: boolean) => {
      const data = { userId, property: 'enable_drafts_synchronization', from: !to, to };
      return annals.app.get(CommandRunner).report(stream, { type: 'UserSettingChanged', data }, by);
    };
    const typesIn = async () => (await annals.events(stream)).map(({ type }) => type);
    const earlier = await EventQueue.register(api, { event_types: ['drafts'] });
    await create('first', 'second');

    // 1. The setting is changed while the deletion waits for its turn.
    const queue = await holding(stream, async () => {
      await synchronize(false);
      const { position } = await synchronize(true);
      await eventually(() => {
        expect(annals.app.get(Directory).position).toBeGreaterThanOrEqual(position);
        expect(annals.app.get<ReadModels>(READ_MODELS).position(draftDocuments)).toBeGreaterThanOrEqual(position);
      });
      expect((await api.get('/drafts')).body).toMatchObject({ result: 'success', count: 0, drafts: [] });
      const registered = await EventQueue.register(api, { event_types: ['drafts'] });
      expect(registered.state.drafts).toEqual([]);
      expect(await earlier.drain()).toEqual([]);
      expect(await typesIn()).not.toContain('DraftDeleted');
      return registered;
    });

    // 2. The deletion follows, and takes the keys.
    await eventually(async () => expect((await typesIn()).filter((type) => type === 'DraftDeleted')).toHaveLength(2));
    const created = (await annals.events(stream)).flatMap(({ id, type }) => (type === 'DraftCreated' ? id : []));
    const keys = annals.app.get<ContentKeys>(CONTENT_KEYS);
    await eventually(async () => expect((await keys.getMany(created)).size).toBe(0));

    // 3. State and events of the client are the fresh state.
    expect((await create('third')).body.ids).toEqual([3]);
    const third = { id: 3, type: '', to: [], topic: '', content: 'third', timestamp: 1 };
    expect(await queue.drain()).toMatchObject([{ type: 'drafts', op: 'add', drafts: [third] }]);
    expect((await EventQueue.register(api)).state.drafts).toEqual([third]);
  });
});
