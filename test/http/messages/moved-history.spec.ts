import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Annals, type Member } from '../../support/servers/annals.js';

const QUIET = { send_notification_to_new_thread: false };

describe('the history of a reader with a message moved from another channel', () => {
  let annals: Annals;
  let owner: Member;
  /** Subscribes to `from` before the message is sent, and to `to` after `before` is sent and before the move. */
  let both: Member;
  /** Subscribes to `to` only, before the move. */
  let there: Member;
  /** Subscribes to `from` only. */
  let here: Member;
  let from: number;
  let to: number;
  let moved: number;
  let before: number;
  let after: number;

  const send = async (topic: string, channel: string): Promise<number> =>
    (await owner.api.post('/messages', { type: 'channel', to: channel, topic, content: topic })).body.id;
  const join = (name: string, ...members: Member[]) =>
    owner.api.post('/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: members.map(({ id }) => id),
    });
  const idOf = async (stream: string): Promise<number> =>
    (await owner.api.get('/get_stream_id', { stream })).body.stream_id;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    both = await annals.user('both');
    there = await annals.user('there');
    here = await annals.user('here');
    await join('from', both, here);
    await join('to', owner);
    [from, to] = [await idOf('from'), await idOf('to')];
    moved = await send('to be moved', 'from');
    before = await send('before', 'to');
    await join('to', both, there);
    const { body } = await owner.api.patch(`/messages/${moved}`, { ...QUIET, stream_id: to });
    expect(body.result).toBe('success');
    after = await send('after', 'to');
  });
  afterAll(() => annals.stop());

  const page = async (by: Member, narrow: readonly unknown[] = [], more: object = {}) => {
    const asked = { anchor: 'newest', num_before: 50, num_after: 0, narrow, ...more };
    const { body } = await by.api.get('/messages', asked);
    const found = body.messages as { id: number; flags: readonly string[] }[];
    return found.filter(({ id }) => [moved, before, after].includes(id));
  };
  const ids = async (by: Member, narrow: readonly unknown[] = []): Promise<number[]> =>
    (await page(by, narrow)).map(({ id }) => id);
  const flags = async (by: Member, id: number): Promise<readonly string[] | undefined> =>
    (await page(by, [['channel', 'to']])).find((message) => message.id === id)?.flags;

  it('has the messages sent to the reader, in their present places', async () => {
    expect(await ids(both)).toEqual([moved, after]);
    expect(await ids(there)).toEqual([after]);
    expect(await ids(here)).toEqual([moved]);
    expect(await ids(both, [['topic', 'to be moved']])).toEqual([moved]);
    expect(await ids(there, [['channel', 'to']])).toEqual([moved, before, after]);
    expect(await ids(here, [['channel', 'from']])).toEqual([]);
    expect(await ids(both, [['search', 'moved']])).toEqual([moved]);
  });

  it('flags the moved message by what each reader was sent', async () => {
    expect(await flags(both, moved)).toEqual([]);
    expect(await flags(there, moved)).toEqual(['read', 'historical']);
    expect(await flags(here, moved)).toEqual(['read']);
  });

  it('counts the message as unread in its present channel, and not in its former channel', async () => {
    const unread = async (by: Member) => {
      const fetch_event_types = ['message', 'update_message_flags'];
      const { unread_msgs } = (await by.api.post('/register', { fetch_event_types })).body;
      return unread_msgs.streams.flatMap(({ stream_id, topic, unread_message_ids }: Record<string, unknown>) =>
        (unread_message_ids as number[]).includes(moved) ? [[stream_id, topic]] : [],
      );
    };
    expect(await unread(both)).toEqual([[to, 'to be moved']]);
    expect(await unread(there)).toEqual([]);
    expect(await unread(here)).toEqual([]);
    expect(
      await ids(both, [
        ['is', 'unread'],
        ['channel', 'to'],
      ]),
    ).toEqual([moved, after]);
    expect(await ids(here, [['is', 'unread']])).toEqual([]);
    const asked = { anchor: 'first_unread', num_before: 0, num_after: 1, narrow: [['channel', 'to']] };
    expect((await both.api.get('/messages', asked)).body.anchor).toBe(moved);
    expect((await there.api.get('/messages', asked)).body.anchor).toBe(after);
  });

  it('marks the message as read in its present place', async () => {
    await both.api.post('/mark_stream_as_read', { stream_id: from });
    expect(await flags(both, moved)).toEqual([]);
    await both.api.post('/mark_topic_as_read', { stream_id: to, topic_name: 'to be moved' });
    expect(await flags(both, moved)).toEqual(['read']);
    const { body } = await both.api.post('/messages/flags', { messages: [moved], op: 'remove', flag: 'read' });
    expect(body).toMatchObject({ messages: [moved] });
    expect(
      await ids(both, [
        ['is', 'unread'],
        ['topic', 'to be moved'],
      ]),
    ).toEqual([moved]);
  });
});
