import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChannelEvent } from '../../../src/events/channels/channels.events.js';
import { channels } from '../../../src/features/channels/domain/channels.state.js';
import { foldCase } from '../../../src/platform/kernel/text.js';
import type { Answer } from '../../support/requests/http.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const WRITERS = 50;

describe('fifty concurrent requests', () => {
  let annals: Annals;
  let owner: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
  });
  afterAll(() => annals.stop());

  const create = async (name: string): Promise<number> =>
    (await owner.api.post('/channels/create', { name, subscribers: [] })).body.id;
  const all = <T>(write: (writer: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort((a, b) => a - b);
  const spelt = (word: string, writer: number) =>
    [...word].map((letter, at) => ((writer >> at) % 2 === 1 ? letter.toUpperCase() : letter)).join('');

  /** Checks that no two channels had the same name at any revision of the stream. */
  async function namesWereUnique(): Promise<void> {
    let state = channels.initialState;
    for (const event of await annals.events('channels')) {
      state = channels.evolve(state, event as unknown as ChannelEvent);
      const names = [...state.byId.values()].map(({ name }) => foldCase(name));
      expect(new Set(names).size).toBe(names.length);
      expect(state.idByName.size).toBe(names.length);
    }
  }

  it('create one channel of a name, in any case', async () => {
    const answers = await all((writer) =>
      owner.api.post('/channels/create', { name: spelt('planet', writer), subscribers: [owner.id] }),
    );
    expect(statuses(answers)).toEqual([200, ...Array.from({ length: WRITERS - 1 }, () => 409)]);
    const [made] = answers.filter(({ status }) => status === 200);
    expect((await owner.api.get('/get_stream_id', { stream: 'PLANET' })).body.stream_id).toBe(made?.body.id);
    await namesWereUnique();
  });

  it('give a name to one channel, whether they create or rename', async () => {
    const ids = await Promise.all(Array.from({ length: WRITERS / 2 }, (_, at) => create(`star ${at}`)));
    const head = await annals.head();
    const answers = await all((writer) =>
      writer < ids.length
        ? owner.api.patch(`/streams/${ids[writer]}`, { new_name: spelt('comet', writer) })
        : owner.api.post('/channels/create', { name: spelt('comet', writer), subscribers: [] }),
    );
    expect(statuses(answers)).toEqual([200, ...Array.from({ length: WRITERS - 1 }, () => 409)]);
    expect(await annals.events('channels', head)).toHaveLength(1);
    await namesWereUnique();
  });

  it('append renames that each name the former name', async () => {
    const id = await create('moon');
    const head = await annals.head();
    const answers = await all((writer) => owner.api.patch(`/streams/${id}`, { new_name: `moon ${writer}` }));
    expect(new Set(statuses(answers))).toEqual(new Set([200]));
    const renamed = (await annals.events('channels', head)) as unknown as Extract<
      ChannelEvent,
      { type: 'ChannelRenamed' }
    >[];
    expect(renamed).toHaveLength(WRITERS);
    let name = 'moon';
    for (const { data } of renamed) {
      expect(data.from).toBe(name);
      name = data.to;
    }
    expect((await owner.api.get(`/streams/${id}`)).body.stream.name).toBe(name);
    await namesWereUnique();
  });

  it('keep names unique while two channels exchange their names', async () => {
    const ids = await Promise.all([create('left'), create('right')]);
    const names = ['left', 'right', 'middle'];
    await all((writer) =>
      owner.api.patch(`/streams/${ids[writer % 2]}`, { new_name: spelt(names[writer % 3] as string, writer) }),
    );
    await namesWereUnique();
  });

  it('archive and unarchive a channel by turns, without repeated events', async () => {
    const id = await create('sun');
    const head = await annals.head();
    const answers = await all((writer) =>
      writer % 2 === 0 ? owner.api.delete(`/streams/${id}`) : owner.api.patch(`/streams/${id}`, { is_archived: false }),
    );
    expect(new Set(statuses(answers))).toEqual(new Set([200]));
    const types = (await annals.events('channels', head)).map(({ type }) => type);
    expect(types.length).toBeGreaterThan(0);
    types.forEach((type, at) => {
      expect(type).toBe(at % 2 === 0 ? 'ChannelArchived' : 'ChannelUnarchived');
    });
    const { is_archived } = (await owner.api.get(`/streams/${id}`)).body.stream;
    expect(is_archived).toBe(types.at(-1) === 'ChannelArchived');
  });

  it('change a permission from its old value once', async () => {
    const id = await create('orbit');
    const answers = await all((writer) =>
      owner.api.patch(`/streams/${id}`, { can_send_message_group: { new: 3 + (writer % 4), old: 2 } }),
    );
    const [done, ...refused] = answers.toSorted((a, b) => a.status - b.status);
    expect(done?.status).toBe(200);
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['EXPECTATION_MISMATCH']));
  });
});
