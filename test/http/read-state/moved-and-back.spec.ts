import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('a message that is moved to a channel its reader is not in, and back', () => {
  let annals: Annals;
  let owner: Member;
  let reader: Member;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    reader = await annals.user('reader');
  });
  afterAll(() => annals.stop());

  async function channel(members: readonly Member[], more: object = {}): Promise<number> {
    const name = `channel ${++made}`;
    const principals = [owner, ...members].map(({ id }) => id);
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name }], principals, ...more });
    return (await owner.api.get('/get_stream_id', { stream: name })).body.stream_id;
  }

  async function sent(to: number, content = 'words'): Promise<number> {
    const message = { type: 'channel', to, topic: 'tea', content, read_by_sender: false };
    return (await owner.api.post('/messages', message)).body.id;
  }

  async function moveTo(stream_id: number, id: number): Promise<void> {
    const quiet = { send_notification_to_old_thread: false, send_notification_to_new_thread: false };
    const { body } = await owner.api.patch(`/messages/${id}`, { stream_id, propagate_mode: 'change_all', ...quiet });
    expect(body).toMatchObject({ result: 'success' });
  }

  const flag = (op: 'add' | 'remove', messages: readonly number[]) =>
    reader.api.post('/messages/flags', { op, flag: 'read', messages });

  async function unread(): Promise<number[]> {
    const { state } = await EventQueue.register(reader.api, { fetch_event_types: ['message', 'update_message_flags'] });
    const ids: number[] = state.unread_msgs.streams.flatMap(
      (one: { unread_message_ids: number[] }) => one.unread_message_ids,
    );
    const page = { anchor: 'oldest', num_before: 0, num_after: 100, narrow: [['is', 'unread']] };
    const { body } = await reader.api.get('/messages', page);
    expect(body.messages.map(({ id }: { id: number }) => id)).toEqual(ids.toSorted((a, b) => a - b));
    return ids;
  }

  it.each([
    ['a public channel', {}],
    ['a private channel', { invite_only: true }],
  ])('through %s is as it was', async (_, more) => {
    await reader.api.post('/mark_all_as_read');
    const [home, away] = [await channel([reader]), await channel([], more)];
    const mention = `for @**reader|${reader.id}**`;
    const [first, read, mentioned] = [await sent(home), await sent(home), await sent(home, mention)];
    await flag('add', [read]);
    const queue = await EventQueue.register(reader.api, { event_types: ['update_message_flags'] });
    await moveTo(away, first);
    expect(await unread()).toEqual([]);
    await queue.drain();
    await moveTo(home, first);
    expect(await unread()).toEqual([first, mentioned]);
    const place = { type: 'stream', stream_id: home, topic: 'tea' };
    expect(await queue.drain()).toEqual([
      {
        id: expect.any(Number),
        type: 'update_message_flags',
        op: 'remove',
        operation: 'remove',
        flag: 'read',
        messages: [first, mentioned],
        all: false,
        message_details: { [first]: place, [mentioned]: { ...place, mentioned: true } },
      },
    ]);
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['read-state', 'messages'], () => {});
    expect(await unread()).toEqual([first, mentioned]);
  });

  it('is unread, and clients are told so, if the reader joined the other channel meanwhile', async () => {
    await reader.api.post('/mark_all_as_read');
    const [home, away] = [await channel([reader]), await channel([])];
    const id = await sent(home);
    await moveTo(away, id);
    const { name } = (await owner.api.get(`/streams/${away}`)).body.stream;
    await reader.api.post('/users/me/subscriptions', { subscriptions: [{ name }] });
    const newer = await sent(away);
    expect(await unread()).toEqual([newer]);
    const queue = await EventQueue.register(reader.api, { event_types: ['update_message_flags'] });
    await moveTo(home, id);
    expect(await unread()).toEqual([id, newer]);
    expect(await queue.drain()).toMatchObject([{ op: 'remove', flag: 'read', messages: [id] }]);
  });

  it('is unread if it was marked so', async () => {
    await reader.api.post('/mark_all_as_read');
    const [home, away] = [await channel([reader]), await channel([])];
    const id = await sent(home);
    await flag('add', [id]);
    await flag('remove', [id]);
    await moveTo(away, id);
    await moveTo(home, id);
    expect(await unread()).toEqual([id]);
  });

  it('is read if everything was marked so meanwhile', async () => {
    const [home, away] = [await channel([reader]), await channel([])];
    const id = await sent(home);
    await moveTo(away, id);
    await reader.api.post('/mark_all_as_read');
    await moveTo(home, id);
    expect(await unread()).toEqual([]);
  });

  it('is read if the reader had left its channel, or never got it', async () => {
    await reader.api.post('/mark_all_as_read');
    const [home, other, away] = [await channel([reader]), await channel([reader]), await channel([])];
    const [left, foreign] = [await sent(home), await sent(away)];
    const subscriptions = [(await owner.api.get(`/streams/${home}`)).body.stream.name];
    await reader.api.delete('/users/me/subscriptions', { subscriptions });
    await moveTo(other, left);
    await moveTo(other, foreign);
    expect(await unread()).toEqual([]);
  });
});
