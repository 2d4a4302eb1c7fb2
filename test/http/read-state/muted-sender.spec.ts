import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { type ClientEvent, EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('a message of a user whom the reader has muted', () => {
  let annals: Annals;
  let owner: Member;
  let reader: Member;
  let sender: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    [reader, sender] = [await annals.user('reader'), await annals.user('sender')];
    const principals = [owner.id, reader.id, sender.id];
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'one' }], principals });
  });
  afterAll(() => annals.stop());

  const send = async (to: object, by = sender): Promise<number> =>
    (await by.api.post('/messages', { content: `@**|${reader.id}**`, ...to })).body.id;
  const toChannel = { type: 'channel', to: 'one', topic: 't' };
  const toReader = () => ({ type: 'direct', to: [reader.id] });

  /** Answers the unread messages, and checks that register, narrows and anchors agree. */
  async function unreadOf({ api }: Member): Promise<number[]> {
    const { state } = await EventQueue.register(api);
    const { streams, pms, huddles, count, mentions } = state.unread_msgs;
    const ids: number[] = [...streams, ...pms, ...huddles].flatMap((one) => one.unread_message_ids).sort(byId);
    expect(count).toBe(ids.length);
    for (const id of mentions) expect(ids).toContain(id);
    const narrow = [['is', 'unread']];
    const page = { anchor: 'oldest', num_before: 0, num_after: 1000 };
    expect((await api.get('/messages', { ...page, narrow })).body.messages.map(idOf)).toEqual(ids);
    const withWords = [...narrow, { operator: 'sender', operand: sender.id }];
    const theirs = (await api.get('/messages', { ...page, narrow: withWords })).body.messages.map(idOf);
    expect(ids).toEqual(expect.arrayContaining(theirs));
    const first = await api.get('/messages', { anchor: 'first_unread', num_before: 0, num_after: 0 });
    expect(first.body.anchor).toBe(ids[0] ?? 10_000_000_000_000_000);
    return ids;
  }

  const flagsOf = async (id: number, { api }: Member): Promise<string[]> =>
    (await api.get(`/messages/${id}`)).body.message.flags;

  const cameTo = async (queue: EventQueue): Promise<[number, string[]][]> =>
    (await queue.drain()).filter(({ type }) => type === 'message').map((event) => [event.message.id, event.flags]);

  it('arrives with the read flag for that reader alone', async () => {
    await reader.api.post(`/users/me/muted_users/${sender.id}`);
    const queues = [await EventQueue.register(reader.api), await EventQueue.register(owner.api)] as const;
    const head = await annals.head();
    const ids = [
      await send(toChannel),
      await send(toReader()),
      await send({ type: 'direct', to: [reader.id, owner.id] }),
    ];
    const other = await send(toChannel, owner);
    // The flag needs no event.
    const types = (await annals.events(undefined, head)).map(({ type }) => type);
    expect(types).not.toContain('FlagsAdded');
    expect(await cameTo(queues[0])).toEqual([...ids.map((id) => [id, ['read', 'mentioned']]), [other, ['mentioned']]]);
    expect(await cameTo(queues[1])).toEqual([
      [ids[0], []],
      [ids[2], []],
      [other, expect.anything() as unknown as string[]],
    ]);
    expect(await unreadOf(reader)).toEqual([other]);
    expect(await flagsOf(ids[1] as number, reader)).toEqual(['read', 'mentioned']);
    expect(await unreadOf(owner)).toEqual(expect.arrayContaining([ids[0], ids[2]]));
    await reader.api.post('/mark_all_as_read');
  });

  it('can be marked as unread, and read again', async () => {
    const id = await send(toChannel);
    const mark = (op: string) => reader.api.post('/messages/flags', { messages: [id], op, flag: 'read' });
    expect((await mark('add')).body.messages).toEqual([]);
    expect((await mark('remove')).body.messages).toEqual([id]);
    expect(await unreadOf(reader)).toEqual([id]);
    expect((await mark('add')).body.messages).toEqual([id]);
    expect(await unreadOf(reader)).toEqual([]);
  });

  it('is read by that reader in read receipts', async () => {
    await owner.api.patch('/realm', { enable_read_receipts: true });
    const id = await send(toChannel);
    const { body } = await owner.api.get(`/messages/${id}/read_receipts`);
    expect(body.user_ids).toContain(reader.id);
  });

  it('stays read after the sender is unmuted; later messages are unread, also after a restart and a rebuild', async () => {
    const before = await send(toReader());
    await reader.api.delete(`/users/me/muted_users/${sender.id}`);
    const queue = await EventQueue.register(reader.api);
    const after = await send(toReader());
    expect(await cameTo(queue)).toEqual([[after, ['mentioned']]]);
    expect(await unreadOf(reader)).toEqual([after]);
    expect(await flagsOf(before, reader)).toContain('read');
    await reader.api.post(`/users/me/muted_users/${sender.id}`);
    expect(await unreadOf(reader)).toEqual([]);
    const last = await send(toChannel);

    await annals.restart();
    expect(await unreadOf(reader)).toEqual([]);
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['read-state'], () => {});
    expect(await unreadOf(reader)).toEqual([]);
    expect(await flagsOf(last, reader)).toEqual(['read', 'mentioned']);
    expect(await flagsOf(last, owner)).toEqual([]);
  });
});

const byId = (a: number, b: number): number => a - b;
const idOf = ({ id }: ClientEvent): number => id;
