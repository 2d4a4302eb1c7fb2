import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MessagesMoved } from '../../../src/events/messages/topics.events.js';
import { SYSTEM_GROUP_IDS } from '../../../src/events/shared/group-setting.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import type { Params } from '../../support/requests/http.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const NOBODY = SYSTEM_GROUP_IDS['role:nobody'];
const EVERYONE = SYSTEM_GROUP_IDS['role:everyone'];
const QUIET = { send_notification_to_new_thread: false };

describe('PATCH /messages/{message_id} with topic or channel', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let late: Member;
  const ids: Record<string, number> = {};

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    iris = await annals.user('iris');
    late = await annals.user('late');
    const make = async (name: string, members: Member[], more: object = {}): Promise<void> => {
      await owner.api.post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: members.map(({ id }) => id),
        ...more,
      });
      ids[name] = (await owner.api.get('/get_stream_id', { stream: name })).body.stream_id;
    };
    await make('source', [owner, iris]);
    await make('target', [owner, iris]);
    await make('secret', [owner, iris], { invite_only: true, history_public_to_subscribers: false });
    await make('hidden', [owner], { invite_only: true });
    await make('quiet', [owner, iris], { can_send_message_group: NOBODY });
    await make('unnamed', [owner, iris], { topics_policy: 'empty_topic_only' });
    await make('named', [owner, iris], { topics_policy: 'disable_empty_topic' });
    await make('archive', [owner, iris]);
    await owner.api.delete(`/streams/${ids.archive}`);
  });
  afterAll(() => annals.stop());

  const send = async (from: Member, topic: string, to = 'source'): Promise<number> =>
    (await from.api.post('/messages', { type: 'channel', to, topic, content: `in ${topic}` })).body.id;
  const move = async (by: Member, id: number, params: Params) => {
    const { body } = await by.api.patch(`/messages/${id}`, { ...QUIET, ...params });
    return body.result === 'success' ? body.result : body.msg;
  };
  const placeOf = async (id: number): Promise<string> => {
    const { message } = (await owner.api.get(`/messages/${id}`)).body;
    return `${message.display_recipient}/${message.subject}`;
  };
  const movesOut = async (name: string) => (await annals.events(`topics-${ids[name]}`)) as Recorded<MessagesMoved>[];
  const lastMove = async (name = 'source') => (await movesOut(name)).at(-1);
  const realm = (settings: object) => owner.api.patch('/realm', { ...settings });
  const topicsOf = async (by: Member, name: string): Promise<[string, number][]> =>
    (await by.api.get(`/users/me/${ids[name]}/topics`)).body.topics.map((topic: { name: string; max_id: number }) => [
      topic.name,
      topic.max_id,
    ]);

  it('moves a message to another topic, with one event', async () => {
    const [one, two] = [await send(iris, 'lunch'), await send(iris, 'lunch')];
    expect((await iris.api.patch(`/messages/${one}`, { ...QUIET, topic: ' Dinner ' })).body).toEqual({
      result: 'success',
      msg: '',
      detached_uploads: [],
    });
    expect([await placeOf(one), await placeOf(two)]).toEqual(['source/Dinner', 'source/lunch']);
    expect(await lastMove()).toMatchObject({
      type: 'MessagesMoved',
      metadata: { actorId: iris.id },
      data: {
        anchorId: one,
        propagateMode: 'change_one',
        from: { channelId: ids.source, topic: 'lunch' },
        to: { channelId: ids.source, topic: 'Dinner' },
        reach: null,
        messageCount: 1,
        isWholeTopic: false,
        notices: { oldThread: false, newThread: false },
      },
    });
  });

  it('moves the later messages or all of the topic, and the list of topics follows', async () => {
    const all = [];
    for (let n = 0; n < 4; n++) all.push(await send(iris, 'row'));
    const [, second, , last] = all as [number, number, number, number];
    expect(await move(owner, second, { topic: 'later', propagate_mode: 'change_later' })).toBe('success');
    expect((await lastMove())?.data).toMatchObject({ messageCount: 3, isWholeTopic: false });
    expect(await Promise.all(all.map(placeOf))).toEqual(['source/row', 'source/later', 'source/later', 'source/later']);
    expect(await move(iris, last, { stream_id: ids.target, subject: 'all', propagate_mode: 'change_all' })).toBe(
      'success',
    );
    expect((await lastMove())?.data).toMatchObject({ messageCount: 3, isWholeTopic: true, to: { topic: 'all' } });
    expect(await topicsOf(iris, 'target')).toEqual([['all', last]]);
    const names = (await topicsOf(iris, 'source')).map(([name]) => name);
    expect([names.includes('row'), names.includes('later')]).toEqual([true, false]);
    expect(await movesOut('target')).toEqual([]);
  });

  it('keeps the spelling of the target topic; a new spelling of the own topic is a change', async () => {
    const id = await send(iris, 'Begun');
    const other = await send(iris, 'elsewhere');
    await move(iris, other, { topic: 'BEGUN' });
    expect(await placeOf(other)).toBe('source/Begun');
    expect(await move(iris, id, { topic: 'begun', propagate_mode: 'change_all' })).toBe('success');
    expect([await placeOf(id), await placeOf(other)]).toEqual(['source/begun', 'source/begun']);
    expect((await topicsOf(iris, 'source'))[0]).toEqual(['begun', other]);
  });

  it('changes content and topic with one request, or neither', async () => {
    const id = await send(iris, 'both');
    expect(await move(iris, id, { topic: 'moved', content: 'new words', propagate_mode: 'change_all' })).toBe(
      'success',
    );
    const { message, raw_content } = (await owner.api.get(`/messages/${id}`)).body;
    expect([message.subject, raw_content]).toEqual(['moved', 'new words']);
    expect(await move(owner, id, { topic: 'again', content: 'not mine' })).toBe(
      "You don't have permission to edit this message",
    );
    expect(await move(iris, id, { topic: '✔', content: 'newer words' })).toMatch(/cannot be marked as resolved/);
    expect(await move(iris, id, { topic: 'moved', content: 'newest words' })).toBe('success');
    expect((await annals.events(`message-${id}`)).length).toBe(2);
    expect(await placeOf(id)).toBe('source/moved');
  });

  it.each<[string, (id: number) => Params, RegExp]>([
    [
      'a channel with new content',
      () => ({ content: 'x', stream_id: ids.target }),
      /^Cannot change message content while changing channel$/,
    ],
    ['its present place', () => ({ topic: 'here', stream_id: ids.source }), /^Nothing to change$/],
    ['a channel that does not exist', () => ({ stream_id: 999 }), /^Invalid channel ID$/],
    ['a channel that the caller does not see', () => ({ stream_id: ids.hidden }), /^Invalid channel ID$/],
    ['an archived channel', () => ({ stream_id: ids.archive }), /^Channel is archived$/],
    ['a channel where the caller may not write', () => ({ stream_id: ids.quiet }), /^Insufficient permission$/],
    ['a channel without named topics', () => ({ stream_id: ids.unnamed }), /^Only the general chat topic/],
    [
      'the empty topic where a topic is required',
      () => ({ stream_id: ids.named, topic: '(no topic)' }),
      /can't be empty/,
    ],
    ['a topic with control characters', () => ({ topic: 'a\u0007b' }), /not allowed/],
    ['a topic with null bytes', () => ({ topic: 'a\0b' }), /not allowed|null/],
    ['the empty topic as resolved', () => ({ topic: '✔ general chat' }), /cannot be marked as resolved/],
    [
      'a topic with a hash of other content',
      () => ({ topic: 'x', prev_content_sha256: 'f'.repeat(64) }),
      /does not match/,
    ],
    ['a topic with an unknown mode', () => ({ topic: 'x', propagate_mode: 'change_some' }), /propagate_mode/],
    ['a value that is not a channel id', () => ({ stream_id: 'x' }), /stream_id is not valid JSON/],
  ])('refuses to move to %s, and changes nothing', async (_, params, message) => {
    const id = await send(iris, 'here');
    const before = await annals.head();
    expect(await move(iris, id, params(id))).toMatch(message);
    expect(await annals.head()).toBe(before);
    expect(await placeOf(id)).toBe('source/here');
  });

  it('accepts the hash of the present content', async () => {
    const id = await send(iris, 'hashed');
    const prev_content_sha256 = createHash('sha256').update('in hashed').digest('hex').toUpperCase();
    expect(await move(iris, id, { topic: 'by hash', prev_content_sha256 })).toBe('success');
  });

  it('refuses direct messages, and messages that the caller cannot read', async () => {
    const { id } = (await iris.api.post('/messages', { type: 'direct', to: [owner.id], content: 'x' })).body;
    expect(await move(iris, id, { topic: 'x' })).toMatch(/no topic/);
    expect(await move(iris, id, { stream_id: ids.target })).toMatch(/to a channel/);
    const secret = await send(iris, 'x', 'secret');
    expect(await move(late, secret, { topic: 'y' })).toBe('Invalid message(s)');
    expect(await move(late, 10_000, { topic: 'y' })).toBe('Invalid message(s)');
  });

  it('reads the names of the empty topic as the empty topic', async () => {
    const id = await send(iris, 'some');
    for (const topic of ['(no topic)', 'general chat', '']) {
      await move(iris, id, { topic: 'some' });
      expect(await move(iris, id, { topic })).toBe('success');
      expect((await lastMove())?.data.to.topic).toBe('');
    }
  });

  describe('permissions', () => {
    afterAll(() =>
      realm({
        can_move_messages_between_topics_group: { new: EVERYONE },
        can_move_messages_between_channels_group: { new: SYSTEM_GROUP_IDS['role:members'] },
        can_resolve_topics_group: { new: EVERYONE },
      }),
    );

    it('are given by the organization or by the former channel', async () => {
      await realm({
        can_move_messages_between_topics_group: { new: NOBODY },
        can_move_messages_between_channels_group: { new: NOBODY },
        can_resolve_topics_group: { new: NOBODY },
      });
      const id = await send(iris, 'firm');
      const edits = "You don't have permission to edit this message";
      expect(await move(iris, id, { topic: 'x' })).toBe(edits);
      expect(await move(iris, id, { stream_id: ids.target })).toBe("You don't have permission to move this message");
      expect(await move(iris, id, { topic: '✔ firm', propagate_mode: 'change_all' })).toBe(
        "You don't have permission to resolve topics",
      );
      const channel = (settings: object) => owner.api.patch(`/streams/${ids.source}`, { ...settings });
      await channel({ can_resolve_topics_group: { new: EVERYONE } });
      expect(await move(iris, id, { topic: '✔ firm', propagate_mode: 'change_all' })).toBe('success');
      expect(await move(iris, id, { topic: '✔ other', propagate_mode: 'change_all' })).toBe(edits);
      expect(await move(iris, id, { topic: 'firm', propagate_mode: 'change_all' })).toBe('success');
      await channel({
        can_move_messages_out_of_channel_group: { new: { direct_members: [iris.id], direct_subgroups: [] } },
      });
      expect(await move(iris, id, { stream_id: ids.target, topic: 'x' })).toBe(edits);
      expect(await move(iris, id, { stream_id: ids.target })).toBe('success');
      const more = await send(iris, 'firm');
      await channel({ can_move_messages_within_channel_group: { new: EVERYONE } });
      expect(await move(iris, more, { topic: 'free' })).toBe('success');
    });
  });

  it('lets guests change topics if everyone may, but not move to a channel that they do not see', async () => {
    const guest = await annals.user('guest', 600);
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'source' }], principals: [guest.id] });
    const id = await send(guest, 'of a guest');
    expect(await move(guest, id, { topic: 'by a guest' })).toBe('success');
    expect(await move(guest, id, { stream_id: ids.target })).toBe('Invalid channel ID');
  });
});
