import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SYSTEM_GROUP_IDS } from '../../../src/events/shared/group-setting.js';
import { channelPermissions } from '../../support/events/events.js';
import { EventQueue, kindOf } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const { 'role:nobody': NOBODY, 'role:moderators': MODERATORS, 'role:members': MEMBERS } = SYSTEM_GROUP_IDS;

describe('POST /channels/create', () => {
  let annals: Annals;
  let owner: Member;
  let admin: Member;
  let moderator: Member;
  let member: Member;
  let other: Member;
  let guest: Member;
  let gone: Member;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    admin = await annals.user('admin', 200);
    moderator = await annals.user('moderator', 300);
    member = await annals.user('member');
    other = await annals.user('other');
    guest = await annals.user('guest', 600);
    gone = await annals.user('gone');
    await owner.api.delete(`/users/${gone.id}`);
    await create(owner, { name: 'taken' });
  });
  afterAll(() => annals.stop());

  const create = (who: Member, params: object = {}) =>
    who.api.post('/channels/create', { name: `channel ${++made}`, subscribers: [who.id], ...params });
  const found = async (who: Member, id: number) => (await who.api.get(`/streams/${id}`)).body.stream;

  it('creates the channel with the given settings and subscribers, and answers its id', async () => {
    const head = await annals.head();
    const { status, body } = await create(member, {
      name: ' Plans ',
      description: 'for **all**\nof us',
      subscribers: [member.id, guest.id],
      topics_policy: 'disable_empty_topic',
      can_send_message_group: { direct_members: [member.id], direct_subgroups: [MODERATORS] },
      can_resolve_topics_group: MODERATORS,
    });
    expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '', id: expect.any(Number) } });
    expect(await found(other, body.id)).toMatchObject({
      stream_id: body.id,
      name: 'Plans',
      description: 'for **all** of us',
      rendered_description: '<p>for <strong>all</strong> of us</p>',
      invite_only: false,
      is_web_public: false,
      is_archived: false,
      history_public_to_subscribers: true,
      message_retention_days: null,
      topics_policy: 'disable_empty_topic',
      creator_id: member.id,
      subscriber_count: 2,
      stream_post_policy: 1,
      is_announcement_only: false,
      first_message_id: null,
      folder_id: null,
      can_send_message_group: { direct_members: [member.id], direct_subgroups: [MODERATORS] },
      can_resolve_topics_group: MODERATORS,
      can_administer_channel_group: { direct_members: [member.id], direct_subgroups: [] },
    });
    const events = await annals.events(undefined, head);
    expect(events.map(({ type, metadata }) => [type, metadata.actorId])).toEqual([
      ['ChannelCreated', member.id],
      ['UsersSubscribed', member.id],
    ]);
    expect(events[0]?.data).toEqual({
      channelId: body.id,
      name: 'Plans',
      description: 'for **all** of us',
      renderedDescription: '<p>for <strong>all</strong> of us</p>',
      inviteOnly: false,
      historyPublicToSubscribers: true,
      topicsPolicy: 'disable_empty_topic',
      messageRetentionDays: null,
      permissions: channelPermissions({
        can_send_message_group: { direct_members: [member.id], direct_subgroups: [MODERATORS] },
        can_resolve_topics_group: MODERATORS,
        can_administer_channel_group: { direct_members: [member.id], direct_subgroups: [] },
      }),
      creatorId: member.id,
      subscriberIds: [member.id, guest.id],
      isDefault: false,
      folderId: null,
    });
  });

  it('subscribes only the named users', async () => {
    const { body } = await create(member, { subscribers: [] });
    expect(await found(member, body.id)).toMatchObject({ subscriber_count: 0, creator_id: member.id });
  });

  it.each([
    [{ invite_only: true }, { invite_only: true, history_public_to_subscribers: false }],
    [
      { invite_only: true, history_public_to_subscribers: true },
      { invite_only: true, history_public_to_subscribers: true },
    ],
    [{ history_public_to_subscribers: false }, { invite_only: false, history_public_to_subscribers: true }],
    [{ message_retention_days: 'unlimited' }, { message_retention_days: -1 }],
    [{ message_retention_days: '"unlimited"' }, { message_retention_days: -1 }],
    [{ message_retention_days: 'realm_default' }, { message_retention_days: null }],
    [{ message_retention_days: 'null', topics_policy: 'null' }, { message_retention_days: null }],
    [{ topics_policy: '"empty_topic_only"' }, { topics_policy: 'empty_topic_only' }],
    [{ can_subscribe_group: { direct_members: [], direct_subgroups: [MEMBERS] } }, { can_subscribe_group: MEMBERS }],
    [{ can_send_message_group: SYSTEM_GROUP_IDS['role:administrators'] }, { stream_post_policy: 2 }],
    [{ can_delete_own_message_group: MEMBERS }, { can_delete_own_message_group: MEMBERS }],
  ])('accepts %j', async (params, told) => {
    const { body } = await create(owner, params);
    expect(await found(owner, body.id)).toMatchObject(told);
  });

  it('reports parameters that have no effect yet', async () => {
    const { body } = await create(member, { announce: true, send_new_subscription_messages: true });
    expect(body.ignored_parameters_unsupported.toSorted()).toEqual(['announce', 'send_new_subscription_messages']);
  });

  it('tells the users who may see the channel, and subscribes the named users', async () => {
    const types = { event_types: ['stream', 'subscription'], include_subscribers: true };
    const queueOf = async (who: Member) => EventQueue.register(who.api, types);
    const queues = { owner: await queueOf(owner), member: await queueOf(member), other: await queueOf(other) };
    const outside = await queueOf(guest);
    const { body } = await create(member, { invite_only: true, subscribers: [other.id] });
    expect((await queues.owner.drain()).map(kindOf)).toEqual(['stream/create', 'subscription/peer_add']);
    expect((await queues.member.drain()).map(kindOf)).toEqual(['stream/create', 'subscription/peer_add']);
    const toSubscriber = await queues.other.drain();
    expect(toSubscriber.map(kindOf)).toEqual(['stream/create', 'subscription/add']);
    expect(toSubscriber[1]?.subscriptions).toMatchObject([{ stream_id: body.id, subscribers: [other.id] }]);
    expect(await outside.drain()).toEqual([]);
  });

  const refused: [what: string, params: object, code: string, msg?: string][] = [
    [
      'a name that is taken, whatever its case',
      { name: ' TAKEN' },
      'CHANNEL_ALREADY_EXISTS',
      "Channel 'TAKEN' already exists",
    ],
    ['no name', { name: undefined }, 'REQUEST_VARIABLE_MISSING'],
    ['no list of subscribers', { subscribers: undefined }, 'REQUEST_VARIABLE_MISSING'],
    ['an empty name', { name: ' ' }, 'BAD_REQUEST', "Channel name can't be empty."],
    ['a name too long', { name: 'x'.repeat(61) }, 'BAD_REQUEST'],
    ['a description too long', { description: 'x'.repeat(1025) }, 'BAD_REQUEST'],
    ['a subscriber who never was', { subscribers: [999] }, 'BAD_REQUEST', 'Invalid user ID 999'],
    ['what is no list of ids', { subscribers: ['x'] }, 'BAD_REQUEST'],
    ['readers without accounts', { is_web_public: true }, 'BAD_REQUEST', 'Web-public channels are not enabled.'],
    [
      'a negative retention',
      { message_retention_days: -1 },
      'BAD_REQUEST',
      "Bad value for 'message_retention_days': -1",
    ],
    ...[30, '30', '"30"'].map((days): [string, object, string, string] => [
      `a retention of ${days} days, after which nothing would be deleted`,
      { message_retention_days: days },
      'BAD_REQUEST',
      'message_retention_days is not "unlimited" or "realm_default", the only values of a server without a limited retention of messages',
    ]),
    ['a retention in other words', { message_retention_days: 'forever' }, 'BAD_REQUEST'],
    ['an unknown policy', { topics_policy: 'none' }, 'BAD_REQUEST'],
    ['a group that never was', { can_send_message_group: 999 }, 'BAD_REQUEST', 'Invalid user group ID: 999'],
    ['what is no group', { can_send_message_group: 'everyone' }, 'INVALID_JSON'],
    [
      'a group that it may not be given to',
      { can_administer_channel_group: 2 },
      'BAD_REQUEST',
      "'can_administer_channel_group' setting cannot be set to 'role:everyone' group.",
    ],
    ['a private default channel', { invite_only: true, is_default_stream: true }, 'BAD_REQUEST'],
  ];

  it.each(refused.map(([what, params, code, msg = null]) => [what, params, code, msg] as const))(
    'refuses %s, and appends nothing',
    async (_, params, code, msg) => {
      const head = await annals.head();
      const { status, body } = await create(owner, params);
      expect({ status, code: body.code }).toEqual({ status: code === 'CHANNEL_ALREADY_EXISTS' ? 409 : 400, code });
      if (msg !== null) expect(body.msg).toBe(msg);
      expect(await annals.head()).toBe(head);
    },
  );

  it('refuses deactivated accounts as subscribers', async () => {
    const { status, body } = await create(owner, { subscribers: [gone.id] });
    expect([status, body.msg]).toEqual([400, 'User is deactivated']);
  });

  /** What each role may create with the default settings of the organization. */
  const who: [string, () => Member, Record<string, boolean>][] = [
    [
      'an owner',
      () => owner,
      { public: true, private: true, policy: true, deletion: true, retention: true, default: true },
    ],
    [
      'an administrator',
      () => admin,
      { public: true, private: true, policy: true, deletion: true, retention: false, default: true },
    ],
    [
      'a moderator',
      () => moderator,
      { public: true, private: true, policy: true, deletion: true, retention: false, default: false },
    ],
    [
      'a member',
      () => member,
      { public: true, private: true, policy: true, deletion: false, retention: false, default: false },
    ],
    [
      'a guest',
      () => guest,
      { public: false, private: false, policy: false, deletion: false, retention: false, default: false },
    ],
  ];
  const params: Record<string, object> = {
    public: {},
    private: { invite_only: true },
    policy: { topics_policy: 'allow_empty_topic' },
    deletion: { can_delete_any_message_group: MODERATORS },
    retention: { message_retention_days: 'unlimited' },
    default: { is_default_stream: true },
  };

  it.each(
    who.flatMap(([name, member, may]) => Object.keys(params).map((what) => [name, what, member, may[what]] as const)),
  )('%s may create: %s', async (_, what, asks, isAllowed) => {
    const { status } = await create(asks(), params[what]);
    expect(status).toBe(isAllowed ? 200 : 400);
  });

  it('answers 401 to deactivated accounts', async () => {
    expect((await create(gone)).status).toBe(401);
  });

  it('needs no extra permission to let nobody delete messages', async () => {
    expect((await create(member, { can_delete_any_message_group: NOBODY })).status).toBe(200);
  });

  it('follows the permissions of the organization', async () => {
    const change = { can_create_private_channel_group: { new: MODERATORS } };
    expect((await owner.api.patch('/realm', change)).status).toBe(200);
    expect((await create(member, { invite_only: true })).body.msg).toBe('Insufficient permission');
    expect((await create(moderator, { invite_only: true })).status).toBe(200);
    expect((await create(member)).status).toBe(200);
  });
});
