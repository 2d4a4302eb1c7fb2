import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import type { MessageEdited } from '../../../src/events/messages/message.events.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { type ClientEvent, EventQueue } from '../../support/requests/event-queue.js';
import type { Params } from '../../support/requests/http.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('PATCH /messages/{message_id}, the content', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let guest: Member;
  let late: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    await annals.noDefaultChannels();
    owner = await annals.owner();
    iris = await annals.user('iris');
    guest = await annals.user('guest', 600);
    late = await annals.user('late');
    await iris.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }] });
    await owner.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'secret' }],
      invite_only: true,
      principals: [owner.id, iris.id],
    });
  });
  afterAll(() => annals.stop());

  const send = async (from: Member, content: string, to: object = { type: 'channel', to: 'general', topic: 't' }) =>
    (await from.api.post('/messages', { ...to, content })).body.id as number;
  const edit = (by: Member, id: number, params: Params) => by.api.patch(`/messages/${id}`, params);
  const editsOf = async (id: number) => (await annals.events(`message-${id}`)) as Recorded<MessageEdited>[];
  const recordOf = async (by: Member, id: number, params = {}) =>
    (await by.api.get(`/messages/${id}`, { apply_markdown: false, ...params })).body;
  const updates = async (queue: EventQueue): Promise<ClientEvent[]> =>
    (await queue.drain()).filter(({ type }) => type === 'update_message');

  it('changes the content, tells the readers, and keeps the old content', async () => {
    const id = await send(iris, 'first *words*');
    const queue = await EventQueue.register(owner.api);
    const { status, body } = await edit(iris, id, { content: '/me waves ' });
    expect([status, body]).toEqual([200, { result: 'success', msg: '', detached_uploads: [] }]);

    const [event, ...more] = await editsOf(id);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      type: 'MessageEdited',
      metadata: { actorId: iris.id },
      data: {
        messageId: id,
        place: { type: 'channel', channelId: 1, topic: 't' },
        previousContentRevision: 0,
        contentRevision: 1,
        content: { text: '/me waves', rendered: '<p>/me waves</p>', previousSha256: sha256('first *words*') },
      },
    });
    const edit_timestamp = Math.floor((event?.metadata.at as number) / 1000);
    expect(await updates(queue)).toEqual([
      {
        id: expect.any(Number),
        type: 'update_message',
        user_id: iris.id,
        rendering_only: false,
        message_id: id,
        message_ids: [id],
        flags: [],
        edit_timestamp,
        stream_id: 1,
        stream_name: 'general',
        orig_content: 'first *words*',
        orig_rendered_content: '<p>first <em>words</em></p>',
        content: '/me waves',
        rendered_content: '<p>/me waves</p>',
        is_me_message: true,
      },
    ]);
    const { message, raw_content } = await recordOf(owner, id);
    expect(raw_content).toBe('/me waves');
    expect(message).toMatchObject({
      content: '/me waves',
      is_me_message: true,
      last_edit_timestamp: edit_timestamp,
      edit_history: [
        {
          user_id: iris.id,
          timestamp: edit_timestamp,
          prev_content: 'first *words*',
          prev_rendered_content: '<p>first <em>words</em></p>',
        },
      ],
    });
  });

  it('tells each edit with the content before and after it, even if the queue is read late', async () => {
    const id = await send(iris, 'one');
    const queue = await EventQueue.register(owner.api);
    for (const content of ['two', 'three', 'four']) await edit(iris, id, { content });
    const told = (await updates(queue)).map(({ orig_content, content }) => [orig_content, content]);
    expect(told).toEqual([
      ['one', 'two'],
      ['two', 'three'],
      ['three', 'four'],
    ]);
    const { message } = await recordOf(owner, id);
    expect(message.edit_history.map((entry: ClientEvent) => entry.prev_content)).toEqual(['three', 'two', 'one']);
  });

  it('limits edit_history to the newest edits of long content; GET history has all of them', async () => {
    const long = (revision: number) => `${revision} ${'w'.repeat(9_900)}`;
    const id = await send(iris, long(0));
    for (let revision = 1; revision <= 7; revision++) await edit(iris, id, { content: long(revision) });
    const { message } = await recordOf(owner, id);
    expect(message.edit_history.map((entry: ClientEvent) => entry.prev_content)).toEqual([6, 5, 4, 3, 2].map(long));
    expect((await owner.api.get(`/messages/${id}/history`)).body.message_history).toHaveLength(8);
  });

  it.each(['moves', 'none'])('tells nobody the former content if the history shows %s', async (policy) => {
    const policies = (message_edit_history_visibility_policy: string) =>
      owner.api.patch('/realm', { message_edit_history_visibility_policy });
    const id = await send(iris, 'before');
    const queue = await EventQueue.register(owner.api);
    expect((await policies(policy)).status).toBe(200);
    await edit(iris, id, { content: 'after' });
    const [told] = await updates(queue);
    expect(told).toMatchObject({ content: 'after', rendered_content: '<p>after</p>' });
    expect(Object.keys(told ?? {})).not.toEqual(expect.arrayContaining(['orig_content']));
    expect(JSON.stringify(told)).not.toContain('before');
    await policies('all');
  });

  it('a queue that has the message already gets the edit alone', async () => {
    const queue = await EventQueue.register(owner.api);
    const id = await send(iris, 'before');
    await queue.drain();
    await edit(iris, id, { content: 'after' });
    expect((await updates(queue)).map(({ content }) => content)).toEqual(['after']);
  });

  it('a queue that is read late gets the message as it was sent, then its changes', async () => {
    const queue = await EventQueue.register(owner.api, { event_types: ['message', 'update_message', 'reaction'] });
    const id = await send(iris, 'before');
    await edit(iris, id, { content: 'after' });
    await iris.api.post(`/messages/${id}/reactions`, { emoji_name: 'smile' });
    const [sent, ...since] = await queue.drain();
    expect(sent?.message).toMatchObject({ id, content: 'before', reactions: [] });
    expect(sent?.message).not.toHaveProperty('edit_history');
    expect(sent?.message).not.toHaveProperty('last_edit_timestamp');
    expect(since).toMatchObject([
      { type: 'update_message', content: 'after' },
      { type: 'reaction', op: 'add' },
    ]);
  });

  it('a queue of a user who has left the channel gets no later change of the message', async () => {
    const leaver = await annals.user('gone');
    const name = 'left';
    const principals = [iris.id, leaver.id];
    await iris.api.post('/users/me/subscriptions', { subscriptions: [{ name }], invite_only: true, principals });
    const queue = await EventQueue.register(leaver.api, { event_types: ['message', 'update_message', 'reaction'] });
    const id = await send(iris, 'before', { type: 'channel', to: name, topic: 't' });
    await leaver.api.delete('/users/me/subscriptions', { subscriptions: [name] });
    await edit(iris, id, { content: 'not for those who left' });
    await iris.api.post(`/messages/${id}/reactions`, { emoji_name: 'smile' });
    const told = await queue.drain();
    expect(told.map(({ type }) => type)).toEqual(['message']);
    expect(told[0]?.message).toMatchObject({ id, content: 'before', reactions: [] });
  });

  it('appends and tells nothing if the content stays the same', async () => {
    const id = await send(iris, 'the same');
    const queue = await EventQueue.register(owner.api);
    expect((await edit(iris, id, { content: 'the same\n' })).body.result).toBe('success');
    expect(await editsOf(id)).toEqual([]);
    expect(await updates(queue)).toEqual([]);
  });

  it('stores (deleted) for empty content', async () => {
    const id = await send(iris, 'never mind');
    await edit(iris, id, { content: '  ' });
    expect((await recordOf(owner, id)).raw_content).toBe('(deleted)');
  });

  it('accepts one of several edits of the same content', async () => {
    const id = await send(iris, 'contested');
    const prev_content_sha256 = sha256('contested');
    const answers = await Promise.all(
      ['mine', 'ours', 'theirs'].map((content) => edit(iris, id, { content, prev_content_sha256 })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const refused = answers.find(({ status }) => status === 400);
    expect(refused?.body).toEqual({
      result: 'error',
      code: 'EXPECTATION_MISMATCH',
      msg: "'prev_content_sha256' value does not match the expected value.",
    });
    expect(await editsOf(id)).toHaveLength(1);
  });

  it('reports unsupported parameters', async () => {
    const id = await send(iris, 'stays');
    const { body } = await edit(iris, id, { content: 'changes', colour: 'red' });
    expect(body).toMatchObject({ result: 'success', ignored_parameters_unsupported: ['colour'] });
  });

  describe('refuses, and appends nothing:', () => {
    const refused = (by: Member, id: number, params: Params, msg: string) =>
      expectRefusal(annals, () => edit(by, id, params), msg);

    it.each([
      ['a request without a change', {}, 'Nothing to change'],
      [
        'a propagate_mode without a new topic',
        { content: 'x', propagate_mode: 'change_all' },
        'Invalid propagate_mode without topic edit',
      ],
      [
        'an unknown mode',
        { content: 'x', propagate_mode: 'some' },
        'propagate_mode must be one of change_one, change_later, change_all',
      ],
      ['null bytes', { content: 'a\0b' }, 'content must not contain null bytes'],
    ])('%s', async (_, params, msg) => {
      await refused(iris, await send(iris, 'words'), params, msg);
    });

    it('edits of messages of other users, also by administrators', async () => {
      const id = await send(iris, 'hers');
      await refused(owner, id, { content: 'x' }, "You don't have permission to edit this message");
    });

    it('messages that the caller cannot read, as if they did not exist', async () => {
      const secret = { type: 'channel', to: 'secret', topic: 't' };
      const inSecret = await send(iris, 'psst', secret);
      const direct = await send(iris, 'psst', { type: 'direct', to: [owner.id] });
      const inGeneral = await send(iris, 'psst');
      await refused(late, inSecret, { content: 'x' }, 'Invalid message(s)');
      await refused(late, direct, { content: 'x' }, 'Invalid message(s)');
      await refused(guest, inGeneral, { content: 'x' }, 'Invalid message(s)');
      await refused(iris, 999_999, { content: 'x' }, 'Invalid message(s)');
    });

    it('edits while editing is turned off', async () => {
      const id = await send(iris, 'words');
      await owner.api.patch('/realm', { allow_message_editing: false });
      await refused(iris, id, { content: 'x' }, 'Your organization has turned off message editing');
      await owner.api.patch('/realm', { allow_message_editing: true });
    });

    it('edits in an archived channel', async () => {
      const { body } = await owner.api.post('/channels/create', { name: 'old', subscribers: [owner.id, iris.id] });
      const id = await send(iris, 'words', { type: 'channel', to: 'old', topic: 't' });
      await owner.api.delete(`/streams/${body.id}`);
      await refused(iris, id, { content: 'x' }, 'Invalid message(s)');
    });
  });

  describe('is told to all users with access, and to nobody else:', () => {
    const told = async (readers: readonly Member[], id: number, by: Member) => {
      const queues = await Promise.all(readers.map(({ api }) => EventQueue.register(api)));
      await edit(by, id, { content: `changed ${id}` });
      return Promise.all(queues.map(async (queue) => (await updates(queue)).length));
    };

    it('in a public channel to present subscribers, and to subscribers at the time of sending', async () => {
      const leaver = await annals.user('leaver');
      await leaver.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }] });
      const id = await send(iris, 'public');
      await leaver.api.delete('/users/me/subscriptions', { subscriptions: ['general'] });
      expect(await told([iris, owner, leaver, late, guest], id, iris)).toEqual([1, 1, 1, 0, 0]);
    });

    it('in a private channel with protected history to users subscribed at the time of sending and now', async () => {
      const id = await send(iris, 'private', { type: 'channel', to: 'secret', topic: 't' });
      await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], principals: [late.id] });
      expect(await told([iris, owner, late, guest], id, iris)).toEqual([1, 1, 0, 0]);
    });

    it('in a conversation to its members', async () => {
      const id = await send(iris, 'direct', { type: 'direct', to: [guest.id] });
      const queue = await EventQueue.register(guest.api);
      expect(await told([iris, guest, owner], id, iris)).toEqual([1, 1, 0]);
      const [update] = await updates(queue);
      expect(update).not.toHaveProperty('stream_id');
    });
  });

  describe('GET /messages/{message_id}/history', () => {
    const historyOf = (by: Member, id: number, params = {}) => by.api.get(`/messages/${id}/history`, params);

    it('has the first content and the content after each edit, the oldest first', async () => {
      const id = await send(iris, 'one', { type: 'channel', to: 'general', topic: '' });
      await edit(iris, id, { content: '*two*' });
      const { status, body } = await historyOf(owner, id, { allow_empty_topic_name: true });
      const time = expect.any(Number);
      const sent = { topic: '', content: 'one', rendered_content: '<p>one</p>', timestamp: time, user_id: iris.id };
      const after = { topic: '', content: '*two*', rendered_content: '<p><em>two</em></p>' };
      expect([status, body.message_history]).toEqual([
        200,
        [
          sent,
          { ...after, prev_content: 'one', prev_rendered_content: '<p>one</p>', timestamp: time, user_id: iris.id },
        ],
      ]);
      const { body: named } = await historyOf(owner, id);
      expect(named.message_history[0].topic).toBe('general chat');
    });

    it('is refused for messages that the caller cannot read', async () => {
      const id = await send(iris, 'psst', { type: 'direct', to: [owner.id] });
      const { status, body } = await historyOf(late, id);
      expect([status, body.msg]).toEqual([400, 'Invalid message(s)']);
    });

    it('shows as much as the organization allows', async () => {
      const id = await send(iris, 'first thought');
      await edit(iris, id, { content: 'second thought' });
      await owner.api.patch('/realm', { message_edit_history_visibility_policy: 'moves' });
      const moves = await historyOf(owner, id);
      expect(moves.body.message_history).toMatchObject([{ content: 'second thought' }]);
      const { message } = await recordOf(owner, id);
      expect(message).toHaveProperty('last_edit_timestamp');
      expect(message).not.toHaveProperty('edit_history');

      await owner.api.patch('/realm', { message_edit_history_visibility_policy: 'none' });
      const none = await historyOf(owner, id);
      expect(none.body).toMatchObject({
        code: 'BAD_REQUEST',
        msg: 'Message edit history is disabled in this organization',
      });
      await owner.api.patch('/realm', { message_edit_history_visibility_policy: 'all' });
    });
  });

  it('is the same after a restart and a rebuild', async () => {
    const id = await send(iris, 'one');
    await edit(iris, id, { content: 'two' });
    const before = await recordOf(owner, id);
    await annals.restart();
    expect(await recordOf(owner, id)).toEqual(before);
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['messages'], () => {});
    expect(await recordOf(owner, id)).toEqual(before);
    await edit(iris, id, { content: 'three' });
    expect((await recordOf(owner, id)).message.edit_history).toHaveLength(2);
  });
});
