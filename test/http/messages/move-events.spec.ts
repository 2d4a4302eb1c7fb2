import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { messageStream, type ReactionAdded } from '../../../src/events/messages/message.events.js';
import type { TopicPlace } from '../../../src/events/messages/topics.events.js';
import { UnsubscribeUsers } from '../../../src/features/channels/domain/subscribe-users.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { ReadYourWrites } from '../../../src/platform/commands/read-your-writes.js';
import { move, moved } from '../../support/events/moves.js';
import { type ClientEvent, EventQueue } from '../../support/requests/event-queue.js';
import { Annals, by, type Member } from '../../support/servers/annals.js';

const MESSAGE_EVENTS = ['message', 'update_message', 'delete_message', 'reaction', 'update_message_flags'];
const SILENT = { notices: { oldThread: false, newThread: false } };

describe('the client events of a move', () => {
  let annals: Annals;
  let owner: Member;
  /** `everywhere` is in both channels of a move, `here` in the former, `there` in the new one, `nowhere` in none. */
  let everywhere: Member;
  let here: Member;
  let there: Member;
  let nowhere: Member;
  let guest: Member;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    [everywhere, here, there, nowhere] = (await Promise.all(
      ['everywhere', 'here', 'there', 'nowhere'].map((name) => annals.user(name)),
    )) as [Member, Member, Member, Member];
    guest = await annals.user('guest', 600);
  });
  afterAll(() => annals.stop());

  async function channel(members: readonly Member[], more: Record<string, unknown> = {}): Promise<number> {
    const name = `channel ${++made}`;
    const principals = members.map(({ id }) => id);
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name }], principals, ...more });
    return (await owner.api.get('/get_stream_id', { stream: name })).body.stream_id;
  }

  async function sent(to: number, topic: string, by = everywhere): Promise<number> {
    return (await by.api.post('/messages', { type: 'channel', to, topic, content: `words ${++made}` })).body.id;
  }

  const queues = (members: readonly Member[], more: Record<string, unknown> = {}) =>
    Promise.all(members.map(({ api }) => EventQueue.register(api, { event_types: MESSAGE_EVENTS, ...more })));

  const drained = async (queue: EventQueue | undefined): Promise<ClientEvent[]> => (await queue?.drain()) ?? [];

  const shift = (ids: readonly number[], from: TopicPlace, to: TopicPlace, more: object = {}): Promise<number> =>
    moved(annals, owner.id, move(from, to, { anchorId: ids[0] ?? 0, messageCount: ids.length, ...SILENT, ...more }));

  it('within a channel, tell the new topic to everybody who got the messages', async () => {
    const channelId = await channel([everywhere, here]);
    const first = await sent(channelId, 'tea');
    const other = await sent(channelId, 'coffee');
    const second = await sent(channelId, 'Tea');
    const [mine, outside] = await queues([here, nowhere]);
    await shift([first, second], { channelId, topic: 'tea' }, { channelId, topic: 'milk' });
    const [event, ...more] = await drained(mine);
    expect(more).toEqual([]);
    expect(event).toEqual({
      id: expect.any(Number),
      type: 'update_message',
      user_id: owner.id,
      rendering_only: false,
      message_id: first,
      message_ids: [first, second],
      edit_timestamp: expect.any(Number),
      stream_id: channelId,
      stream_name: `channel ${made - 3}`,
      propagate_mode: 'change_all',
      orig_subject: 'tea',
      subject: 'milk',
      topic_links: [],
      flags: [],
    });
    expect(event?.message_ids).not.toContain(other);
    expect(await drained(outside)).toEqual([]);
  });

  it('between public channels, go to the subscribers of both and to nobody else', async () => {
    const from = await channel([everywhere, here, guest]);
    const to = await channel([everywhere, there]);
    const ids = [await sent(from, 'tea'), await sent(from, 'tea')];
    const [all, mine, theirs, outside, guests] = await queues([everywhere, here, there, nowhere, guest]);
    await shift(ids, { channelId: from, topic: 'tea' }, { channelId: to, topic: 'tea' });
    const update = {
      type: 'update_message',
      message_ids: ids,
      stream_id: from,
      new_stream_id: to,
      orig_subject: 'tea',
    };
    for (const queue of [all, theirs]) {
      const [event, ...more] = await drained(queue);
      expect(event).toMatchObject(update);
      expect(event).not.toHaveProperty('subject');
      expect(event).not.toHaveProperty('topic_links');
      expect(more).toEqual([]);
    }
    expect(await drained(mine)).toMatchObject([
      update,
      { type: 'update_message_flags', op: 'add', flag: 'read', messages: ids },
    ]);
    expect(await drained(outside)).toEqual([]);
    // A guest does not see public channels without a subscription.
    expect(await drained(guests)).toMatchObject([
      { type: 'delete_message', message_id: ids[0] },
      { message_id: ids[1] },
    ]);
  });

  it('to a private channel, delete the messages for users outside it, in one event or one for each message', async () => {
    const from = await channel([everywhere, here]);
    const to = await channel([everywhere, there], { invite_only: true });
    const ids = [await sent(from, ''), await sent(from, ''), await sent(from, '')];
    const [mine, theirs] = await queues([here, there]);
    const [bulk] = await queues([here], {
      client_capabilities: { bulk_message_deletion: true, empty_topic_name: true },
    });
    await shift(ids, { channelId: from, topic: '' }, { channelId: to, topic: 'new' });
    const place = { type: 'delete_message', message_type: 'stream', stream_id: from };
    const each = ids.map((message_id) => ({ ...place, topic: 'general chat', message_id }));
    expect(await drained(mine)).toMatchObject(each);
    const [all, ...more] = await drained(bulk);
    expect(all).toEqual({ ...place, topic: '', message_ids: ids, id: expect.any(Number) });
    expect(more).toEqual([]);
    expect(await drained(theirs)).toMatchObject([
      { type: 'update_message', message_ids: ids, orig_subject: 'general chat', subject: 'new' },
    ]);
    // Later changes of the messages are not told to users outside the channel.
    await everywhere.api.patch(`/messages/${ids[0]}`, { content: 'secret' });
    expect(await drained(mine)).toEqual([]);
    expect(await drained(theirs)).toMatchObject([{ type: 'update_message', content: 'secret' }]);
  });

  it('of one move can be acknowledged one by one', async () => {
    const from = await channel([everywhere, here]);
    const to = await channel([everywhere], { invite_only: true });
    const ids = [await sent(from, 't'), await sent(from, 't'), await sent(from, 't')];
    const [mine] = await queues([here]);
    await shift(ids, { channelId: from, topic: 't' }, { channelId: to, topic: 't' });
    const events = await drained(mine);
    const again = await here.api.get('/events', { queue_id: mine?.id, last_event_id: events[0]?.id, dont_block: true });
    expect(again.body.events).toEqual(events.slice(1));
  });

  it('with protected history, name to each user the messages that the user can read', async () => {
    const channelId = await channel([everywhere, here], { invite_only: true, history_public_to_subscribers: false });
    const old = await sent(channelId, 't');
    await everywhere.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: `channel ${made - 1}` }],
      principals: [there.id],
    });
    const fresh = await sent(channelId, 't');
    const [mine, theirs] = await queues([here, there]);
    await shift([old, fresh], { channelId, topic: 't' }, { channelId, topic: 'u' });
    expect(await drained(mine)).toMatchObject([{ message_id: old, message_ids: [old, fresh] }]);
    expect(await drained(theirs)).toMatchObject([{ message_id: fresh, message_ids: [fresh] }]);
    // A subscriber can read messages that arrive after the subscription, whatever their age.
    const to = await channel([there], { invite_only: true, history_public_to_subscribers: false });
    await shift([old, fresh], { channelId, topic: 'u' }, { channelId: to, topic: 'u' });
    expect(await drained(theirs)).toMatchObject([{ message_ids: [old, fresh], new_stream_id: to }]);
    expect(await drained(mine)).toMatchObject([{ type: 'delete_message', message_id: old }, { message_id: fresh }]);
  });

  it('go to a user who got the message as long as its channel is public, over many moves', async () => {
    const [first, second, third] = [
      await channel([everywhere, here]),
      await channel([there]),
      await channel([everywhere]),
    ];
    const id = await sent(first, 'a');
    await shift([id], { channelId: first, topic: 'a' }, { channelId: second, topic: 'b' });
    await shift([id], { channelId: second, topic: 'b' }, { channelId: third, topic: 'c' });
    const [mine, theirs, outside] = await queues([here, there, nowhere]);
    await everywhere.api.patch(`/messages/${id}`, { content: 'anew' });
    await shift([id], { channelId: third, topic: 'c' }, { channelId: third, topic: 'd' });
    for (const queue of [mine, theirs])
      expect(await drained(queue)).toMatchObject([
        { type: 'update_message', content: 'anew', stream_id: third },
        { type: 'update_message', orig_subject: 'c', subject: 'd' },
      ]);
    expect(await drained(outside)).toEqual([]);
  });

  it('and later events have the place as of each event in a queue that is read late', async () => {
    const [from, to] = [await channel([everywhere, here]), await channel([everywhere, here])];
    const [late] = await queues([here]);
    const [first, second, third] = [await sent(from, 'a'), await sent(from, 'a'), await sent(from, 'a')];
    await here.api.post('/messages/flags', { messages: [first], flag: 'read', op: 'add' });
    await here.api.post('/messages/flags', { messages: [first], flag: 'read', op: 'remove' });
    await shift([first, second, third], { channelId: from, topic: 'a' }, { channelId: to, topic: 'b' });
    await everywhere.api.patch(`/messages/${first}`, { content: 'anew' });
    await shift(
      [first],
      { channelId: to, topic: 'b' },
      { channelId: from, topic: 'c' },
      { propagateMode: 'change_one' },
    );
    await everywhere.api.delete(`/messages/${second}`);
    await annals.execute(new UnsubscribeUsers({ channelId: to, userIds: [here.id], by }));
    await shift([third], { channelId: to, topic: 'b' }, { channelId: to, topic: 'e' });
    const events = (await drained(late)).filter(({ type, op }) => type !== 'update_message_flags' || op === 'remove');
    expect(events).toMatchObject([
      { type: 'message', message: { id: first, stream_id: from, subject: 'a' }, flags: [] },
      { type: 'message', message: { id: third, stream_id: from, subject: 'a' }, flags: [] },
      {
        type: 'update_message_flags',
        messages: [first],
        message_details: { [first]: { stream_id: from, topic: 'a' } },
      },
      { message_id: first, message_ids: [first, third], stream_id: from, new_stream_id: to, subject: 'b' },
      { message_id: first, content: 'anew', stream_id: to },
      { message_ids: [first], stream_id: to, new_stream_id: from, orig_subject: 'b', subject: 'c' },
      { type: 'delete_message', message_id: second, stream_id: to, topic: 'b' },
      { message_ids: [third], stream_id: to, orig_subject: 'b', subject: 'e' },
    ]);
  });

  it('delete a message for a user who lost access, who is not told its later deletion', async () => {
    const from = await channel([everywhere, here]);
    const to = await channel([everywhere], { invite_only: true });
    const id = await sent(from, 'a');
    const [late] = await queues([here]);
    await shift([id], { channelId: from, topic: 'a' }, { channelId: to, topic: 'b' });
    await everywhere.api.delete(`/messages/${id}`);
    expect(await drained(late)).toMatchObject([
      { type: 'delete_message', message_id: id, stream_id: from, topic: 'a' },
    ]);
  });

  it('and a reaction decided before the move go to the readers of the new channel', async () => {
    const from = await channel([everywhere, here]);
    const to = await channel([everywhere, there], { invite_only: true });
    const id = await sent(from, 'a');
    const decidedAt = await annals.head();
    await shift([id], { channelId: from, topic: 'a' }, { channelId: to, topic: 'b' });
    const [mine, theirs] = await queues([here, there]);
    const reaction: ReactionAdded = {
      type: 'ReactionAdded',
      data: {
        messageId: id,
        place: { type: 'channel', channelId: from, topic: 'a' },
        placeAsOf: decidedAt,
        userId: everywhere.id,
        emojiName: 'tada',
        emojiCode: '1f389',
        reactionType: 'unicode_emoji',
      },
    };
    const { position } = await annals.app.get(CommandRunner).report(messageStream(id), reaction, by);
    await annals.app.get(ReadYourWrites).waitFor(position, [reaction]);
    expect(await drained(mine)).toEqual([]);
    expect(await drained(theirs)).toMatchObject([{ type: 'reaction', message_id: id }]);
  });

  it('are not told to a client that reads them only after the message is deleted', async () => {
    const channelId = await channel([everywhere, here]);
    const [quick, late] = await queues([everywhere, here]);
    const id = await sent(channelId, 'tea');
    await shift([id], { channelId, topic: 'tea' }, { channelId, topic: 'milk' });
    expect((await drained(quick)).map(({ type }) => type)).toEqual(['message', 'update_message']);
    await owner.api.delete(`/messages/${id}`);
    expect((await drained(quick)).map(({ type }) => type)).toEqual(['delete_message']);
    expect((await drained(late)).map(({ type }) => type)).toEqual(['delete_message']);
  });

  it('include the first_message_id of a channel without earlier messages', async () => {
    const [from, to] = [await channel([everywhere, here]), await channel([everywhere, here])];
    const id = await sent(from, 'a');
    const queue = await EventQueue.register(here.api, { event_types: ['stream'] });
    await shift([id], { channelId: from, topic: 'a' }, { channelId: to, topic: 'a' });
    expect(await drained(queue)).toMatchObject([
      { op: 'update', stream_id: to, property: 'first_message_id', value: id },
    ]);
  });
});
