import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { type ClientEvent, EventQueue } from '../../support/requests/event-queue.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const TADA = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' };

describe('reactions', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let stranger: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    await annals.noDefaultChannels();
    owner = await annals.owner();
    iris = await annals.user('iris');
    stranger = await annals.user('stranger');
    await iris.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }] });
  });
  afterAll(() => annals.stop());

  const send = async (to: object = { type: 'channel', to: 'general', topic: 't' }) =>
    (await owner.api.post('/messages', { ...to, content: 'words' })).body.id as number;
  const react = (by: Member, id: number, params: object) => by.api.post(`/messages/${id}/reactions`, { ...params });
  const takeBack = (by: Member, id: number, params: object) =>
    by.api.delete(`/messages/${id}/reactions`, { ...params });
  const reactionsOf = async (id: number) => (await owner.api.get(`/messages/${id}`)).body.message.reactions;
  const reactionsTold = async (queue: EventQueue): Promise<ClientEvent[]> =>
    (await queue.drain()).filter(({ type }) => type === 'reaction');

  it('are added and removed, are in the message, and are told to its readers', async () => {
    const id = await send();
    const queue = await EventQueue.register(owner.api);
    const strangers = await EventQueue.register(stranger.api);
    expect((await react(iris, id, { emoji_name: 'tada' })).body).toEqual({ result: 'success', msg: '' });
    expect(await reactionsOf(id)).toEqual([{ ...TADA, user_id: iris.id }]);
    expect((await takeBack(iris, id, TADA)).body).toEqual({ result: 'success', msg: '' });
    expect(await reactionsOf(id)).toEqual([]);

    const place = { type: 'channel', channelId: 1, topic: 't' };
    const emoji = { emojiName: 'tada', emojiCode: '1f389', reactionType: 'unicode_emoji' };
    const data = { messageId: id, place, userId: iris.id, ...emoji };
    expect(await annals.events(`message-${id}`)).toMatchObject([
      { type: 'ReactionAdded', data, metadata: { actorId: iris.id } },
      { type: 'ReactionRemoved', data, metadata: { actorId: iris.id } },
    ]);
    const event = {
      id: expect.any(Number),
      type: 'reaction',
      message_id: id,
      ...TADA,
      user_id: iris.id,
      user: { user_id: iris.id, email: iris.email, full_name: 'iris', is_mirror_dummy: false },
    };
    expect(await reactionsTold(queue)).toEqual([
      { ...event, op: 'add' },
      { ...event, op: 'remove' },
    ]);
    expect(await reactionsTold(strangers)).toEqual([]);
  });

  it('are in lists of messages, and are told as events', async () => {
    const id = await send();
    const queue = await EventQueue.register(iris.api);
    await react(owner, id, TADA);
    await react(iris, id, { emoji_name: 'party_popper' });
    const { body } = await iris.api.get('/messages', { message_ids: [id] });
    expect(body.messages[0].reactions).toEqual([
      { ...TADA, user_id: owner.id },
      { ...TADA, user_id: iris.id },
    ]);
    expect(await reactionsTold(queue)).toHaveLength(2);
  });

  it('are added once by concurrent requests', async () => {
    const id = await send();
    const answers = await Promise.all([1, 2, 3].map(() => react(iris, id, TADA)));
    expect(answers.map(({ body }) => body.code ?? body.result).sort()).toEqual([
      'REACTION_ALREADY_EXISTS',
      'REACTION_ALREADY_EXISTS',
      'success',
    ]);
    expect(await reactionsOf(id)).toHaveLength(1);
  });

  it.each([
    ['an emoji that does not exist', { emoji_name: 'no_such' }, { msg: "Emoji 'no_such' does not exist" }],
    ['a code that does not exist', { ...TADA, emoji_code: 'xyz' }, { msg: 'Invalid emoji code' }],
    ['the name of another emoji', { ...TADA, emoji_name: 'octopus' }, { msg: 'Invalid emoji name' }],
    ['an invalid name', { ...TADA, emoji_name: 'A b' }, { msg: 'Invalid emoji name' }],
    [
      'an unknown type',
      { ...TADA, reaction_type: 'picture' },
      { msg: 'reaction_type must be one of unicode_emoji, realm_emoji, zulip_extra_emoji' },
    ],
    ['no name', {}, { code: 'REQUEST_VARIABLE_MISSING', msg: "Missing 'emoji_name' argument", var_name: 'emoji_name' }],
  ])('refuse %s, and append nothing', async (_, params, refusal) => {
    const id = await send();
    await expectRefusal(annals, () => react(iris, id, params), refusal);
  });

  it('cannot be added twice, or removed if they do not exist', async () => {
    const id = await send();
    await react(iris, id, TADA);
    const again = { status: 400, body: { code: 'REACTION_ALREADY_EXISTS', msg: 'Reaction already exists.' } };
    expect(await react(iris, id, { emoji_name: 'tada' })).toMatchObject(again);
    const none = { status: 400, body: { code: 'REACTION_DOES_NOT_EXIST', msg: "Reaction doesn't exist." } };
    expect(await takeBack(owner, id, TADA)).toMatchObject(none);
    const msg = 'At least one of the following arguments must be present: emoji_name, emoji_code';
    expect(await takeBack(owner, id, {})).toMatchObject({ status: 400, body: { msg } });
  });

  it('are refused to users who cannot read the message', async () => {
    const invalid = { status: 400, body: { msg: 'Invalid message(s)' } };
    const direct = await send({ type: 'direct', to: [iris.id] });
    expect(await react(stranger, direct, TADA)).toMatchObject(invalid);
    expect(await react(iris, 999_999, TADA)).toMatchObject(invalid);
    expect((await react(iris, direct, TADA)).body.result).toBe('success');
    await owner.api.delete(`/messages/${direct}`);
    expect(await takeBack(iris, direct, TADA)).toMatchObject(invalid);
  });

  it('are the same after a restart and a rebuild', async () => {
    const id = await send();
    await react(iris, id, TADA);
    await react(owner, id, { emoji_name: 'octopus' });
    const before = await reactionsOf(id);
    await annals.restart();
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['messages'], () => {});
    expect(await reactionsOf(id)).toEqual(before);
    expect((await react(iris, id, TADA)).body.code).toBe('REACTION_ALREADY_EXISTS');
  });
});
