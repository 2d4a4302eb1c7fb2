import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Directory } from '../../src/directory/directory.js';
import { DomainError } from '../../src/kernel/domain-error.js';
import { READ_SIDE, type ReadSide } from '../../src/roles/read-side.js';
import { SubscribeUsers } from '../../src/subscriptions/domain/subscribe-users.js';
import { UnsubscribeUsers } from '../../src/subscriptions/domain/unsubscribe-users.js';
import { DeactivateUser } from '../../src/users/domain/deactivate-user.js';
import { ReactivateUser } from '../../src/users/domain/reactivate-user.js';
import { UpdateUser, type UserChanges } from '../../src/users/domain/update-user.js';
import { Annals, type Member } from '../support/annals.js';
import { ClientState } from '../support/client-state.js';
import { dice } from '../support/dice.js';
import { type ClientEvent, EventQueue } from '../support/event-queue.js';
import { expectSameCalls } from '../support/told-calls.js';
import { fileOf, upload } from '../support/uploads.js';

const by = { actorId: null, client: 'test', correlationId: 'test' };
const STATE = [
  'message',
  'update_message',
  'delete_message',
  'reaction',
  'update_message_flags',
  'starred_messages',
  'realm_user',
  'realm_bot',
  'stream',
  'subscription',
  'default_streams',
  'realm',
  'custom_profile_fields',
  'alert_words',
  'muted_users',
  'user_topic',
  'attachment',
  'drafts',
];

/** That readers and others may be given: an owner's would let nobody take it back. */
const ROLES = [200, 300, 400, 400, 600] as const;

/**
 * What does not depend on when a queue is read: messages, names and channels come as they are by then, and once a message
 * is deleted, nothing that was before comes any more.
 */
function lasting(events: readonly ClientEvent[]): object[] {
  const deleted = new Set(events.flatMap(({ type, message_id }) => (type === 'delete_message' ? [message_id] : [])));
  return events.flatMap((event) => {
    if (event.type === 'delete_message') return [event];
    // Files and drafts are told as they are by then.
    if (event.type === 'attachment' || event.type === 'drafts') return event.op === 'remove' ? [event] : [];
    if (deleted.has(event.message?.id ?? event.message_id)) return [];
    const { message, streams, subscriptions, ...rest } = event;
    const { id, timestamp } = message ?? {};
    return [{ ...rest, message: { id, timestamp }, streams: idsOf(streams), subscriptions: idsOf(subscriptions) }];
  });
}

const idsOf = (channels: readonly { stream_id: number }[] | undefined) => channels?.map(({ stream_id }) => stream_id);

jest.setTimeout(60_000);

