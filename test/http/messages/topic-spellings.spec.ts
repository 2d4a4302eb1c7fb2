import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Directory } from '../../../src/directory/directory.js';
import { Facts } from '../../../src/directory/facts.js';
import { TopicSpellings } from '../../../src/features/messages/log/topic-spellings.js';
import { EVENT_STORE } from '../../../src/platform/log/event-store.js';
import { READ_MODELS, type ReadModels } from '../../../src/platform/read-models/read-models.js';
import { eventually } from '../../support/eventually.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const QUIET = { send_notification_to_new_thread: false, send_notification_to_old_thread: false };

describe('a topic keeps the spelling of its first message', () => {
  let annals: Annals;
  let owner: Member;
  let channel: number;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'kitchen' }] });
    channel = (await owner.api.get('/get_stream_id', { stream: 'kitchen' })).body.stream_id;
  });
  afterAll(() => annals.stop());

  const send = async (topic: string): Promise<number> =>
    (await owner.api.post('/messages', { type: 'channel', to: 'kitchen', topic, content: 'here' })).body.id;
  const spelled = async (topic: string): Promise<string> =>
    (await owner.api.get(`/messages/${await send(topic)}`)).body.message.subject;

  it('in all later messages', async () => {
    await send('Lunch');
    expect([await spelled('lunch'), await spelled('LUNCH'), await spelled('lunch')]).toEqual(Array(3).fill('Lunch'));
  });

  it('until a move changes the spelling', async () => {
    const id = await send('Tea');
    expect(await spelled('tea')).toBe('Tea');
    await owner.api.patch(`/messages/${id}`, { ...QUIET, topic: 'TEA', propagate_mode: 'change_all' });
    expect(await spelled('tea')).toBe('TEA');
  });

  it('until all its messages are deleted', async () => {
    const ids = [await send('Gone'), await send('gone'), await send('gone')];
    for (const id of ids) await owner.api.delete(`/messages/${id}`);
    expect(await spelled('GONE')).toBe('GONE');
  });

  it('until all its messages are moved to another topic', async () => {
    const ids = [await send('Away'), await send('away')];
    for (const id of ids) await owner.api.patch(`/messages/${id}`, { ...QUIET, topic: 'elsewhere' });
    expect(await spelled('aWAY')).toBe('aWAY');
  });

  it('and the spelling is read once for many messages, and again after a deletion', async () => {
    const readModels = annals.app.get<ReadModels>(READ_MODELS);
    let read = 0;
    const counting = {
      position: (...of: Parameters<ReadModels['position']>) => readModels.position(...of),
      collection: (...of: Parameters<ReadModels['collection']>) => {
        const collection = readModels.collection(...of);
        return {
          findOne: (...asked: Parameters<typeof collection.findOne>) => {
            read += 1;
            return collection.findOne(...asked);
          },
        };
      },
    } as unknown as ReadModels;
    const spellings = new TopicSpellings(new Facts(annals.app.get(Directory), counting), annals.app.get(EVENT_STORE));
    const first = await send('Often');
    const asked = async (): Promise<number> => {
      const before = read;
      for (let n = 0; n < 10; n++) expect(await spellings.first(channel, 'often')).toBe('Often');
      return read - before;
    };
    expect(await asked()).toBe(10);
    spellings.onApplicationBootstrap();
    try {
      // A spelling is remembered once the documents are at least as new as the directory was at the start.
      await send('Often');
      expect(await asked()).toBe(1);
      expect(await asked()).toBe(0);
      await owner.api.delete(`/messages/${first}`);
      await eventually(async () => expect(await asked()).toBeGreaterThan(0));
      await eventually(async () => expect(await asked()).toBe(0));
    } finally {
      await spellings.onApplicationShutdown();
    }
  });
});
