import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { START } from '../../../src/platform/kernel/position.js';
import { EventQueue, told } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('POST /messages/flags', () => {
  let annals: Annals;
  let anna: Member;
  let bert: Member;
  let channel = 0;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    anna = await annals.user('anna');
    bert = await annals.user('bert');
  });
  afterAll(() => annals.stop());

  beforeEach(async () => {
    const name = `channel ${++made}`;
    await anna.api.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [anna.id, bert.id] });
    channel = (await anna.api.get('/get_stream_id', { stream: name })).body.stream_id;
  });

  const send = async (topic = 'lunch', to: number = channel): Promise<number> =>
    (await anna.api.post('/messages', { type: 'channel', to, topic, content: `message ${++made}` })).body.id;
  const whisper = async (): Promise<number> =>
    (await anna.api.post('/messages', { type: 'direct', to: [bert.id], content: `message ${++made}` })).body.id;
  const flagsOf = async (who: Member, id: number): Promise<string[]> =>
    (await who.api.get(`/messages/${id}`)).body.message.flags;
  const change = (who: Member, messages: number[], op: string, flag: string) =>
    who.api.post('/messages/flags', { messages, op, flag });
  const appended = async (work: () => Promise<unknown>) => {
    const before = await annals.head();
    await work();
    return (await annals.events(undefined, before)).map(({ stream, type, data }) => ({ stream, type, data }));
  };
  const unreadOf = async (who: Member): Promise<number[]> => {
    const { state } = await EventQueue.register(who.api, { event_types: ['message', 'update_message_flags'] });
    const { streams, pms, huddles } = state.unread_msgs;
    const ids: number[] = [...streams, ...pms, ...huddles].flatMap(({ unread_message_ids }) => unread_message_ids);
    return ids.sort((a, b) => a - b);
  };

  it.each(['read', 'starred', 'collapsed'])('adds and removes %s for one user alone', async (flag) => {
    const [first, second, third] = [await send(), await send(), await send()] as const;
    const annaBefore = await flagsOf(anna, first);
    const events = await appended(async () => {
      const { status, body } = await change(bert, [third, first, second, first], 'add', flag);
      expect({ status, body }).toEqual({
        status: 200,
        body: { result: 'success', msg: '', messages: [first, second, third] },
      });
    });
    const data = { userId: bert.id, flag, ranges: [[first, third]] };
    expect(events).toEqual([{ stream: `readState-${bert.id}`, type: 'FlagsAdded', data }]);
    expect(await flagsOf(bert, first)).toEqual([flag]);
    expect(await flagsOf(anna, first)).toEqual(annaBefore);

    const removed = await appended(async () => {
      const { body } = await change(bert, [second], 'remove', flag);
      expect(body.messages).toEqual([second]);
      expect(body.ignored_because_not_subscribed_channels).toEqual(flag === 'read' ? [] : undefined);
    });
    const taken = { userId: bert.id, flag, ranges: [[second, second]] };
    expect(removed).toEqual([{ stream: `readState-${bert.id}`, type: 'FlagsRemoved', data: taken }]);
    expect([await flagsOf(bert, second), await flagsOf(bert, third)]).toEqual([[], [flag]]);
  });

  it('answers and appends only changes', async () => {
    const [first, second] = [await send(), await send()];
    await change(bert, [first], 'add', 'read');
    const events = await appended(async () => {
      expect((await change(bert, [first, second], 'add', 'read')).body.messages).toEqual([second]);
      expect((await change(bert, [first, second], 'add', 'read')).body.messages).toEqual([]);
      expect((await change(bert, [], 'add', 'read')).body.messages).toEqual([]);
    });
    expect(events.map(({ data }) => data)).toEqual([{ userId: bert.id, flag: 'read', ranges: [[second, second]] }]);
  });

  it('tells the clients of the user alone', async () => {
    const event_types = ['update_message_flags'];
    const own = await EventQueue.register(bert.api, { event_types });
    const others = await EventQueue.register(anna.api, { event_types });
    const [first, second, direct] = [await send(''), await send('lunch'), await whisper()] as const;
    await change(bert, [first, second, direct], 'add', 'read');
    await change(bert, [first, second, direct], 'remove', 'read');
    await change(bert, [second], 'add', 'starred');
    await change(bert, [second], 'remove', 'starred');
    const type = 'update_message_flags';
    const added = { type, op: 'add', operation: 'add', all: false };
    const removed = { type, op: 'remove', operation: 'remove', all: false };
    expect(await told(own)).toEqual([
      { ...added, flag: 'read', messages: [first, second, direct] },
      {
        ...removed,
        flag: 'read',
        messages: [first, second, direct],
        message_details: {
          [first]: { type: 'stream', stream_id: channel, topic: 'general chat' },
          [second]: { type: 'stream', stream_id: channel, topic: 'lunch' },
          [direct]: { type: 'private', user_ids: [anna.id] },
        },
      },
      { ...added, flag: 'starred', messages: [second] },
      { ...removed, flag: 'starred', messages: [second] },
    ]);
    expect(await others.drain()).toEqual([]);
  });

  it.each([
    ['mentioned', "Flag not editable: 'mentioned'"],
    ['has_alert_word', "Flag not editable: 'has_alert_word'"],
    ['historical', "Flag not editable: 'historical'"],
    ['stream_wildcard_mentioned', "Flag not editable: 'stream_wildcard_mentioned'"],
    ['topic_wildcard_mentioned', "Flag not editable: 'topic_wildcard_mentioned'"],
    ['wildcard_mentioned', "Flag not editable: 'wildcard_mentioned'"],
    ['important', "Invalid flag: 'important'"],
  ])('refuses the flag %s', async (flag, msg) => {
    const id = await send();
    for (const path of ['/messages/flags', '/messages/flags/narrow']) {
      const { status, body } = await bert.api.post(path, {
        messages: [id],
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        narrow: [],
        op: 'add',
        flag,
      });
      expect({ status, body }).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST', msg } });
    }
  });

  it('refuses messages that the caller cannot read or that do not exist, and then changes none', async () => {
    const seen = await send();
    const { body: secret } = await anna.api.post('/messages', { type: 'direct', to: [anna.id], content: 'note' });
    const events = await appended(async () => {
      for (const id of [secret.id, 1_000_000, 0, -1]) {
        const { status, body } = await change(bert, [seen, id], 'add', 'starred');
        expect({ status, body }).toMatchObject({
          status: 400,
          body: { code: 'BAD_REQUEST', msg: 'Invalid message(s)' },
        });
      }
    });
    expect(events).toEqual([]);
  });

  it('marks nothing as unread in channels without a subscription, and names them', async () => {
    const here = await send();
    await change(bert, [here], 'add', 'read');
    const name = `outside ${++made}`;
    await anna.api.post('/users/me/subscriptions', { subscriptions: [{ name }] });
    const outside: number = (await anna.api.get('/get_stream_id', { stream: name })).body.stream_id;
    const there = await send('lunch', outside);
    const { body } = await change(bert, [here, there], 'remove', 'read');
    expect(body).toEqual({
      result: 'success',
      msg: '',
      messages: [here],
      ignored_because_not_subscribed_channels: [outside],
    });
    expect([await flagsOf(bert, here), await flagsOf(bert, there)]).toEqual([[], ['read', 'historical']]);
  });

  it('stars messages from before the subscription, and marks them as unread after it', async () => {
    const name = `older ${++made}`;
    await anna.api.post('/users/me/subscriptions', { subscriptions: [{ name }] });
    const older: number = (await anna.api.get('/get_stream_id', { stream: name })).body.stream_id;
    const id = await send('lunch', older);
    await change(bert, [id], 'add', 'starred');
    expect(await flagsOf(bert, id)).toEqual(['read', 'starred', 'historical']);
    await bert.api.post('/users/me/subscriptions', { subscriptions: [{ name }] });
    expect(await unreadOf(bert)).not.toContain(id);
    await change(bert, [id], 'remove', 'read');
    expect(await flagsOf(bert, id)).toEqual(['starred', 'historical']);
    expect(await unreadOf(bert)).toContain(id);
  });

  it('marks own messages as unread', async () => {
    const { body } = await bert.api.post('/messages', {
      type: 'channel',
      to: channel,
      topic: 'own',
      content: 'own',
      read_by_sender: true,
    });
    expect(await flagsOf(bert, body.id)).toEqual(['read']);
    expect(await unreadOf(bert)).not.toContain(body.id);
    await change(bert, [body.id], 'remove', 'read');
    expect(await flagsOf(bert, body.id)).toEqual([]);
    expect(await unreadOf(bert)).toContain(body.id);
  });

  it('changes narrows, anchors and the register response', async () => {
    const ids = [await send(), await send('tea'), await send(), await send('tea')];
    const [first, second, third, fourth] = ids as [number, number, number, number];
    await change(bert, [first, third], 'add', 'read');
    await change(bert, [third, fourth], 'add', 'starred');
    const listed = async (...narrow: unknown[]): Promise<number[]> => {
      const params = { anchor: 'oldest', num_before: 0, num_after: 100, narrow };
      const { body } = await bert.api.get('/messages', params);
      return body.messages.map(({ id }: { id: number }) => id);
    };
    const here = { operator: 'channel', operand: channel };
    const is = (operand: string, negated = false) => ({ operator: 'is', operand, negated });
    expect(await listed(here, is('unread'))).toEqual([second, fourth]);
    expect(await listed(here, is('unread', true))).toEqual([first, third]);
    expect(await listed(here, is('starred'))).toEqual([third, fourth]);
    expect(await listed(here, is('starred', true))).toEqual([first, second]);
    expect(await listed(here, is('starred'), is('unread'))).toEqual([fourth]);
    expect(await listed(is('starred'), is('unread', true))).toEqual(expect.arrayContaining([third]));

    const anchor = async (...narrow: unknown[]): Promise<number> =>
      (await bert.api.get('/messages', { anchor: 'first_unread', num_before: 1, num_after: 1, narrow })).body.anchor;
    expect(await anchor(here)).toBe(second);
    expect(await anchor(here, { operator: 'topic', operand: 'lunch' })).toBe(10_000_000_000_000_000);

    const { state } = await EventQueue.register(bert.api);
    expect(state.starred_messages).toEqual(expect.arrayContaining([third, fourth]));
    expect((await unreadOf(bert)).filter((id) => ids.includes(id))).toEqual([second, fourth]);
  });

  it('is permanent over a restart', async () => {
    const [first, second] = [await send(), await send()];
    await change(bert, [first], 'add', 'read');
    await change(bert, [second], 'add', 'starred');
    const before = await unreadOf(bert);
    await annals.restart();
    expect(await unreadOf(bert)).toEqual(before);
    expect([await flagsOf(bert, first), await flagsOf(bert, second)]).toEqual([['read'], ['starred']]);
    expect((await annals.events(`readState-${bert.id}`, START)).length).toBeGreaterThan(1);
  });

  it('keeps stars until the message is deleted, or the user cannot read it any more', async () => {
    const starredOf = async (): Promise<number[]> =>
      (await EventQueue.register(bert.api, { fetch_event_types: ['starred_messages'] })).state.starred_messages;
    const name = `secret ${++made}`;
    const subscriptions = [{ name }];
    const principals = [anna.id, bert.id];
    await anna.api.post('/users/me/subscriptions', { subscriptions, principals, invite_only: true });
    const secret = (await anna.api.get('/get_stream_id', { stream: name })).body.stream_id;
    const [open, closed, direct] = [await send(), await send('t', secret), await whisper()];
    const before = await starredOf();
    await change(bert, [direct, closed, open], 'add', 'starred');
    const starred = (...ids: number[]): number[] => [...before, ...ids].sort((a, b) => a - b);
    expect(await starredOf()).toEqual(starred(open, closed, direct));
    await bert.api.delete('/users/me/subscriptions', { subscriptions: [name] });
    expect(await starredOf()).toEqual(starred(open, direct));
    const shown = async (): Promise<number[]> => {
      const page = { anchor: 'newest', num_before: 100, num_after: 0, narrow: [['is', 'starred']] };
      return (await bert.api.get('/messages', page)).body.messages.map(({ id }: { id: number }) => id);
    };
    expect(await shown()).toEqual(starred(open, direct));
    await anna.api.post('/users/me/subscriptions', { subscriptions, principals });
    expect(await shown()).toEqual(starred(open, direct));
    await anna.api.delete(`/messages/${open}`);
    expect(await starredOf()).toEqual(starred(direct));
  });
});