describe('queues in a storm of changes', () => {
  let annals: Annals;
  let owner: Member;
  let readers: Member[];
  let others: Member[];
  const left: Member[] = [];
  const bots: number[] = [];
  const links: string[] = [];
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_HEARTBEAT_SECONDS: '1' });
    owner = await annals.owner();
    readers = [await annals.user('reader'), await annals.user('guest', 600), owner];
    others = [await annals.user('other'), await annals.user('another')];
    for (const invite_only of [false, true, false, true])
      await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: `channel ${++made}` }], invite_only });
  });
  afterAll(() => annals.stop());

  const channelIds = () =>
    annals.app
      .get(Directory)
      .allChannels()
      .map(({ _id }) => _id);
  /** Words that may call somebody, or have an alert word that somebody waits for. */
  const words = (roll: (sides: number) => number): string => {
    const { id } = oneOf([...readers, ...others], roll);
    return `m${++made} w${roll(9)}${roll(3) === 0 ? ` @**|${id}**` : ''}${roll(9) === 0 ? ` @_**|${id}**` : ''}`;
  };
  const oneOf = <T>(list: readonly T[], roll: (sides: number) => number): T => list[roll(list.length)] as T;

  /** Refused where somebody else has just deactivated the account, and where a guest would become an administrator. */
  const update = (user: Member, changes: UserChanges): Promise<void> =>
    annals.execute<void>(new UpdateUser(user.id, changes, by)).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
    });

  /** One change of any kind; some change nothing. */
  async function change(roll: (sides: number) => number): Promise<void> {
    const everybody = [...readers, ...others];
    const who = oneOf(everybody, roll);
    const channelId = oneOf(channelIds(), roll);
    switch (roll(42)) {
      case 0:
        others.push(await annals.user(`user${++made}`, oneOf([400, 600], roll)));
        return;
      case 1:
        if (others.length > 2) {
          left.push(others.shift() as Member);
          await annals.execute(new DeactivateUser((left.at(-1) as Member).id, by));
        }
        return;
      case 12: {
        const back = left.shift();
        if (!back) return;
        await annals.execute(new ReactivateUser(back.id, by));
        others.push(back);
        return;
      }
      case 41: {
        const timezone = oneOf(['Asia/Tokyo', 'Europe/Paris'], roll);
        await who.api.patch('/settings', { timezone, enable_sounds: roll(2) === 0, web_font_size_px: 10 + roll(4) });
        return;
      }
      case 13:
        return update(oneOf(others, roll), { fullName: `User ${++made}` });
      case 14:
        return update(oneOf(others, roll), { role: oneOf(ROLES, roll) });
      case 15:
        return update(readers[0] as Member, { role: oneOf(ROLES, roll) });
      case 16:
        return update(oneOf(others, roll), { email: `mail${++made}@example.com` });
      case 17: {
        const name = `Bot ${++made}`;
        const { body } = await owner.api.post('/bots', { full_name: name, short_name: `b${made}` });
        bots.push(body.user_id);
        return;
      }
      case 18: {
        const bot = bots.length > 0 ? oneOf(bots, roll) : null;
        if (bot === null) return;
        const newOwner = oneOf(readers, roll).id;
        await owner.api.post(`/users/${bot}/reactivate`);
        await owner.api.patch(`/bots/${bot}`, { full_name: `Bot ${++made}`, bot_owner_id: newOwner });
        if (roll(2) === 0) await owner.api.delete(`/bots/${bot}`);
        return;
      }
      case 19: {
        const people = { direct_members: [who.id, oneOf(everybody, roll).id], direct_subgroups: [roll(7) + 2] };
        await owner.api.patch('/realm', { digest_weekday: roll(7), can_resolve_topics_group: { new: people } });
        return;
      }
      case 20: {
        const { body } = await owner.api.post('/realm/profile_fields', { name: `field ${++made}`, field_type: 1 });
        if (roll(2) === 0) await owner.api.delete(`/realm/profile_fields/${body.id}`);
        return;
      }
      case 21: {
        const topic = oneOf(['t', 'T', 'u', ''], roll);
        await who.api.post('/user_topics', { stream_id: channelId, topic, visibility_policy: roll(4) });
        return;
      }
      case 22:
        await who.api[oneOf(['post', 'delete'] as const, roll)](`/users/me/muted_users/${oneOf(others, roll).id}`);
        return;
      case 23: {
        const alert_words = [`w${roll(9)}`, `W${roll(9)}`];
        await who.api[oneOf(['post', 'delete'] as const, roll)]('/users/me/alert_words', { alert_words });
        return;
      }
      case 24: {
        const flags = { flag: oneOf(['read', 'read', 'starred'], roll), op: oneOf(['add', 'remove'], roll) };
        // Answered with none where the account has just ended.
        const { body } = await who.api.get('/messages', { anchor: 'newest', num_before: 8, num_after: 0 });
        const seen = (body.messages ?? []).filter(() => roll(2) === 0).map(({ id }: { id: number }) => id);
        await who.api.post('/messages/flags', { messages: seen, ...flags });
        return;
      }
      case 25: {
        const flags = { flag: oneOf(['read', 'starred'], roll), op: oneOf(['add', 'remove'], roll) };
        const range = {
          anchor: oneOf(['newest', 'oldest', 'first_unread'], roll),
          num_before: roll(9),
          num_after: roll(9),
        };
        const narrow = oneOf([[], [['is', 'unread']], [{ operator: 'channel', operand: channelId }]], roll);
        await who.api.post('/messages/flags/narrow', { ...flags, ...range, narrow });
        return;
      }
      case 26:
        if (roll(3) === 0) await who.api.post('/mark_all_as_read');
        else await who.api.post('/mark_stream_as_read', { stream_id: channelId });
        return;
      case 27: {
        const { body } = await who.api.get('/messages', { anchor: 'newest', num_before: 8, num_after: 0 });
        const seen: { id: number }[] = body.messages ?? [];
        if (seen.length === 0) return;
        const { id } = oneOf(seen, roll);
        await who.api.patch(`/messages/${id}`, { content: words(roll) });
        const emoji_name = oneOf(['tada', '+1', 'octopus'], roll);
        await who.api[oneOf(['post', 'post', 'delete'] as const, roll)](`/messages/${id}/reactions`, { emoji_name });
        return;
      }
      case 28: {
        // At once: who has left a channel is not told what goes from it, and keeps their stars.
        const { body } = await who.api.post('/messages', {
          type: 'channel',
          to: channelId,
          topic: `gone ${++made}`,
          content: `m${made}`,
        });
        if (!body.id) return;
        if (roll(3) === 0) await owner.api.post(`/streams/${channelId}/delete_topic`, { topic_name: `gone ${made}` });
        await who.api.delete(`/messages/${body.id}`);
        return;
      }
      case 29: {
        const to = [oneOf(everybody, roll).id];
        const { body } = await who.api.post('/messages', { type: 'direct', to, content: `m${++made}` });
        if (body.id) await who.api.delete(`/messages/${body.id}`);
        return;
      }
      case 30:
      case 32: {
        // Whatever they have uploaded, and somebody else's that they know of.
        const files = await upload(annals.url, who, fileOf(`file ${++made}`, `${made}.txt`));
        if (files.status === 200) links.push(`[f](${files.body.url})`);
        const content = `${oneOf(links, roll)} ${links.at(-1)}`;
        await who.api.post('/messages', { type: 'channel', to: channelId, topic: 't', content });
        return;
      }
      case 31:
      case 33:
      case 34: {
        const { body } = await who.api.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0 });
        const own = (body.messages ?? []).filter(({ sender_id }: { sender_id: number }) => sender_id === who.id);
        const message = own.length > 0 ? oneOf<{ id: number }>(own, roll) : null;
        const content = links.length > 0 ? `${oneOf(links, roll)} ${++made}` : `m${++made}`;
        if (message) await who.api.patch(`/messages/${message.id}`, { content });
        const { body: uploads } = await who.api.get('/attachments');
        if ((uploads.attachments ?? []).length < 3) return;
        await who.api.delete(`/attachments/${oneOf<{ id: number }>(uploads.attachments, roll).id}`);
        return;
      }
      case 35:
      case 36: {
        const { body } = await who.api.get('/messages', { anchor: 'newest', num_before: 20, num_after: 0 });
        const seen = (body.messages ?? []).filter(({ type }: { type: string }) => type === 'stream');
        if (seen.length === 0) return;
        const { id } = oneOf(seen as { id: number }[], roll);
        const propagate_mode = oneOf(['change_one', 'change_later', 'change_all'], roll);
        const to = oneOf([{ topic: oneOf(['t', 'T', 'u', '', '✔ t'], roll) }, { stream_id: channelId }], roll);
        await owner.api.patch(`/messages/${id}`, { ...to, propagate_mode, send_notification_to_old_thread: true });
        return;
      }
      case 37:
        return annals.execute(new SubscribeUsers(channelId, [owner.id], by));
      case 38: {
        // Whoever has their drafts not kept is refused until they have them kept again.
        if (roll(4) === 0) await who.api.patch('/settings', { enable_drafts_synchronization: roll(3) > 0 });
        const drafts = [{ type: '', to: [], topic: '', content: `d${++made}` }];
        if (roll(2) === 0) drafts.push({ type: '', to: [], topic: '', content: `d${++made}` });
        await who.api.post('/drafts', { drafts });
        return;
      }
      case 39:
      case 40: {
        const { body } = await who.api.get('/drafts');
        if (!body.count) return;
        const { id } = oneOf<{ id: number }>(body.drafts, roll);
        const to = { type: 'private', to: [oneOf(everybody, roll).id], topic: '' };
        await who.api.patch(`/drafts/${id}`, { draft: { ...to, content: `d${++made}` } });
        if (roll(2) === 0) await who.api.delete(`/drafts/${id}`);
        return;
      }
      case 2:
        await owner.api.post('/users/me/subscriptions', {
          subscriptions: [{ name: `channel ${++made}` }],
          invite_only: roll(2) === 0,
          principals: [owner.id, who.id],
        });
        return;
      case 3:
      case 4:
        return annals.execute(new SubscribeUsers(channelId, [who.id, oneOf(everybody, roll).id], by));
      case 5:
        return annals.execute(new UnsubscribeUsers(channelId, [who.id], by));
      case 10: {
        const property = oneOf(['is_muted', 'pin_to_top', 'push_notifications', 'in_home_view'], roll);
        const change = { stream_id: channelId, property, value: roll(2) === 0 };
        await who.api.post('/users/me/subscriptions/properties', { subscription_data: [change] });
        return;
      }
      case 11:
        await owner.api[oneOf(['post', 'delete'] as const, roll)]('/default_streams', { stream_id: channelId });
        return;
      case 6: {
        await who.api.post('/messages', { type: 'direct', to: [oneOf(everybody, roll).id], content: words(roll) });
        return;
      }
      default:
        await who.api.post('/messages', { type: 'channel', to: channelId, topic: 't', content: words(roll) });
    }
  }

  async function storm(seed: number, changes: number, hands: number): Promise<void> {
    const roll = dice(seed);
    let left = changes;
    const hand = async (): Promise<void> => {
      while (left-- > 0) await change(roll);
    };
    await Promise.all(Array.from({ length: hands }, hand));
  }

  /** What there is of files is asked for once what happens to them will be told. */
  const register = async (reader: Member): Promise<EventQueue> => {
    const queue = await EventQueue.register(reader.api, { event_types: STATE, include_subscribers: true });
    const { attachments } = (await reader.api.get('/attachments')).body;
    Object.assign(queue.state, { attachments });
    return queue;
  };

  it.each([1, 2, 3])('state and the events that follow are the fresh state (storm %i)', async (seed) => {
    let blowing = true;
    const registered: { reader: Member; queue: EventQueue }[] = [];
    const registering = (async () => {
      while (blowing) {
        for (const reader of readers) registered.push({ reader, queue: await register(reader) });
      }
    })();
    await storm(seed, 100, 4);
    blowing = false;
    await registering;

    expect(registered.length).toBeGreaterThan(6);
    for (const reader of readers) {
      const fresh = await register(reader);
      const expected = new ClientState(fresh.state, reader.id).comparable;
      const { body: read } = await reader.api.get('/messages', { anchor: 'newest', num_before: 500, num_after: 0 });
      for (const { queue } of registered.filter((one) => one.reader === reader)) {
        const client = new ClientState(queue.state, reader.id);
        for (const event of await queue.drain()) client.apply(event);
        expect(client.comparable).toEqual(expected);
        expectSameCalls(queue.events, read.messages);
      }
    }
  });

  it('a queue that reconnects at every step gets what one gets that stays, over restarts and rebuilds', async () => {
    const [reader] = readers as [Member];
    const types = { event_types: STATE, include_subscribers: true };
    const staying = await EventQueue.register(reader.api, types);
    const stepping = await EventQueue.register(reader.api, types);
    const away = await EventQueue.register(reader.api, types);
    const impatient = await EventQueue.register(reader.api, types);
    const settle = async (queue: EventQueue) => {
      queue.api = reader.api;
      return queue.drain();
    };
    let done = false;
    const listening = async (): Promise<void> => {
      staying.api = reader.api;
      while (!done) await staying.poll();
    };

    let listener = listening();
    const roll = dice(7);
    for (let step = 1; step <= 40; step++) {
      await change(roll);
      await settle(stepping);
      // Whoever acknowledges nothing gets everything again, in the same order.
      impatient.lastEventId = -1;
      impatient.events.length = 0;
      await settle(impatient);
      if (step % 25 === 0) await annals.app.get<ReadSide>(READ_SIDE).rebuild(['client-events'], () => {});
      if (step % 15 !== 0) continue;
      done = true;
      await annals.restart();
      await listener;
      done = false;
      listener = listening();
    }
    done = true;
    await listener;

    await settle(away);
    const expected = lasting(away.events);
    expect(expected.length).toBeGreaterThan(10);
    await settle(staying);
    for (const { events } of [staying, stepping, impatient]) expect(lasting(events)).toEqual(expected);
  });
});
