import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { type ClientEvent, EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('the star of a message that is moved out of reach of its reader', () => {
  let annals: Annals;
  let owner: Member;
  let reader: Member;
  const channels: Record<string, number> = {};

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    reader = await annals.user('reader');
    await create('open', false, [reader]);
    await create('vault', true, []);
  });
  afterAll(() => annals.stop());

  async function create(name: string, invite_only: boolean, members: readonly Member[]): Promise<void> {
    const principals = [owner.id, ...members.map(({ id }) => id)];
    const how = { invite_only, history_public_to_subscribers: true, principals };
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name }], ...how });
    channels[name] = (await owner.api.get('/get_stream_id', { stream: name })).body.stream_id;
  }

  async function starred(to: string): Promise<number> {
    const id: number = (await owner.api.post('/messages', { type: 'channel', to, topic: `t${to}`, content: 'x' })).body
      .id;
    for (const { api } of [owner, reader]) await star(api, id);
    return id;
  }
  const star = async (api: Member['api'], id: number, op = 'add'): Promise<number[]> =>
    (await api.post('/messages/flags', { messages: [id], op, flag: 'starred' })).body.messages;

  const move = (id: number, to: string) =>
    owner.api.patch(`/messages/${id}`, {
      stream_id: channels[to],
      propagate_mode: 'change_one',
      send_notification_to_new_thread: false,
    });

  /** Answers the starred messages as a new registration and is:starred have them. */
  async function starsOf({ api }: Member): Promise<number[]> {
    const { state } = await EventQueue.register(api, { fetch_event_types: ['starred_messages'] });
    const page = { anchor: 'oldest', num_before: 0, num_after: 100, narrow: [['is', 'starred']] };
    const read: ClientEvent[] = (await api.get('/messages', page)).body.messages;
    expect(read.map(({ id }) => id)).toEqual(state.starred_messages);
    return state.starred_messages;
  }

  const types = ['update_message_flags', 'delete_message', 'update_message'];
  const stars = (events: readonly ClientEvent[]): object[] =>
    events.flatMap<object>(({ type, op, flag, messages, message_id }) =>
      type === 'delete_message' ? [{ gone: message_id }] : flag === 'starred' ? [{ op, messages }] : [],
    );

  it('is gone for that reader alone, and does not come back with the message', async () => {
    const id = await starred('open');
    const queue = await EventQueue.register(reader.api, { event_types: types });
    expect(await starsOf(reader)).toEqual([id]);
    await move(id, 'vault');
    expect(stars(await queue.drain())).toEqual([{ gone: id }]);
    expect(await starsOf(reader)).toEqual([]);
    expect(await starsOf(owner)).toEqual([id]);

    await move(id, 'open');
    expect(stars(await queue.drain())).toEqual([]);
    expect(await starsOf(reader)).toEqual([]);
    expect((await reader.api.get(`/messages/${id}`)).body.message.flags).not.toContain('starred');

    expect(await star(reader.api, id)).toEqual([id]);
    expect(stars(await queue.drain())).toEqual([{ op: 'add', messages: [id] }]);
    expect(await starsOf(reader)).toEqual([id]);
    await star(reader.api, id, 'remove');
    await star(owner.api, id, 'remove');
  });

  it('can be set again after the reader subscribes to the new channel', async () => {
    const id = await starred('open');
    await move(id, 'vault');
    const principals = [reader.id];
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'vault' }], principals });
    expect(await starsOf(reader)).toEqual([]);
    expect(await star(reader.api, id)).toEqual([id]);
    expect(await starsOf(reader)).toEqual([id]);

    await annals.restart();
    expect(await starsOf(reader)).toEqual([id]);
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['read-state', 'messages'], () => {});
    expect(await starsOf(reader)).toEqual([id]);
    for (const { api } of [owner, reader]) await star(api, id, 'remove');
    await owner.api.delete('/users/me/subscriptions', { subscriptions: ['vault'], principals });
  });

  it('stays if the reader can read the message in the new channel, even without a subscription', async () => {
    await create('hall', false, []);
    const id = await starred('open');
    await move(id, 'hall');
    expect(await starsOf(reader)).toEqual([id]);
    await star(reader.api, id, 'remove');
  });

  it('is gone once the reader has left a private channel, and does not come back with a new subscription', async () => {
    await create('cellar', true, [reader]);
    const id = await starred('cellar');
    const queue = await EventQueue.register(reader.api, { event_types: types });
    await reader.api.delete('/users/me/subscriptions', { subscriptions: ['cellar'] });
    expect(stars(await queue.drain())).toEqual([{ op: 'remove', messages: [id] }]);
    expect(await starsOf(reader)).toEqual([]);
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'cellar' }], principals: [reader.id] });
    expect(await starsOf(reader)).toEqual([]);
    expect(await star(reader.api, id)).toEqual([id]);
    expect(await starsOf(reader)).toEqual([id]);
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['client-events'], () => {});
    expect(stars(await queue.drain())).toEqual([{ op: 'add', messages: [id] }]);
    for (const { api } of [owner, reader]) await star(api, id, 'remove');
  });

  it('is gone for those who are not subscribed once the channel becomes private', async () => {
    await create('yard', false, []);
    const id = await starred('yard');
    const queue = await EventQueue.register(reader.api, { event_types: types });
    await owner.api.patch(`/streams/${channels.yard}`, { is_private: true });
    expect(stars(await queue.drain())).toEqual([{ op: 'remove', messages: [id] }]);
    expect(await starsOf(reader)).toEqual([]);
    expect(await starsOf(owner)).toContain(id);
    await star(owner.api, id, 'remove');
  });

  it('is gone for a guest outside of the channel, and stays for a member who leaves a public channel', async () => {
    await create('plaza', false, [reader]);
    const id = await starred('plaza');
    const queue = await EventQueue.register(reader.api, { event_types: types });
    await reader.api.delete('/users/me/subscriptions', { subscriptions: ['plaza'] });
    expect(stars(await queue.drain())).toEqual([]);
    expect(await starsOf(reader)).toEqual([id]);
    await owner.api.patch(`/users/${reader.id}`, { role: 600 });
    expect(stars(await queue.drain())).toEqual([{ op: 'remove', messages: expect.arrayContaining([id]) }]);
    expect(await starsOf(reader)).toEqual([]);
  });
});
