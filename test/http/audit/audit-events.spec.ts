import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { CONTENT_KEYS, type ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { START } from '../../../src/platform/kernel/position.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { EVENT_STORE, type EventStore } from '../../../src/platform/log/event-store.js';
import { dice, oneOf } from '../../support/dice.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';
import { auditFold, type Question } from './audit-fold.js';

describe('GET /audit/events', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let channels: readonly number[];

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_ANSWER_KIB: '512', ANNALS_TRUSTED_PROXIES: 'loopback' });
    owner = await annals.owner();
    iris = await annals.user('iris');
    for (const name of ['first', 'second'])
      await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [owner.id, iris.id] });
    const { streams } = (await owner.api.get('/streams')).body;
    channels = streams.map(({ stream_id }: { stream_id: number }) => stream_id).slice(-2);
  });
  afterAll(() => annals.stop());

  const ask = async (question: Question = {}, more: object = {}) => {
    const { status, body } = await owner.api.get('/audit/events', {
      limit: 1000,
      order: 'oldest',
      ...question,
      ...more,
    });
    expect([status, body.msg]).toEqual([200, '']);
    return body;
  };
  const positions = ({ events }: { events: readonly { position: number }[] }) => events.map(({ position }) => position);
  const send = async (by: Member, channel: number, topic: string): Promise<number> => {
    const { body } = await by.api.post('/messages', { type: 'channel', to: channel, topic, content: 'words' });
    return body.id;
  };

  it('tells who changed a message, when, from what to what, without its words', async () => {
    const [channel = 0] = channels;
    const id = await send(iris, channel, 'plans');
    await iris.api.patch(`/messages/${id}`, { content: 'other words' });
    await owner.api.patch(`/messages/${id}`, { topic: 'Ideas', propagate_mode: 'change_all' });
    await owner.api.delete(`/messages/${id}`);
    const { events, cursor, found_end } = await ask({ message_id: id });
    expect({ cursor, found_end }).toEqual({ cursor: null, found_end: true });
    const kinds = ['MessageSent', 'MessageEdited', 'MessagesMoved', 'MessageDeleted'];
    expect(events.map(({ kind }: { kind: string }) => kind)).toEqual(kinds);
    expect(JSON.stringify(events)).not.toContain('words');
    const [sent, edited, moved, deleted] = events;
    const stored = (await annals.events()).find(({ id: eventId }) => eventId === edited.id) as Recorded;
    const name = (await owner.api.get(`/streams/${channel}`)).body.stream.name;
    expect(edited).toEqual({
      id: stored.id,
      position: stored.position,
      stream: `message-${id}`,
      revision: 0,
      kind: 'MessageEdited',
      time: new Date(stored.metadata.at).toISOString(),
      actor: { user_id: iris.id, name: 'iris', email: iris.email, name_today: 'iris', email_today: iris.email },
      operator: null,
      client: stored.metadata.client,
      request_id: stored.metadata.correlationId,
      caused_by: null,
      address: '127.0.0.1',
      channels: [{ channel_id: channel, name, name_today: name }],
      topics: [{ channel_id: channel, topic: 'plans' }],
      data: { ...stored.data, content: { sealed: true } },
    });
    expect(sent.data).toMatchObject({ senderId: iris.id, content: { sealed: true } });
    expect(moved).toMatchObject({
      actor: { user_id: owner.id },
      data: { from: { channelId: channel, topic: 'plans' }, to: { channelId: channel, topic: 'Ideas' } },
    });
    expect(deleted.topics).toEqual([{ channel_id: channel, topic: 'Ideas' }]);
  });

  it('knows names as of the event and of today, and finds an actor by each', async () => {
    const rose = await annals.user('rose');
    const [channel = 0] = channels;
    const before = await send(owner, channel, 'names');
    await annals.api.as(rose).patch('/settings', { full_name: 'Rose Red' });
    await owner.api.patch(`/streams/${channel}`, { new_name: 'renamed' });
    const roses = await ask({ actor: String(rose.id) });
    expect(roses.events[0]).toMatchObject({
      kind: 'UserRenamed',
      actor: { user_id: rose.id, name: 'Rose Red', name_today: 'Rose Red', email: rose.email },
    });
    for (const actor of ['rose', 'ROSE RED', rose.email]) expect((await ask({ actor })).events).toEqual(roses.events);
    const [sent] = (await ask({ message_id: before })).events;
    expect(sent.channels[0].name).not.toBe('renamed');
    expect(sent.channels[0].name_today).toBe('renamed');
  });

  it('shows no hash of a password or a key', async () => {
    const text = JSON.stringify((await ask({ kind: ['UserCreated', 'ApiKeyIssued'] })).events);
    expect(text).toContain('"keyHash":"(hash)"');
    expect(text).not.toMatch(/argon2|[0-9a-f]{64}/);
  });

  it('pages in log order, newest or oldest first, while the log grows', async () => {
    const [channel = 0] = channels;
    for (const order of ['newest', 'oldest']) {
      const before = await ask({ channel_id: channel });
      const paged: number[] = [];
      let grown = 0;
      for (let after: number | null = null; ; ) {
        const page = await ask({ channel_id: channel }, { order, limit: 3, ...(after !== null && { after }) });
        paged.push(...positions(page));
        expect(page.found_end).toBe(page.cursor === null);
        if (page.found_end) break;
        after = page.cursor;
        if (grown < 3) await send(iris, channel, `while paging ${order}`).then(() => grown++);
      }
      const now = await ask({ channel_id: channel });
      expect(grown).toBe(3);
      expect(now.events.length).toBeGreaterThanOrEqual(before.events.length + grown);
      const all = order === 'oldest' ? positions(now) : positions(before).reverse();
      expect(paged).toEqual(all);
    }
  });

  it('ends a page early that would be too large', async () => {
    const description = 'd'.repeat(1000);
    for (let at = 0; at < 300; at++)
      await owner.api.patch(`/streams/${channels[1]}`, { description: `${description}${at}` });
    const kind = ['ChannelDescriptionChanged'];
    const pages: number[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const page = await ask({ kind }, { after });
      pages.push(page.events.length);
      after = page.cursor;
    }
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.reduce((a, b) => a + b)).toBe(300);
  });

  it('answers only auditors, and refuses what it cannot understand', async () => {
    const owners = { msg: 'You may not read the audit', code: 'UNAUTHORIZED_PRINCIPAL' };
    await expectRefusal(annals, () => iris.api.get('/audit/events'), owners);
    const admin = await annals.user('admin', 200);
    await expectRefusal(annals, () => admin.api.get('/audit/events'), owners);
    await expectRefusal(annals, () => owner.api.get('/audit/events', { topic: 't' }), 'topic needs channel_id');
    for (const actor of ['nobody', 'nobody@example.com', '999999'])
      await expectRefusal(annals, () => owner.api.get('/audit/events', { actor }), 'actor: no such account');
    const nobody = { subject_user_id: 999_999 };
    await expectRefusal(annals, () => owner.api.get('/audit/events', nobody), 'subject_user_id: no such account');
    for (const wrong of [{ kind: ['Nothing'] }, { limit: 0 }, { limit: 1001 }, { order: 'random' }, { after: -1 }])
      expect((await owner.api.get('/audit/events', wrong)).status).toBe(400);
  });

  it.each(['/audit/events', '/audit/proof'])('GET %s refuses a parameter that it does not know', async (path) => {
    await expectRefusal(annals, () => owner.api.get(path, { mesage_id: 1 }), {
      msg: expect.stringMatching(/^Unknown parameter mesage_id: there are .*message_id/),
    });
  });

  it('takes times in seconds and in ISO 8601, from their beginning to their end', async () => {
    const [channel = 0] = channels;
    const id = await send(iris, channel, 'times');
    const [{ time, position }] = (await ask({ message_id: id })).events;
    const at = Date.parse(time);
    const [second, before] = [Math.floor(at / 1000), new Date(at - 1).toISOString()];
    const there = [second, time, time.slice(0, 19), time.slice(0, 16), time.slice(0, 10), `${time.slice(0, 23)}+00:00`];
    for (const named of there)
      for (const times of [{ since: named }, { until: named }, { since: named, until: named }])
        expect(positions(await ask({ message_id: id }, times))).toEqual([position]);
    for (const times of [{ until: before }, { until: second - 1 }, { since: second + 1 }])
      expect(positions(await ask({ message_id: id }, times))).toEqual([]);
    for (const since of ['yesterday', '2026-02-31', '2026', '2026-01-31T18', 1.5, -1, second * 1000])
      await expectRefusal(annals, () => owner.api.get('/audit/events', { since }), {
        msg: expect.stringMatching(
          /^since is no time: ISO 8601, such as .* \(a year or a month alone is none\), or seconds/,
        ),
      });
  });

  it('answers every question as a fold of the log does, before and after a rebuild', async () => {
    const roll = dice(34);
    const ids: number[] = [];
    const addresses = ['203.0.113.7', '203.0.113.8', '2001:db8::7'];
    const from = () => ({ headers: { 'X-Forwarded-For': oneOf(addresses, roll) } });
    const topics = ['a', 'A', 'b', 'c'];
    const members = [owner, iris];
    for (let step = 0; step < 150; step++) {
      const by = oneOf(members, roll);
      const [channel, topic] = [oneOf(channels, roll), oneOf(topics, roll)];
      const id = ids.length > 0 ? oneOf(ids, roll) : await send(by, channel, topic);
      const act = roll(10);
      if (act < 3) ids.push(await send(by, channel, topic));
      else if (act < 7) {
        const propagate_mode = oneOf(['change_one', 'change_later', 'change_all'], roll);
        const silent = { send_notification_to_new_thread: false, send_notification_to_old_thread: false };
        await owner.api.patch(`/messages/${id}`, { topic, stream_id: channel, propagate_mode, ...silent }, from());
      } else if (act === 7) await by.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }, from());
      else if (act === 8) await by.api.patch(`/messages/${id}`, { content: `words ${step}` }, from());
      else if (ids.length > 10) await owner.api.delete(`/messages/${id}`);
    }
    await expectFold();
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['audit'], () => {});
    await expectFold();

    async function eventsWithAddresses(): Promise<readonly Recorded[]> {
      const codec = new EventCodec(annals.app.get<ContentKeys>(CONTENT_KEYS), eventRegistry);
      const log = annals.app.get<EventStore>(EVENT_STORE);
      return codec.decodeWithAddresses((await log.readAll({ after: START, limit: 100_000 })).events);
    }

    async function expectFold(): Promise<void> {
      const events = await eventsWithAddresses();
      expect(new Set(events.map(({ type }) => type)).has('MessagesMoved')).toBe(true);
      const seconds = events.map(({ metadata }) => Math.floor(metadata.at / 1000));
      const any = <T>(values: readonly T[]): T => oneOf(values, roll);
      const parts: (() => Question)[] = [
        () => ({ message_id: any(ids) }),
        () => ({ channel_id: any(channels) }),
        () => ({ channel_id: any(channels), topic: any(topics) }),
        () => ({ subject_user_id: any(members).id }),
        () => ({ actor: any([String(iris.id), 'iris', owner.email]) }),
        () => ({ kind: [any([...eventRegistry.keys()]), any(['MessageSent', 'MessagesMoved'])] }),
        () => ({ client: any(events).metadata.client }),
        () => ({ address: any([...addresses, '127.0.0.1']) }),
        () => ({ since: any(seconds) }),
        () => ({ until: any(seconds) }),
      ];
      const questions = [
        ...ids.map((message_id) => ({ message_id })),
        ...parts.map((part) => part()),
        ...Array.from({ length: 60 }, () => ({ ...any(parts)(), ...any(parts)(), ...any(parts)() })),
        {},
      ];
      let found = 0;
      for (const question of questions) {
        const expected = auditFold(events, question);
        found += expected.length;
        const answered: number[] = [];
        for (let after = 0; ; ) {
          const page = await ask(question, { after });
          answered.push(...positions(page));
          if (page.found_end) break;
          after = page.cursor;
        }
        expect({ question, answered }).toEqual({ question, answered: expected });
        const newest = await ask(question, { order: 'newest', limit: 5 });
        expect(positions(newest)).toEqual(expected.slice(-5).reverse());
      }
      expect(found).toBeGreaterThan(1000);
    }
  });
});
