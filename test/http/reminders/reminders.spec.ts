import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReminderDocument, reminders } from '../../../projections/reminders/reminders.projection.js';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { BeginReminder, MOST_REMINDERS } from '../../../src/features/reminders/domain/reminders.js';
import { ReminderSender } from '../../../src/features/reminders/services/reminder-sender.js';
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
/** Time of a reminder from now on. Queues do not expire until then. */
const AHEAD_S = 120;
const LOST = 'You asked for this reminder.\n\nThe message was deleted, or you can no longer read it.';

describe('reminders over HTTP', () => {
  let annals: Annals;
  let noor: Member;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    noor = await annals.user('noor');
  });
  afterAll(() => annals.stop());

  /** A new user without reminders, in a channel with Noor, who has written a message there. */
  const scene = async (content = 'Bring **cake**', options: object = {}) => {
    const member = await annals.user(`member${++made}`);
    const name = `channel ${made}`;
    const channel = { subscriptions: [{ name }], principals: [noor.id, member.id], ...options };
    expect((await noor.api.post('/users/me/subscriptions', channel)).body).toMatchObject(DONE);
    const { stream_id: channelId } = (await noor.api.get('/get_stream_id', { stream: name })).body;
    const sent = await noor.api.post('/messages', { type: 'channel', to: name, topic: 'to do', content });
    const address = `/#narrow/channel/${channelId}-channel-${made}/topic/to.20do/near/${sent.body.id}`;
    return { member, channelId: channelId as number, messageId: sent.body.id as number, address };
  };
  const soon = () => Math.floor(Date.now() / 1000) + AHEAD_S;
  const remind = (member: Member, message_id: number, options: { time?: number; note?: string } = {}) => {
    const { time: scheduled_delivery_timestamp = soon(), ...rest } = options;
    return member.api.post('/reminders', { message_id, scheduled_delivery_timestamp, ...rest });
  };
  const remove = (member: Member, id: number) => member.api.delete(`/reminders/${id}`);
  const listed = async (member: Member) => (await member.api.get('/reminders')).body.reminders;
  const registered = async (member: Member) =>
    (await member.api.post('/register', { fetch_event_types: ['reminders'] })).body.reminders;
  const queueOf = (member: Member) => EventQueue.register(member.api, { event_types: ['reminders', 'message'] });
  const noticesOf = async (member: Member) => {
    const range = { anchor: 'newest', num_before: 20, num_after: 0, apply_markdown: false };
    const { messages } = (await member.api.get('/messages', range)).body;
    const sent = messages as { id: number; sender_full_name: string; content: string; flags: string[]; type: string }[];
    return sent.filter(({ content }) => content.startsWith('You asked for this reminder.'));
  };
  const textsOf = async (member: Member) => (await noticesOf(member)).map(({ content }) => content);

  const at = async (seconds: number, work: () => Promise<unknown>) => {
    const { now } = Date;
    Date.now = () => now() + seconds * 1000;
    try {
      await work();
    } finally {
      Date.now = now;
    }
  };
  const sweep = () => annals.app.get(ReminderSender).sweep();
  /** Sends the reminders that are due some seconds from now. The server, too, looks for them meanwhile. */
  const sendIn = (seconds: number) =>
    at(seconds, async () => {
      const documents = annals.app
        .get<ReadModels>(READ_MODELS)
        .collection<ReminderDocument>(reminders, reminders.items);
      await eventually(async () => {
        await sweep();
        expect(await documents.find({ sendAt: { $lte: Date.now() } })).toEqual([]);
      });
    });
  const quoted = (address: string, text = 'Bring **cake**') =>
    `@_**noor|${noor.id}** [wrote](${address}):\n\n\`\`\`quote\n${text}\n\`\`\``;

  it('are listed by time, and told to their user alone', async () => {
    const { member, messageId, address } = await scene();
    const [queue, others] = [await queueOf(member), await queueOf(noor)];
    const time = soon();
    expect((await remind(member, messageId, { time, note: ' Chocolate \n' })).body).toEqual({
      ...DONE,
      reminder_id: 1,
    });
    expect((await remind(member, messageId, { time: time - 60 })).body.reminder_id).toBe(2);
    const common = { type: 'private', to: [member.id], failed: false, reminder_target_message_id: messageId };
    const first = {
      ...common,
      reminder_id: 1,
      content: `You asked for this reminder.\n\nYour note:\n\n\`\`\`quote\nChocolate\n\`\`\`\n\n${quoted(address)}`,
      rendered_content: [
        '<p>You asked for this reminder.</p>',
        '<p>Your note:</p>',
        '<blockquote>\n<p>Chocolate</p>\n</blockquote>',
        `<p><span class="user-mention silent" data-user-id="${noor.id}">noor</span> <a href="${address}">wrote</a>:</p>`,
        '<blockquote>\n<p>Bring <strong>cake</strong></p>\n</blockquote>',
      ].join('\n'),
      scheduled_delivery_timestamp: time,
    };
    const [second, ...rest] = await listed(member);
    expect(rest).toEqual([first]);
    expect(second).toMatchObject({ ...common, reminder_id: 2, scheduled_delivery_timestamp: time - 60 });
    expect(second.content).toBe(`You asked for this reminder.\n\n${quoted(address)}`);
    expect(await registered(member)).toEqual(
      [second, first].map((one) => ({ ...one, scheduled_message_id: one.reminder_id })),
    );
    expect(await told(queue)).toEqual([
      { type: 'reminders', op: 'add', reminders: [first] },
      { type: 'reminders', op: 'add', reminders: [second] },
    ]);
    expect((await remove(member, 1)).body).toEqual(DONE);
    expect(await told(queue)).toEqual([{ type: 'reminders', op: 'remove', reminder_id: 1 }]);
    expect(await listed(member)).toEqual([second]);
    expect((await told(others)).filter(({ type }) => type === 'reminders')).toEqual([]);
    expect(await listed(noor)).toEqual([]);
  });

  it('have their ids in common with scheduled messages, and are not listed among them', async () => {
    const { member, messageId } = await scene();
    const later = { type: 'direct', to: [noor.id], content: 'Hi', scheduled_delivery_timestamp: soon() };
    const schedule = async () => (await member.api.post('/scheduled_messages', later)).body.scheduled_message_id;
    const ids = [(await remind(member, messageId)).body.reminder_id, await schedule()];
    ids.push((await remind(member, messageId)).body.reminder_id, await schedule());
    expect(ids).toEqual([1, 2, 3, 4]);
    const { scheduled_messages } = (await member.api.get('/scheduled_messages')).body;
    expect(scheduled_messages.map(({ scheduled_message_id: id }: { scheduled_message_id: number }) => id)).toEqual([
      2, 4,
    ]);
    expect((await listed(member)).map(({ reminder_id }: { reminder_id: number }) => reminder_id)).toEqual([1, 3]);
    await expectRefusal(annals, () => remove(member, 2), 'Reminder does not exist', 404);
    // The server would send them in a later test, whose time is ahead.
    for (const id of [2, 4]) await member.api.delete(`/scheduled_messages/${id}`);
  });

  it('are sent at their time by the Notification Bot, and removed', async () => {
    const { member, messageId, address } = await scene('Bring @**all** some ```cake');
    await remind(member, messageId, { note: 'for @**all**' });
    const queue = await queueOf(member);
    await sendIn(AHEAD_S - 5);
    expect(await textsOf(member)).toEqual([]);
    const head = await annals.head();
    await sendIn(AHEAD_S + 5);
    await sendIn(AHEAD_S + 60);
    const [notice, ...rest] = await noticesOf(member);
    expect(rest).toEqual([]);
    expect(notice).toMatchObject({ sender_full_name: 'Notification Bot', type: 'private', flags: [] });
    expect(notice?.content).toBe(
      `You asked for this reminder.\n\nYour note:\n\n\`\`\`quote\nfor @**all**\n\`\`\`\n\n${quoted(address, 'Bring @**all** some ```cake')}`,
    );
    expect(await listed(member)).toEqual([]);
    expect((await told(queue)).map(({ type, op }) => [type, op])).toEqual([
      ['message', undefined],
      ['reminders', 'remove'],
    ]);
    const ofReminders = (await annals.events(`user-${member.id}`, head)).filter(({ type }) => /Reminder/.test(type));
    expect(ofReminders.map(({ type, data }) => [type, data])).toEqual([
      ['ReminderSendBegun', expect.anything()],
      ['ReminderSent', expect.objectContaining({ messageId: notice?.id })],
    ]);
    await expectRefusal(annals, () => remove(member, 1), 'Reminder does not exist', 404);
  });

  it('are sent by the running server', async () => {
    const { member, messageId } = await scene();
    // The time may have passed before a busy server looks at it.
    await eventually(async () =>
      expect((await remind(member, messageId, { time: Math.floor(Date.now() / 1000) + 2 })).status).toBe(200),
    );
    await eventually(async () => expect(await listed(member)).toEqual([]));
    expect(await textsOf(member)).toHaveLength(1);
  });

  it('are sent once if two processes go on with the same, and taken over if one ends', async () => {
    const { member, messageId } = await scene();
    await remind(member, messageId);
    const sender = annals.app.get(ReminderSender);
    await at(AHEAD_S, () => annals.execute(new BeginReminder({ userId: member.id, reminderId: 1, by })));
    await expectRefusal(annals, () => remove(member, 1), 'Reminder does not exist', 404);
    await at(AHEAD_S + 5, sweep);
    expect(await textsOf(member)).toEqual([]);
    await at(AHEAD_S + 15, () => Promise.all([sender.sweep(), sender.sweep()]));
    await sendIn(AHEAD_S + 15);
    expect(await textsOf(member)).toHaveLength(1);
  });

  it('quote the message as it is when they are sent, and say if they are late', async () => {
    const { member, messageId, address } = await scene();
    const time = soon();
    await remind(member, messageId, { time });
    await noor.api.patch(`/messages/${messageId}`, { content: 'Bring **two** cakes' });
    expect((await listed(member))[0].content).toContain('two');
    await sendIn(AHEAD_S + 86_400);
    const due = new Date(time * 1000).toISOString().replace('.000', '');
    expect(await textsOf(member)).toEqual([
      `You asked for this reminder. It is late: it was due at <time:${due}>.\n\n${quoted(address, 'Bring **two** cakes')}`,
    ]);
  });

  it('name a direct message by its conversation, and a poll or to-do list by one line', async () => {
    const member = await annals.user(`member${++made}`);
    const direct = async (content: string) =>
      (await noor.api.post('/messages', { type: 'direct', to: [member.id], content })).body.id as number;
    const ids = [await direct('Hello'), await direct('/poll Cake?\nyes\nno'), await direct('/todo Bake')];
    for (const id of ids) await remind(member, id);
    await sendIn(AHEAD_S + 5);
    const [a, b, c] = ids.map((id) => `/#narrow/dm/${noor.id},${member.id}-dm/near/${id}`);
    const who = `@_**noor|${noor.id}**`;
    expect((await textsOf(member)).sort()).toEqual(
      [
        `You asked for this reminder.\n\n${quoted(a ?? '', 'Hello')}`,
        `You asked for this reminder.\n\n${who} sent [a poll](${b}).`,
        `You asked for this reminder.\n\n${who} sent [a to-do list](${c}).`,
      ].sort(),
    );
  });

  it('show no words of a message that was deleted or moved away, or whose channel was lost', async () => {
    const deleted = await scene('quokka of a deleted message');
    const moved = await scene('quokka of a moved message');
    const left = await scene('quokka of a lost channel', { invite_only: true });
    const secret = await scene('elsewhere', { invite_only: true, principals: [noor.id] });
    for (const { member, messageId } of [deleted, moved, left])
      expect((await remind(member, messageId)).body).toMatchObject(DONE);
    const owner = await annals.owner();
    expect((await owner.api.delete(`/messages/${deleted.messageId}`)).body).toEqual(DONE);
    await owner.api.patch('/realm', { move_messages_between_streams_limit_seconds: 'unlimited' });
    const move = { stream_id: secret.channelId, propagate_mode: 'change_one' };
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: `channel ${made}` }] });
    expect((await noor.api.patch(`/messages/${moved.messageId}`, move)).body).toMatchObject(DONE);
    const lost = { subscriptions: [`channel ${made - 1}`] };
    expect((await left.member.api.delete('/users/me/subscriptions', lost)).body).toMatchObject(DONE);
    for (const { member } of [deleted, moved, left]) {
      expect((await listed(member))[0].content).toBe(LOST);
      expect(JSON.stringify(await registered(member))).not.toContain('quokka');
    }
    await sendIn(AHEAD_S + 5);
    for (const { member } of [deleted, moved, left]) expect(await textsOf(member)).toEqual([LOST]);
    expect(await filesWith(annals.dataDirectory, [Buffer.from('quokka of a deleted message')])).toEqual([]);
  });

  it('are removed silently if the user is deactivated', async () => {
    const { member, messageId } = await scene();
    await remind(member, messageId);
    const owner = await annals.owner();
    await owner.api.delete(`/users/${member.id}`);
    const head = await annals.head();
    await sendIn(AHEAD_S + 5);
    expect((await annals.events(undefined, head)).map(({ type }) => type)).toEqual(['ReminderDeleted']);
  });

  it('are refused with the published errors, without a change', async () => {
    const { member, messageId } = await scene();
    const { messageId: unreadable } = await scene('secret', { invite_only: true, principals: [noor.id] });
    const refused = (id: number, msg: string, options = {}) =>
      expectRefusal(annals, () => remind(member, id, options), msg);
    await refused(99_999, 'Invalid message(s)');
    await refused(unreadable, 'Invalid message(s)');
    await refused(messageId, 'Scheduled delivery time must be in the future.', { time: 1 });
    await refused(messageId, 'Maximum reminder note length: 500 characters', { note: 'x'.repeat(501) });
    await refused(messageId, 'note must not contain null bytes', { note: 'a\0b' });
    await expectRefusal(annals, () => remove(member, 1), 'Reminder does not exist', 404);
    expect(await listed(member)).toEqual([]);
    expect((await remind(member, messageId, { note: '🍰'.repeat(500) })).body).toMatchObject(DONE);
    await expectRefusal(annals, () => remove(noor, 1), 'Reminder does not exist', 404);
  });

  it('leave no note behind when they are deleted or sent', async () => {
    const { member, messageId } = await scene();
    const [first, second] = ['narwhal-of-a-note', 'okapi-of-a-note'] as const;
    const filesOf = (word: string) => filesWith(annals.dataDirectory, [Buffer.from(word)]);
    const stream = `user-${member.id}`;
    await remind(member, messageId, { note: first });
    expect(JSON.stringify(await annals.app.get<EventStore>(EVENT_STORE).readStream(stream))).not.toContain(first);
    if (!isShared()) expect(await filesOf(first)).not.toEqual([]);
    await remove(member, 1);
    expect(await filesOf(first)).toEqual([]);
    await remind(member, messageId, { note: second });
    await sendIn(AHEAD_S + 5);
    const keyIds = (await annals.events(stream)).flatMap(({ data }) => ('keyId' in data ? String(data.keyId) : []));
    expect(keyIds.length).toBeGreaterThan(0);
    expect((await annals.app.get<ContentKeys>(CONTENT_KEYS).getMany(keyIds)).size).toBe(0);
  });

  it('are the same after a rebuild and a restart, and a client continues', async () => {
    const { member, messageId } = await scene();
    const queue = await queueOf(member);
    await remind(member, messageId, { note: 'kept' });
    await remind(member, messageId);
    await remove(member, 2);
    const before = await listed(member);
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['reminders', 'client-events'], () => {});
    expect(await listed(member)).toEqual(before);
    await annals.restart();
    queue.api = member.api;
    expect(await listed(member)).toEqual(before);
    expect((await told(queue)).map(({ op }) => op)).toEqual(['add', 'remove']);
    await sendIn(AHEAD_S + 5);
    expect(await textsOf(member)).toHaveLength(1);
  });

  it('are at most so many for a user', async () => {
    const { member, messageId } = await scene();
    for (let n = 0; n < MOST_REMINDERS; n++) await remind(member, messageId);
    const limit = `Too many reminders (limit: ${MOST_REMINDERS})`;
    await expectRefusal(annals, () => remind(member, messageId), limit);
    expect(await registered(member)).toHaveLength(MOST_REMINDERS);
  });
});
