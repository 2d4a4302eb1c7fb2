import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shapes } from '../../../src/app/description/shapes.js';
import { Directory } from '../../../src/directory/directory.js';
import { REGISTRATIONS } from '../../../src/directory/http/read-turn.guard.js';
import { UnsubscribeUsers } from '../../../src/features/channels/domain/subscribe-users.js';
import { DeactivateUser } from '../../../src/features/users/domain/activity.js';
import { ReadTurn, type ReadTurns } from '../../../src/platform/kernel/read-turns.js';
import { eventually } from '../../support/eventually.js';
import type { Params } from '../../support/requests/http.js';
import { Annals, by, type Member } from '../../support/servers/annals.js';

describe('POST /register', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let guest: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    await annals.noDefaultChannels();
    owner = await annals.owner();
    iris = await annals.user('iris');
    guest = await annals.user('guest', 600);
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], invite_only: true });
  });
  afterAll(() => annals.stop());

  const channelId = (name: string): number => annals.app.get(Directory).channelByName(name)?._id ?? 0;
  const register = async (who: Member, params: Params = {}) => {
    const { status, body } = await who.api.post('/register', params);
    expect({ status, msg: body.msg }).toEqual({ status: 200, msg: '' });
    return body;
  };
  const send = async (params: object, sender = owner): Promise<number> => {
    const defaults = { type: 'channel', to: 'general', topic: 't', content: 'x' };
    return (await sender.api.post('/messages', { ...defaults, ...params })).body.id;
  };
  const names = (channels: { name: string }[]): string[] => channels.map(({ name }) => name).sort();

  it('answers every published key except those without a true value here', async () => {
    const published = Object.keys(shapes().operations.get('register-queue')?.responses['200']?.properties ?? {});
    const state = await register(owner);
    expect(published.filter((key) => !(key in state)).sort()).toEqual([
      'demo_organization_scheduled_deletion_date',
      'ignored_parameters_unsupported',
      'receives_typing_notifications',
    ]);
  });

  it('is answered two at a time, and holds up no read', async () => {
    const registrations = annals.app.get<ReadTurns>(REGISTRATIONS);
    const others = [new ReadTurn(registrations, 'one'), new ReadTurn(registrations, 'other')];
    for (const turn of others) expect(turn.begin()).toBeNull();
    const waiting = register(iris);
    await eventually(() => expect(registrations.load).toEqual({ atWork: 2, waiting: 1 }));
    expect((await iris.api.get('/users/me')).status).toBe(200);
    expect((await iris.api.post('/typing', { to: [owner.id], op: 'start' })).status).toBe(200);
    expect(registrations.load).toEqual({ atWork: 2, waiting: 1 });
    for (const turn of others) {
      turn.ended();
      turn.closed();
    }
    expect(await waiting).toHaveProperty('queue_id');
    await eventually(() => expect(registrations.load).toEqual({ atWork: 0, waiting: 0 }));
  });

  it('answers the keys without which real clients crash', async () => {
    const state = await register(owner, {
      event_types: ['message', 'update_message', 'reaction', 'subscription', 'realm_user'],
      fetch_event_types: [
        ...['realm', 'presence', 'subscription', 'message', 'starred_messages', 'update_message_flags'],
        ...['muted_topics', 'realm_user', 'realm_user_groups', 'user_settings', 'realm_emoji'],
        ...['custom_profile_fields', 'zulip_version'],
      ],
    });
    expect(state).toMatchObject({
      queue_id: expect.any(String),
      last_event_id: expect.any(Number),
      zulip_version: '11.0',
      zulip_feature_level: 421,
      max_message_id: expect.any(Number),
      user_id: owner.id,
      email: owner.email,
      full_name: 'Owner',
      realm_name: 'Annals',
      presences: {},
      cross_realm_bots: ['Notification Bot', 'Welcome Bot'].map((full_name) => ({
        full_name,
        is_system_bot: true,
        is_bot: true,
        bot_owner_id: null,
      })),
      realm_message_retention_days: -1,
      muted_topics: [],
      starred_messages: [],
      realm_emoji: {},
      max_message_length: 10_000,
      max_topic_length: 60,
      event_queue_longpoll_timeout_seconds: 90,
      realm_empty_topic_display_name: 'general chat',
    });
    expect(state.realm_users).toContainEqual(
      expect.objectContaining({ user_id: owner.id, email: owner.email, full_name: 'Owner', is_bot: false }),
    );
    expect(state.realm_user_groups).toContainEqual(
      expect.objectContaining({ name: 'role:owners', members: [owner.id], is_system_group: true }),
    );
    expect(state.user_settings).toMatchObject({
      send_private_typing_notifications: true,
      twenty_four_hour_time: false,
      pm_content_in_desktop_notifications: true,
    });
    for (const { color } of state.subscriptions) expect(color).toMatch(/^#[0-9a-f]{6}$/);
  });

  it('answers only the state that is asked for', async () => {
    const state = await register(owner, { fetch_event_types: ['starred_messages', 'no_such_type'] });
    expect(Object.keys(state).sort()).toEqual(
      [
        ...['result', 'msg', 'queue_id', 'last_event_id'],
        ...['zulip_version', 'zulip_feature_level', 'zulip_merge_base', 'starred_messages'],
      ].sort(),
    );
    expect(await register(owner, { event_types: ['message'] })).toHaveProperty('max_message_id');
  });

  it('answers the settings under the keys that the client knows', async () => {
    expect(await register(owner)).toHaveProperty('enable_sounds', true);
    const modern = await register(owner, { client_capabilities: { user_settings_object: true } });
    expect(modern).not.toHaveProperty('enable_sounds');
    expect(modern.user_settings).toHaveProperty('enable_sounds', true);
    expect(await register(owner, { fetch_event_types: ['muted_topics', 'user_topic'] })).not.toHaveProperty(
      'muted_topics',
    );
  });

  it('answers the reader’s own account, and active and deactivated users', async () => {
    const gone = await annals.user('gone');
    await annals.execute(new DeactivateUser({ userId: gone.id, by, notice: null }));
    const state = await register(guest, { fetch_event_types: ['realm_user'], client_gravatar: false });
    expect(state).toMatchObject({ user_id: guest.id, is_guest: true, is_admin: false, can_create_streams: false });
    const ids = (users: { user_id: number }[]): number[] => users.map(({ user_id }) => user_id);
    expect(ids(state.realm_users)).toEqual(expect.arrayContaining([owner.id, iris.id, guest.id]));
    expect(ids(state.realm_users)).not.toContain(gone.id);
    expect(ids(state.realm_non_active_users)).toContain(gone.id);
    expect(state.realm_users[0]).not.toHaveProperty('is_active');
    expect(state.realm_users[0].avatar_url).toContain('https://');
    expect((await register(owner, { fetch_event_types: ['realm_user'] })).realm_users[0].avatar_url).toBeNull();
  });

  describe('channels', () => {
    it('are those that the reader sees, as subscribed, unsubscribed and never subscribed', async () => {
      await owner.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'left' }, { name: 'joined' }],
        principals: [iris.id],
      });
      await annals.execute(new UnsubscribeUsers({ channelId: channelId('left'), userIds: [iris.id], by }));
      const state = await register(iris, { fetch_event_types: ['subscription', 'stream'] });
      expect(names(state.subscriptions)).toEqual(['joined']);
      expect(names(state.unsubscribed)).toEqual(['left']);
      expect(names(state.never_subscribed)).toEqual(['general']);
      expect(names(state.streams)).toEqual(['general', 'joined', 'left']);
      expect(names((await register(owner, { fetch_event_types: ['stream'] })).streams)).toContain('secret');
      expect((await register(guest, { fetch_event_types: ['stream'] })).streams).toEqual([]);
    });

    it('have their first message, subscribers if asked for, and null settings if the client knows null', async () => {
      await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'told' }] });
      const before = await register(owner, { fetch_event_types: ['subscription'] });
      const first = await send({ to: 'told' });
      await send({ to: 'told' });
      const of = (state: { subscriptions: { name: string }[] }) =>
        state.subscriptions.find(({ name }) => name === 'told');
      expect(of(before)).toMatchObject({ first_message_id: null, subscriber_count: 1, push_notifications: false });
      expect(of(before)).not.toHaveProperty('subscribers');
      const after = await register(owner, {
        fetch_event_types: ['subscription'],
        include_subscribers: 'true',
        client_capabilities: { notification_settings_null: true },
      });
      expect(of(after)).toMatchObject({ first_message_id: first, subscribers: [owner.id], push_notifications: null });
    });
  });

  describe('unread messages', () => {
    const unread = async (who: Member, params: Params = {}) =>
      (await register(who, { fetch_event_types: ['message', 'update_message_flags'], ...params })).unread_msgs;

    it('are the messages sent to the reader, grouped by topic or conversation', async () => {
      const reader = await annals.user('reader');
      const early = await send({ to: 'joined' });
      await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'joined' }], principals: [reader.id] });
      const lunch = await send({ to: 'joined', topic: 'lunch' });
      const again = await send({ to: 'joined', topic: 'LUNCH' });
      const empty = await send({ to: 'joined', topic: '' });
      const direct = await send({ type: 'direct', to: [reader.id] });
      const group = await send({ type: 'direct', to: [reader.id, iris.id] });
      const self = await send({ type: 'direct', to: [reader.id], read_by_sender: false }, reader);
      await send({ type: 'direct', to: [reader.id], read_by_sender: true }, reader);
      await send({ type: 'direct', to: [iris.id] });
      const told = await unread(reader);
      expect(told).toEqual({
        count: 6,
        streams: [
          { stream_id: channelId('joined'), topic: 'lunch', unread_message_ids: [lunch, again] },
          { stream_id: channelId('joined'), topic: 'general chat', unread_message_ids: [empty] },
        ],
        pms: [
          { other_user_id: owner.id, sender_id: owner.id, unread_message_ids: [direct] },
          { other_user_id: reader.id, sender_id: reader.id, unread_message_ids: [self] },
        ],
        huddles: [{ user_ids_string: `${owner.id},${iris.id},${reader.id}`, unread_message_ids: [group] }],
        mentions: [],
        old_unreads_missing: false,
      });
      expect(early).toBeLessThan(lunch);
      expect((await unread(reader, { client_capabilities: { empty_topic_name: true } })).streams[1].topic).toBe('');
    });

    it('of a channel are gone when the reader leaves it, and only new ones count after the reader comes back', async () => {
      const reader = await annals.user('returning');
      const join = () =>
        owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'joined' }], principals: [reader.id] });
      await join();
      await send({ to: 'joined' });
      await annals.execute(new UnsubscribeUsers({ channelId: channelId('joined'), userIds: [reader.id], by }));
      expect((await unread(reader)).count).toBe(0);
      await join();
      const id = await send({ to: 'joined' });
      expect((await unread(reader)).streams).toMatchObject([{ unread_message_ids: [id] }]);
    });
  });

  it('answers the newest message sent to the reader, and their recent conversations', async () => {
    const reader = await annals.user('talker');
    const fetch_event_types = ['message', 'recent_private_conversations'];
    expect(await register(reader, { fetch_event_types })).toMatchObject({
      max_message_id: -1,
      recent_private_conversations: [],
    });
    const first = await send({ type: 'direct', to: [reader.id] });
    const group = await send({ type: 'direct', to: [reader.id, iris.id] });
    await send({ type: 'direct', to: [iris.id] });
    expect(await register(reader, { fetch_event_types })).toMatchObject({
      max_message_id: group,
      recent_private_conversations: [
        { max_message_id: group, user_ids: [owner.id, iris.id] },
        { max_message_id: first, user_ids: [owner.id] },
      ],
    });
  });

  it('appends the queue, and appends nothing if the request is refused', async () => {
    const head = await annals.head();
    const { queue_id } = await register(iris, { event_types: ['message'], narrow: [['channel', 'general']] });
    expect(await annals.events('eventQueues', head)).toMatchObject([
      {
        type: 'QueueRegistered',
        data: {
          queueId: queue_id,
          userId: iris.id,
          eventTypes: ['message'],
          narrow: { required: [{ kind: 'channel', channelId: channelId('general') }], excluded: [] },
        },
      },
    ]);
    const after = await annals.head();
    const refused: readonly [object, string][] = [
      [{ narrow: [['channel', 'secret']] }, 'BAD_NARROW'],
      [{ narrow: [['is']] }, 'BAD_REQUEST'],
      [{ narrow: 'not JSON' }, 'INVALID_JSON'],
      [{ event_types: 'message' }, 'INVALID_JSON'],
      [{ event_types: [7] }, 'BAD_REQUEST'],
      [{ fetch_event_types: { a: 1 } }, 'BAD_REQUEST'],
      [{ client_capabilities: { empty_topic_name: 'yes' } }, 'BAD_REQUEST'],
      [{ client_capabilities: [] }, 'BAD_REQUEST'],
      [{ include_subscribers: 'some' }, 'BAD_REQUEST'],
      [{ apply_markdown: 3 }, 'BAD_REQUEST'],
    ];
    for (const [params, code] of refused) {
      const { status, body } = await iris.api.post('/register', params as Record<string, unknown>);
      expect({ params, status, code: body.code }).toEqual({ params, status: 400, code });
    }
    expect(await annals.head()).toBe(after);
  });

  it('reads the text null, which some clients send, as a missing parameter', async () => {
    expect(await register(iris, { event_types: 'null', client_capabilities: 'null' })).toHaveProperty('realm_users');
  });
});
