import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Annals, type Member } from '../../support/servers/annals.js';

const QUIET = { send_notification_to_new_thread: false };

/**
 * Checks all operations on a message for each combination of reader, kind of channel, age of the message, and whether it
 * was moved. A reader subscribes to each channel after the old messages were sent or moved there, before the new ones.
 */
describe('access to moved messages', () => {
  const KINDS = ['public', 'shared', 'protected'] as const;
  const AGES = ['old', 'arrived', 'new'] as const;
  const READERS = ['member', 'guest', 'outsider', 'former'] as const;
  type Kind = (typeof KINDS)[number];
  type Age = (typeof AGES)[number];
  type Reader = (typeof READERS)[number];

  let annals: Annals;
  let owner: Member;
  const readers = {} as Record<Reader, Member>;
  const ids = {} as Record<string, number>;
  /** `moved` are sent in `elsewhere`, `own` in the channel. `arrived` was sent before the reader subscribed, and moved after. */
  const messages = {} as Record<
    Kind,
    Record<'own' | 'moved', Record<Exclude<Age, 'arrived'>, number> & { arrived?: number }>
  >;

  const send = async (by: Member, to: string, topic: string): Promise<number> =>
    (await by.api.post('/messages', { type: 'channel', to, topic, content: 'words' })).body.id;
  const moveTo = async (id: number, channel: string): Promise<void> => {
    const { body } = await owner.api.patch(`/messages/${id}`, { ...QUIET, stream_id: ids[channel] });
    expect(body.result).toBe('success');
  };

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    readers.member = await annals.user('member');
    readers.guest = await annals.user('guest', 600);
    readers.outsider = await annals.user('outsider');
    readers.former = await annals.user('former');
    const kinds = {
      elsewhere: { invite_only: true, history_public_to_subscribers: true },
      public: {},
      shared: { invite_only: true, history_public_to_subscribers: true },
      protected: { invite_only: true, history_public_to_subscribers: false },
    };
    for (const [name, settings] of Object.entries(kinds)) {
      await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name }], ...settings });
      ids[name] = (await owner.api.get('/get_stream_id', { stream: name })).body.stream_id;
    }
    for (const kind of KINDS) {
      const late = await send(owner, 'elsewhere', 'late');
      const old = await send(owner, 'elsewhere', 'early');
      messages[kind] = { own: { old: await send(owner, kind, 'own'), new: 0 }, moved: { old, new: 0, arrived: late } };
      await moveTo(old, kind);
    }
    const joined = [readers.member.id, readers.guest.id, readers.former.id];
    for (const kind of KINDS)
      await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: kind }], principals: joined });
    for (const kind of KINDS) {
      const { own, moved } = messages[kind];
      await moveTo(moved.arrived as number, kind);
      own.new = await send(owner, kind, 'own');
      moved.new = await send(owner, 'elsewhere', 'later');
      await moveTo(moved.new, kind);
    }
    for (const kind of KINDS) await readers.former.api.delete('/users/me/subscriptions', { subscriptions: [kind] });
  });
  afterAll(() => annals.stop());

  function mayRead(reader: Reader, kind: Kind, age: Age): boolean {
    switch (reader) {
      case 'member':
        return kind !== 'protected' || age !== 'old';
      case 'guest':
        return kind !== 'protected' || age !== 'old';
      default:
        return kind === 'public';
    }
  }

  const cases = READERS.flatMap((reader) =>
    KINDS.flatMap((kind) =>
      (['own', 'moved'] as const).flatMap((how) =>
        AGES.filter((age) => how === 'moved' || age !== 'arrived').map((age) => [reader, kind, how, age] as const),
      ),
    ),
  );

  it.each(cases)('is right for a %s in a %s channel: message %s, %s', async (reader, kind, how, age) => {
    const id = messages[kind][how][age] as number;
    const { api } = readers[reader];
    const allowed = mayRead(reader, kind, age);
    const results = async (...requests: Promise<{ body: { result: string; msg: string } }>[]) =>
      (await Promise.all(requests)).map(({ body }) => (body.result === 'success' ? 'done' : body.msg));
    const reads = await results(api.get(`/messages/${id}`), api.get(`/messages/${id}/history`));
    expect(reads).toEqual(allowed ? ['done', 'done'] : ['Invalid message(s)', 'Invalid message(s)']);

    const narrow = [{ operator: 'channel', operand: ids[kind] }];
    const page = (await api.get('/messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow })).body;
    expect((page.messages ?? []).some((message: { id: number }) => message.id === id)).toBe(allowed);
    const flags = { messages: [id], op: 'add', flag: 'starred' };
    expect((await api.post('/messages/flags', flags)).body).toMatchObject(
      allowed ? { messages: [id] } : { result: expect.any(String) },
    );
    const starred = (
      await api.get('/messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow: [['is', 'starred']] })
    ).body.messages;
    expect(starred.some((message: { id: number }) => message.id === id)).toBe(allowed);

    const invalid = 'Invalid message(s)';
    const [reacted] = await results(api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }));
    expect(reacted).toBe(allowed ? 'done' : invalid);
    // Only the sender may edit and delete. A reader without access gets the answer for a message that does not exist.
    const [edited] = await results(api.patch(`/messages/${id}`, { content: 'other words' }));
    const [deleted] = await results(api.delete(`/messages/${id}`));
    expect([edited === invalid, deleted === invalid]).toEqual([!allowed, !allowed]);
    const [moved] = await results(api.patch(`/messages/${id}`, { ...QUIET, topic: 'taken', stream_id: 999_999 }));
    expect(moved).toBe(allowed ? 'Invalid channel ID' : invalid);
  });

  it('limits a move in a protected channel to the messages that the mover can read', async () => {
    const { own } = messages.protected;
    const { api } = readers.member;
    const { body } = await api.patch(`/messages/${own.new}`, {
      ...QUIET,
      topic: 'taken',
      propagate_mode: 'change_all',
    });
    expect(body.result).toBe('success');
    const [move] = (await annals.events(`topics-${ids.protected}`)).slice(-1);
    expect(move?.data).toMatchObject({ reach: [[own.new, null]], messageCount: 1, isWholeTopic: false });
    const topicOf = async (id: number) => (await owner.api.get(`/messages/${id}`)).body.message.subject;
    expect([await topicOf(own.old), await topicOf(own.new)]).toEqual(['own', 'taken']);
    const topics = async (by: Member) =>
      (await by.api.get(`/users/me/${ids.protected}/topics`)).body.topics.map(({ name }: { name: string }) => name);
    expect(await topics(readers.member)).toEqual(['later', 'taken', 'late']);
    expect([...(await topics(owner))].sort()).toEqual(['early', 'late', 'later', 'own', 'taken']);
  });
});
