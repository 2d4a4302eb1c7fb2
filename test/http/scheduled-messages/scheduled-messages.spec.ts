import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ScheduledMessageDocument,
  scheduledMessages,
} from '../../../projections/scheduled-messages/scheduled-messages.projection.js';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { BeginScheduledSend } from '../../../src/features/scheduled-messages/domain/scheduled-messages.js';
import { ScheduledMessageSender } from '../../../src/features/scheduled-messages/services/scheduled-message-sender.js';
import { CONTENT_KEYS, type ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import { EVENT_STORE, type EventStore } from '../../../src/platform/log/event-store.js';
import { READ_MODELS, type ReadModels } from '../../../src/platform/read-models/read-models.js';
import { isShared } from '../../support/engines/own-engines.js';
import { eventually } from '../../support/eventually.js';
import { filesWith } from '../../support/files-with.js';
import { EventQueue, told } from '../../support/requests/event-queue.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, by, type Member } from '../../support/servers/annals.js';

const DONE = { result: 'success', msg: '' };
/** Time of a scheduled message from now on. Queues do not expire until then. */
const AHEAD_S = 120;
const LATE_S = 600;

describe('scheduled messages over HTTP', () => {
  let annals: Annals;
  let noor: Member;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    noor = await annals.user('noor');
  });
  afterAll(() => annals.stop());

  /** A new user, who has scheduled nothing, in a channel of their own. */
  const writer = async () => {
    const member = await annals.user(`writer${++made}`);
    const name = `channel ${made}`;
    await member.api.post('/users/me/subscriptions', { subscriptions: [{ name }] });
    const { stream_id: channelId } = (await member.api.get('/get_stream_id', { stream: name })).body;
    return { member, channelId: channelId as number };
  };
  const soon = () => Math.floor(Date.now() / 1000) + AHEAD_S;
  const inChannel = (to: number, content = 'Hello **all**') => ({ type: 'channel', to, topic: 'plans', content });
  const schedule = (member: Member, message: object, time = soon()) =>
    member.api.post('/scheduled_messages', { ...message, scheduled_delivery_timestamp: time });
  const edit = (member: Member, id: number, changes: object) =>
    member.api.patch(`/scheduled_messages/${id}`, { ...changes });
  const remove = (member: Member, id: number) => member.api.delete(`/scheduled_messages/${id}`);
  const listed = async (member: Member) => (await member.api.get('/scheduled_messages')).body.scheduled_messages;
  const registered = async (member: Member) =>
    (await member.api.post('/register', { fetch_event_types: ['scheduled_messages'] })).body.scheduled_messages;
  const queueOf = (member: Member) =>
    EventQueue.register(member.api, { event_types: ['scheduled_messages', 'message'] });
  const received = async (member: Member) =>
    (await member.api.get('/messages', { anchor: 'newest', num_before: 20, num_after: 0, apply_markdown: false })).body
      .messages as {
      id: number;
      sender_id: number;
      subject: string;
      content: string;
      flags: string[];
      client: string;
    }[];
  const sentBy = async (member: Member) => (await received(member)).filter(({ sender_id }) => sender_id === member.id);

  const at = async (seconds: number, work: () => Promise<unknown>) => {
    const { now } = Date;
    Date.now = () => now() + seconds * 1000;
    try {
      await work();
    } finally {
      Date.now = now;
    }
  };
  const sweep = () => annals.app.get(ScheduledMessageSender).sweep();
  /** Sends the messages that are due some seconds from now. The server, too, looks for them meanwhile. */
  const sendIn = (seconds: number) =>
    at(seconds, async () => {
      const documents = annals.app
        .get<ReadModels>(READ_MODELS)
        .collection<ScheduledMessageDocument>(scheduledMessages, scheduledMessages.items);
      await eventually(async () => {
        await sweep();
        expect(await documents.find({ isFailed: false, sendAt: { $lte: Date.now() } })).toEqual([]);
      });
    });
  const shown = (id: number, to: number, time: number, content = 'Hello **all**') => ({
    scheduled_message_id: id,
    type: 'stream',
    to,
    topic: 'plans',
    content,
    rendered_content: content === 'Hello **all**' ? '<p>Hello <strong>all</strong></p>' : `<p>${content}</p>`,
    scheduled_delivery_timestamp: time,
    failed: false,
  });

  it('are listed by time, and told to their writer alone', async () => {
    const { member, channelId } = await writer();
    const [queue, others] = [await queueOf(member), await queueOf(noor)];
    const time = soon();
    expect((await schedule(member, inChannel(channelId), time)).body).toEqual({ ...DONE, scheduled_message_id: 1 });
    const note = { type: 'direct', to: [noor.id], content: 'Hi' };
    expect((await schedule(member, note, time - 60)).body.scheduled_message_id).toBe(2);
    const direct = {
      scheduled_message_id: 2,
      type: 'private',
      to: [noor.id],
      content: 'Hi',
      rendered_content: '<p>Hi</p>',
      scheduled_delivery_timestamp: time - 60,
      failed: false,
    };
    const message = shown(1, channelId, time);
    expect(await listed(member)).toEqual([direct, message]);
    expect(await registered(member)).toEqual([direct, message]);
    expect(await registered(noor)).toEqual([]);
    expect(await told(queue)).toEqual([
      { type: 'scheduled_messages', op: 'add', scheduled_messages: [message] },
      { type: 'scheduled_messages', op: 'add', scheduled_messages: [direct] },
    ]);
    expect((await edit(member, 1, { content: 'Bye' })).body).toEqual(DONE);
    const changed = shown(1, channelId, time, 'Bye');
    expect(await listed(member)).toEqual([direct, changed]);
    expect(await told(queue)).toEqual([{ type: 'scheduled_messages', op: 'update', scheduled_message: changed }]);
    expect((await edit(member, 1, { type: 'direct', to: [noor.id] })).body).toEqual(DONE);
    expect((await listed(member))[1]).toMatchObject({ type: 'private', to: [noor.id], content: 'Bye' });
    expect((await remove(member, 1)).body).toEqual(DONE);
    expect((await told(queue)).at(-1)).toEqual({ type: 'scheduled_messages', op: 'remove', scheduled_message_id: 1 });
    expect(await told(others)).toEqual([]);
  });

  it('are sent at their time as the writer’s message, and removed', async () => {
    const { member, channelId } = await writer();
    await schedule(member, { ...inChannel(channelId), read_by_sender: true });
    const queue = await queueOf(member);
    await sendIn(AHEAD_S - 5);
    expect(await sentBy(member)).toEqual([]);
    const head = await annals.head();
    await sendIn(AHEAD_S + 5);
    await sendIn(AHEAD_S + 60);
    const [message, ...rest] = await sentBy(member);
    expect(rest).toEqual([]);
    expect(message).toMatchObject({ subject: 'plans', content: 'Hello **all**', flags: ['read'] });
    expect(await listed(member)).toEqual([]);
    const events = await told(queue);
    expect(events.map(({ type, op }) => [type, op])).toEqual([
      ['message', undefined],
      ['scheduled_messages', 'remove'],
    ]);
    const ofSchedules = (await annals.events(`user-${member.id}`, head)).filter(({ type }) => /Scheduled/.test(type));
    expect(ofSchedules.map(({ type, data }) => [type, data])).toEqual([
      ['ScheduledMessageSendBegun', expect.anything()],
      ['ScheduledMessageSent', expect.objectContaining({ messageId: message?.id })],
    ]);
    await expectRefusal(annals, () => remove(member, 1), 'Scheduled message does not exist', 404);
  });

  it('are sent by the running server', async () => {
    const { member, channelId } = await writer();
    // The time may have passed before a busy server looks at it.
    await eventually(async () =>
      expect((await schedule(member, inChannel(channelId), Math.floor(Date.now() / 1000) + 2)).status).toBe(200),
    );
    await eventually(async () => expect(await listed(member)).toEqual([]));
    expect(await sentBy(member)).toHaveLength(1);
  });

  it('are sent once if two processes go on with the same', async () => {
    const { member, channelId } = await writer();
    await schedule(member, inChannel(channelId));
    const sender = annals.app.get(ScheduledMessageSender);
    await at(AHEAD_S + 5, () => Promise.all([sender.sweep(), sender.sweep()]));
    await sendIn(AHEAD_S + 5);
    expect(await sentBy(member)).toHaveLength(1);
    const begun = (await annals.events(`user-${member.id}`)).filter(({ type }) => type === 'ScheduledMessageSendBegun');
    expect(begun).toHaveLength(1);
  });

  it('that a process has begun to send are neither edited nor deleted, and are taken over', async () => {
    const { member, channelId } = await writer();
    await schedule(member, inChannel(channelId));
    const [scheduled] = await annals.events(`user-${member.id}`);
    const keyId = String(Reflect.get(scheduled?.data ?? {}, 'keyId'));
    await at(AHEAD_S, () => annals.execute(new BeginScheduledSend({ userId: member.id, scheduleId: 1, keyId, by })));
    const sent = 'Scheduled message was already sent';
    await expectRefusal(annals, () => edit(member, 1, { content: 'Too late' }), sent);
    await expectRefusal(annals, () => remove(member, 1), sent);
    await at(AHEAD_S + 5, sweep);
    expect(await sentBy(member)).toEqual([]);
    await sendIn(AHEAD_S + 15);
    expect((await sentBy(member)).map(({ content }) => content)).toEqual(['Hello **all**']);
  });

  it('fail if the writer may no longer send them, say so, and wait again with a new time', async () => {
    const { member, channelId } = await writer();
    const owner = await annals.owner();
    const time = soon();
    await schedule(member, inChannel(channelId), time);
    const queue = await queueOf(member);
    expect((await owner.api.delete(`/streams/${channelId}`)).body).toEqual(DONE);
    await sendIn(AHEAD_S + 5);
    await sendIn(AHEAD_S + 60);
    const message = { ...shown(1, channelId, time), failed: true };
    expect(await listed(member)).toEqual([message]);
    const events = await told(queue);
    expect(events.filter(({ type }) => type === 'scheduled_messages')).toEqual([
      { type: 'scheduled_messages', op: 'update', scheduled_message: message },
    ]);
    expect(await sentBy(member)).toEqual([]);
    const notices = (await received(member)).filter(({ content }) => content.includes('you scheduled'));
    const text = new Date(time * 1000).toISOString().replace('.000', '');
    expect(notices.map(({ content }) => content)).toEqual([
      `The message you scheduled for <time:${text}> was not sent because of the following error:

> The channel is archived.

[View scheduled messages](#scheduled)`,
    ]);
    const past = 'Scheduled delivery time must be in the future.';
    expect((await owner.api.patch(`/streams/${channelId}`, { is_archived: false })).body).toEqual(DONE);
    await expectRefusal(annals, () => edit(member, 1, { content: 'Hello' }), past);
    expect((await edit(member, 1, { scheduled_delivery_timestamp: time + AHEAD_S })).body).toEqual(DONE);
    expect(await listed(member)).toEqual([shown(1, channelId, time + AHEAD_S)]);
    await sendIn(2 * AHEAD_S + 5);
    expect(await sentBy(member)).toHaveLength(1);
  });

  it('fail if they are more than 10 minutes late, and are still sent just before', async () => {
    const { member, channelId } = await writer();
    await schedule(member, inChannel(channelId, 'just in time'));
    await sendIn(AHEAD_S + LATE_S - 5);
    expect((await sentBy(member)).map(({ content }) => content)).toEqual(['just in time']);
    await schedule(member, inChannel(channelId, 'too late'));
    await sendIn(AHEAD_S + LATE_S + 5);
    expect((await sentBy(member)).map(({ content }) => content)).toEqual(['just in time']);
    expect(await listed(member)).toMatchObject([{ content: 'too late', failed: true }]);
    const [notice] = (await received(member)).filter(({ content }) => content.includes('you scheduled'));
    expect(notice?.content).toContain('> Message could not be sent at the scheduled time.');
  });

  it('fail silently if the writer is deactivated', async () => {
    const { member, channelId } = await writer();
    await schedule(member, inChannel(channelId));
    const owner = await annals.owner();
    await owner.api.delete(`/users/${member.id}`);
    const head = await annals.head();
    await sendIn(AHEAD_S + 5);
    expect((await annals.events(undefined, head)).map(({ type }) => type)).toEqual([
      'ScheduledMessageSendBegun',
      'ScheduledMessageFailed',
    ]);
  });

  it('are refused with the published errors, without a change', async () => {
    const { member, channelId } = await writer();
    const time = soon();
    const message = inChannel(channelId);
    await schedule(member, message, time);
    const refused = (body: object, msg: string, when = time) =>
      expectRefusal(annals, () => schedule(member, body, when), msg);
    const past = 'Scheduled delivery time must be in the future.';
    await refused(message, past, time - 2 * AHEAD_S);
    await refused({ ...message, content: ' ' }, 'Message must not be empty');
    await refused({ type: 'direct', to: [99999], content: 'Hi' }, 'Invalid user ID 99999');
    await refused({ ...message, to: [channelId, 1] }, 'Expected exactly one channel');
    const { body } = await schedule(member, { ...message, to: 99999 });
    expect(body).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST', stream_id: 99999 });
    const editing = (changes: object, msg: string) => expectRefusal(annals, () => edit(member, 1, changes), msg);
    await editing({}, 'Nothing to change');
    await editing({ type: 'direct' }, 'Recipient required when updating type of scheduled message.');
    const topicless = 'Topic required when updating scheduled message type to channel.';
    await editing({ type: 'channel', to: channelId }, topicless);
    await editing({ scheduled_delivery_timestamp: 1 }, past);
    const missing = 'Scheduled message does not exist';
    await expectRefusal(annals, () => edit(member, 2, { content: 'x' }), missing, 404);
    await expectRefusal(annals, () => remove(noor, 1), missing, 404);
    expect(await listed(member)).toEqual([shown(1, channelId, time)]);
  });

  it('leave no words behind when they are edited, deleted or sent', async () => {
    const { member, channelId } = await writer();
    const [first, second] = ['quokka-of-a-schedule', 'narwhal-of-a-schedule'] as const;
    const filesOf = (word: string) => filesWith(annals.dataDirectory, [Buffer.from(word)]);
    const stream = `user-${member.id}`;
    await schedule(member, inChannel(channelId, first));
    expect(JSON.stringify(await annals.app.get<EventStore>(EVENT_STORE).readStream(stream))).not.toContain(first);
    if (!isShared()) expect(await filesOf(first)).not.toEqual([]);
    await edit(member, 1, { content: second });
    expect(await filesOf(first)).toEqual([]);
    await remove(member, 1);
    expect(await filesOf(second)).toEqual([]);
    await schedule(member, inChannel(channelId));
    await sendIn(AHEAD_S + 5);
    const keyIds = (await annals.events(stream)).flatMap(({ data }) => ('keyId' in data ? String(data.keyId) : []));
    expect((await annals.app.get<ContentKeys>(CONTENT_KEYS).getMany(keyIds)).size).toBe(0);
  });

  it('keep both of two concurrent edits of different fields', async () => {
    const { member, channelId } = await writer();
    await schedule(member, inChannel(channelId));
    await Promise.all([edit(member, 1, { content: 'Bye' }), edit(member, 1, { topic: 'other' })]);
    expect(await listed(member)).toMatchObject([{ content: 'Bye', topic: 'other' }]);
  });

  it('are the same after a rebuild and a restart, and a client continues', async () => {
    const { member, channelId } = await writer();
    const queue = await queueOf(member);
    await schedule(member, inChannel(channelId));
    await edit(member, 1, { content: 'Bye' });
    await schedule(member, inChannel(channelId));
    await remove(member, 2);
    const before = await listed(member);
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['scheduled-messages', 'client-events'], () => {});
    expect(await listed(member)).toEqual(before);
    await annals.restart();
    queue.api = member.api;
    expect(await listed(member)).toEqual(before);
    expect((await told(queue)).map(({ op }) => op)).toEqual(['add', 'update', 'remove']);
    await sendIn(AHEAD_S + 5);
    expect((await sentBy(member)).map(({ content }) => content)).toEqual(['Bye']);
  });
});
