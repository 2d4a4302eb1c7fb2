import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SYSTEM_GROUP_IDS } from '../../../src/events/shared/group-setting.js';
import { UpdateChannel } from '../../../src/features/channels/domain/update-channel.js';
import { type ClientEvent, EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const { 'role:nobody': NOBODY, 'role:moderators': MODERATORS, 'role:members': MEMBERS } = SYSTEM_GROUP_IDS;

const INVALID = 'Invalid channel ID';
const NO_ADMINISTRATOR = 'You do not have permission to administer this channel.';
const NO_CONTENT = 'Channel content access is required.';

describe('PATCH and DELETE /streams/{stream_id}', () => {
  let annals: Annals;
  let people: Record<
    'owner' | 'administrator' | 'moderator' | 'member' | 'guest' | 'insider' | 'guestInside' | 'keeper' | 'gone',
    Member
  >;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    people = {
      owner: await annals.owner(),
      administrator: await annals.user('administrator', 200),
      moderator: await annals.user('moderator', 300),
      member: await annals.user('member'),
      guest: await annals.user('guest', 600),
      insider: await annals.user('insider'),
      guestInside: await annals.user('guest-inside', 600),
      keeper: await annals.user('keeper'),
      gone: await annals.user('gone'),
    };
    await people.owner.api.delete(`/users/${people.gone.id}`);
  });
  afterAll(() => annals.stop());

  type Person = keyof typeof people;

  /** Creates a channel with the insider and a guest as subscribers. The keeper administers it without a subscription. */
  const channel = async (params: object = {}): Promise<{ id: number; name: string }> => {
    const name = `channel ${++made}`;
    const { body } = await people.insider.api.post('/channels/create', {
      name,
      description: 'd',
      subscribers: [people.insider.id, people.guestInside.id],
      can_administer_channel_group: { direct_members: [people.keeper.id], direct_subgroups: [] },
      ...params,
    });
    return { id: body.id, name };
  };
  const PRIVATE = { invite_only: true };

  const patch = (who: Person, id: number, params: object) => people[who].api.patch(`/streams/${id}`, { ...params });
  const found = async (id: number, who: Person = 'owner') => (await people[who].api.get(`/streams/${id}`)).body.stream;

  describe('PATCH changes', () => {
    it('all given values in one append, with one event for each', async () => {
      const { id, name } = await channel();
      const head = await annals.head();
      const { status, body } = await patch('owner', id, {
        new_name: 'Everything new',
        description: '*e*',
        is_private: true,
        history_public_to_subscribers: true,
        topics_policy: 'allow_empty_topic',
        message_retention_days: 'unlimited',
        can_send_message_group: { new: MODERATORS, old: SYSTEM_GROUP_IDS['role:everyone'] },
        can_delete_any_message_group: { new: { direct_members: [people.insider.id], direct_subgroups: [] } },
      });
      expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
      expect(await found(id)).toMatchObject({
        name: 'Everything new',
        description: '*e*',
        rendered_description: '<p><em>e</em></p>',
        invite_only: true,
        history_public_to_subscribers: true,
        topics_policy: 'allow_empty_topic',
        message_retention_days: -1,
        can_send_message_group: MODERATORS,
        stream_post_policy: 4,
        can_delete_any_message_group: { direct_members: [people.insider.id], direct_subgroups: [] },
      });
      const events = await annals.events(undefined, head);
      expect(events.map(({ type, stream, metadata }) => [type, stream, metadata.actorId])).toEqual(
        [
          'ChannelPrivacyChanged',
          'ChannelRetentionChanged',
          'ChannelTopicsPolicyChanged',
          'ChannelDescriptionChanged',
          'ChannelRenamed',
          'ChannelPermissionChanged',
          'ChannelPermissionChanged',
        ].map((type) => [type, 'channels', people.owner.id]),
      );
      expect(events.map(({ data }) => data)).toMatchObject([
        {
          from: { inviteOnly: false, historyPublicToSubscribers: true },
          to: { inviteOnly: true, historyPublicToSubscribers: true },
        },
        { from: null, to: -1 },
        { from: 'inherit', to: 'allow_empty_topic' },
        { from: 'd', to: '*e*' },
        { from: name, to: 'Everything new' },
        { setting: 'can_delete_any_message_group', from: NOBODY },
        { setting: 'can_send_message_group', to: MODERATORS },
      ]);
    });

    it('nothing if all values are already set', async () => {
      const { id, name } = await channel();
      const head = await annals.head();
      for (const params of [
        {},
        { new_name: ` ${name} `, description: 'd', is_private: false, is_web_public: false, is_archived: false },
        { message_retention_days: 'realm_default', topics_policy: 'inherit', is_default_stream: false },
        { can_send_message_group: { new: { direct_members: [], direct_subgroups: [2] }, old: null } },
      ]) {
        const { status, body } = await patch('owner', id, params);
        expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
      }
      expect(await annals.head()).toBe(head);
    });

    it('a name in its case alone', async () => {
      const { id, name } = await channel();
      await patch('keeper', id, { new_name: name.toUpperCase() });
      expect(await found(id)).toMatchObject({ name: name.toUpperCase() });
      expect((await people.owner.api.get('/get_stream_id', { stream: name })).body.stream_id).toBe(id);
    });

    it('a name to one that is free again, but not to one in use', async () => {
      const [one, other] = [await channel(), await channel()];
      const taken = await patch('keeper', one.id, { new_name: other.name.toUpperCase() });
      expect([taken.status, taken.body.code]).toEqual([409, 'CHANNEL_ALREADY_EXISTS']);
      await patch('keeper', other.id, { new_name: `${other.name} b` });
      expect((await patch('keeper', one.id, { new_name: other.name })).status).toBe(200);
      expect((await people.owner.api.get('/get_stream_id', { stream: one.name })).status).toBe(400);
    });

    it('whether the channel is a default channel', async () => {
      const { id } = await channel();
      const defaults = async () => (await people.owner.api.get('/default_streams')).body.default_streams;
      await patch('administrator', id, { is_default_stream: true });
      expect(await defaults()).toContain(id);
      const refused = await patch('administrator', id, PRIVATE_TOO);
      expect(refused.body.msg).toBe('A default channel cannot be private.');
      await patch('administrator', id, { ...PRIVATE_TOO, is_default_stream: false });
      expect(await defaults()).not.toContain(id);
      expect(await found(id)).toMatchObject({ invite_only: true });
    });
    const PRIVATE_TOO = { is_private: true };

    it('the topics policy to the empty topic only, if there is no other topic', async () => {
      const { id, name } = await channel();
      const limit = { topics_policy: 'empty_topic_only' };
      await people.insider.api.post('/messages', { type: 'channel', to: name, topic: '', content: 'x' });
      expect((await patch('keeper', id, limit)).status).toBe(200);
      await patch('keeper', id, { topics_policy: 'inherit' });
      await people.insider.api.post('/messages', { type: 'channel', to: name, topic: 'lunch', content: 'x' });
      expect((await patch('keeper', id, limit)).body.code).toBe('BAD_REQUEST');
    });
  });

  it('a retention in days of an older version counts as that of the organization, and can be ended', async () => {
    const { id } = await channel();
    const by = { actorId: people.owner.id, client: 'test', correlationId: 'c' };
    await annals.execute(new UpdateChannel({ channelId: id, changes: { messageRetentionDays: 30 }, by }));
    expect(await found(id)).toMatchObject({ message_retention_days: null });
    const head = await annals.head();
    expect((await patch('owner', id, { message_retention_days: 'realm_default' })).status).toBe(200);
    expect((await annals.events(undefined, head)).map(({ type, data }) => [type, data])).toEqual([
      ['ChannelRetentionChanged', { channelId: id, from: 30, to: null }],
    ]);
  });

  it.each<[string, object, string, number]>([
    ['an empty name', { new_name: '' }, 'BAD_REQUEST', 400],
    ['a name too long', { new_name: 'x'.repeat(61) }, 'BAD_REQUEST', 400],
    ['a name with a line break', { new_name: 'a\nb' }, 'BAD_REQUEST', 400],
    ['a description too long', { description: 'x'.repeat(1025) }, 'BAD_REQUEST', 400],
    ['a value that is not a boolean', { is_private: 'yes' }, 'INVALID_JSON', 400],
    ['web-public access', { is_web_public: true }, 'BAD_REQUEST', 400],
    ['a public channel with protected history', { history_public_to_subscribers: false }, 'BAD_REQUEST', 400],
    ['archiving by PATCH', { is_archived: true }, 'BAD_REQUEST', 400],
    ['a retention of some days', { message_retention_days: 7 }, 'BAD_REQUEST', 400],
    ['a retention of zero days', { message_retention_days: 0 }, 'BAD_REQUEST', 400],
    ['an unknown policy', { topics_policy: 'some' }, 'BAD_REQUEST', 400],
    ['a permission without a new value', { can_send_message_group: { old: 2 } }, 'BAD_REQUEST', 400],
    ['a permission in the form of the create request', { can_send_message_group: 2 }, 'BAD_REQUEST', 400],
    [
      'a permission whose old value does not match',
      { can_send_message_group: { new: 3, old: 5 } },
      'EXPECTATION_MISMATCH',
      400,
    ],
    ['a group that does not exist', { can_send_message_group: { new: 999 } }, 'BAD_REQUEST', 400],
    ['to let everybody administer it', { can_administer_channel_group: { new: 2 } }, 'BAD_REQUEST', 400],
    ['a taken name', { new_name: 'GENERAL' }, 'CHANNEL_ALREADY_EXISTS', 409],
    ['a valid value next to an invalid one', { description: 'new', new_name: '' }, 'BAD_REQUEST', 400],
  ])('refuses %s, and appends nothing', async (_, params, code, status) => {
    const { id } = await channel();
    const head = await annals.head();
    const answer = await patch('owner', id, params);
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
    expect(await annals.head()).toBe(head);
  });

  /** The expected message for each user; null is success. */
  type Answers = Partial<Record<Person, string | null>>;
  const EVERYONE: readonly Person[] = [
    'owner',
    'administrator',
    'moderator',
    'member',
    'guest',
    'insider',
    'guestInside',
    'keeper',
  ];

  const rows: [what: string, params: object, isPrivate: boolean, answers: Answers][] = [
    [
      'renames a public channel',
      { new_name: 'renamed' },
      false,
      {
        owner: null,
        administrator: null,
        keeper: null,
        moderator: NO_ADMINISTRATOR,
        member: NO_ADMINISTRATOR,
        insider: NO_ADMINISTRATOR,
        guestInside: NO_ADMINISTRATOR,
        guest: INVALID,
      },
    ],
    [
      'describes a private channel',
      { description: 'described' },
      true,
      {
        owner: null,
        administrator: null,
        keeper: null,
        moderator: INVALID,
        member: INVALID,
        insider: NO_ADMINISTRATOR,
        guestInside: NO_ADMINISTRATOR,
        guest: INVALID,
      },
    ],
    ['makes a public channel private', { is_private: true }, false, { owner: null, administrator: null, keeper: null }],
    [
      'makes a private channel public',
      { is_private: false },
      true,
      { owner: NO_CONTENT, administrator: NO_CONTENT, keeper: NO_CONTENT },
    ],
    [
      'opens the history of a private channel',
      { history_public_to_subscribers: true },
      true,
      { owner: NO_CONTENT, administrator: NO_CONTENT, keeper: NO_CONTENT },
    ],
    [
      'lets others into a private channel',
      { can_subscribe_group: { new: MEMBERS } },
      true,
      { owner: NO_CONTENT, administrator: NO_CONTENT, keeper: NO_CONTENT },
    ],
    [
      'lets others bring people into a private channel',
      { can_add_subscribers_group: { new: MEMBERS } },
      true,
      { owner: NO_CONTENT, administrator: NO_CONTENT, keeper: NO_CONTENT },
    ],
    [
      'says who posts in a private channel',
      { can_send_message_group: { new: MEMBERS } },
      true,
      { owner: null, administrator: null, keeper: null },
    ],
    [
      'says how long messages are kept',
      { message_retention_days: 'unlimited' },
      false,
      { owner: null, administrator: 'Must be an organization owner', keeper: 'Must be an organization owner' },
    ],
    [
      'says who deletes messages',
      { can_delete_any_message_group: { new: MEMBERS } },
      false,
      { owner: null, administrator: null, keeper: 'Insufficient permission' },
    ],
    [
      'says which topics it takes',
      { topics_policy: 'disable_empty_topic' },
      false,
      { owner: null, administrator: null, keeper: null },
    ],
    [
      'makes it a default channel',
      { is_default_stream: true },
      false,
      { owner: null, administrator: null, keeper: 'Must be an organization administrator' },
    ],
  ];

  it.each(
    rows.flatMap(([what, params, isPrivate, answers]) =>
      EVERYONE.map((who) => [who, what, params, isPrivate, answers] as const),
    ),
  )('%s %s', async (who, _, params, isPrivate, answers) => {
    const expected = answers[who];
    const { id } = await channel(isPrivate ? PRIVATE : {});
    const head = await annals.head();
    const asked = 'new_name' in params ? { new_name: `renamed by ${who}` } : params;
    const { status, body } = await patch(who, id, asked);
    if (expected === null) expect([status, body.msg]).toEqual([200, '']);
    else {
      const others = (
        isPrivate ? ['insider', 'guestInside'] : ['moderator', 'member', 'insider', 'guestInside']
      ).includes(who);
      expect([status, body.msg]).toEqual([400, expected ?? (others ? NO_ADMINISTRATOR : INVALID)]);
      expect(await annals.head()).toBe(head);
    }
  });

  it('lets a subscribed administrator change access to the content, and answers 401 to deactivated accounts', async () => {
    const { id } = await channel({
      ...PRIVATE,
      can_administer_channel_group: { direct_members: [people.insider.id], direct_subgroups: [] },
    });
    expect((await patch('insider', id, { can_subscribe_group: { new: MODERATORS } })).status).toBe(200);
    expect((await patch('insider', id, { is_private: false })).status).toBe(200);
    expect((await patch('gone', id, { new_name: 'x' })).status).toBe(401);
    expect((await people.gone.api.delete(`/streams/${id}`)).status).toBe(401);
    expect((await patch('owner', 9999, { new_name: 'x' })).body.msg).toBe(INVALID);
    expect((await people.owner.api.delete('/streams/9999')).body.msg).toBe(INVALID);
  });

  describe('DELETE archives', () => {
    const archive = (who: Person, id: number) => people[who].api.delete(`/streams/${id}`);

    it.each<[Person, string | null, string | null]>([
      ['owner', null, null],
      ['administrator', null, null],
      ['keeper', null, null],
      ['moderator', NO_ADMINISTRATOR, INVALID],
      ['member', NO_ADMINISTRATOR, INVALID],
      ['insider', NO_ADMINISTRATOR, NO_ADMINISTRATOR],
      ['guestInside', NO_ADMINISTRATOR, NO_ADMINISTRATOR],
      ['guest', INVALID, INVALID],
    ])('if permitted: %s', async (who, ofPublic, ofPrivate) => {
      for (const [params, expected] of [
        [{}, ofPublic],
        [PRIVATE, ofPrivate],
      ] as const) {
        const { id } = await channel(params);
        const { status, body } = await archive(who, id);
        expect([status, body.msg]).toEqual([expected === null ? 200 : 400, expected ?? '']);
        expect((await found(id)).is_archived).toBe(expected === null);
      }
    });

    it('once, with one event', async () => {
      const { id } = await channel();
      const head = await annals.head();
      for (let times = 0; times < 2; times++) expect((await archive('owner', id)).status).toBe(200);
      expect(await annals.events(undefined, head)).toMatchObject([
        { type: 'ChannelArchived', data: { channelId: id }, metadata: { actorId: people.owner.id } },
      ]);
    });

    it('a channel that keeps its name, messages and subscribers, and accepts no new messages', async () => {
      const { id, name } = await channel();
      const message = { type: 'channel', to: id, topic: 't', content: 'kept' };
      const sent = await people.insider.api.post('/messages', message);
      await archive('owner', id);
      expect((await people.insider.api.post('/messages', message)).status).toBe(400);
      expect((await people.insider.api.get(`/messages/${sent.body.id}`)).status).toBe(200);
      expect(await found(id)).toMatchObject({ name, is_archived: true, subscriber_count: 2 });
      const again = await people.insider.api.post('/channels/create', { name: name.toUpperCase(), subscribers: [] });
      expect(again.status).toBe(409);
      const listed = async (params: object = {}) =>
        (await people.insider.api.get('/streams', { ...params })).body.streams.map(
          (one: { stream_id: number }) => one.stream_id,
        );
      expect(await listed()).not.toContain(id);
      expect(await listed({ exclude_archived: false })).toContain(id);
    });

    it('a channel and removes it from the default channels', async () => {
      const { id } = await channel();
      await people.owner.api.post('/default_streams', { stream_id: id });
      const head = await annals.head();
      await archive('owner', id);
      const events = await annals.events(undefined, head);
      expect(events.map(({ type }) => type)).toEqual(['ChannelArchived', 'DefaultChannelRemoved']);
      expect(events[1]?.metadata.causationId).toBe(events[0]?.id);
    });

    it('a channel that PATCH can unarchive', async () => {
      const { id } = await channel();
      await archive('keeper', id);
      expect((await patch('insider', id, { is_archived: false })).body.msg).toBe(NO_ADMINISTRATOR);
      const head = await annals.head();
      expect((await patch('keeper', id, { is_archived: false })).status).toBe(200);
      expect((await patch('keeper', id, { is_archived: false })).status).toBe(200);
      expect((await annals.events(undefined, head)).map(({ type }) => type)).toEqual(['ChannelUnarchived']);
      expect(await found(id)).toMatchObject({ is_archived: false, subscriber_count: 2 });
      const sent = await people.insider.api.post('/messages', { type: 'channel', to: id, topic: 't', content: 'x' });
      expect(sent.status).toBe(200);
    });

    it('a private channel that nobody can unarchive when it has no subscribers', async () => {
      const { id } = await channel({ ...PRIVATE, subscribers: [] });
      await archive('owner', id);
      expect((await patch('owner', id, { is_archived: false })).body.msg).toMatch(/has no subscribers/);
    });

    it('a channel whose privacy and name can still change', async () => {
      const { id, name } = await channel();
      await archive('owner', id);
      expect((await patch('owner', id, { is_private: true, new_name: `${name} old` })).status).toBe(200);
      expect(await found(id)).toMatchObject({ is_archived: true, invite_only: true, name: `${name} old` });
    });
  });

  describe('client events are sent', () => {
    const queueOf = (who: Person, params: object = {}) =>
      EventQueue.register(people[who].api, {
        event_types: ['stream', 'subscription'],
        include_subscribers: true,
        ...params,
      });
    const KNOWS_ARCHIVED = { client_capabilities: { archived_channels: true } };
    const brief = ({ type, op, property, value, stream_ids, user_ids }: ClientEvent) =>
      [`${type}/${op}`, property ?? stream_ids, value ?? user_ids].filter((part) => part !== undefined);

    it('to all who see the channel, one for each property', async () => {
      const { id, name } = await channel(PRIVATE);
      const [inside, keeper, outside] = [
        await queueOf('guestInside'),
        await queueOf('keeper'),
        await queueOf('member'),
      ];
      await patch('owner', id, {
        new_name: `${name} b`,
        description: '*e*',
        can_send_message_group: { new: MODERATORS },
      });
      const events = await inside.drain();
      expect(events).toEqual([
        {
          id: expect.any(Number),
          type: 'stream',
          op: 'update',
          stream_id: id,
          name,
          property: 'description',
          value: '*e*',
          rendered_description: '<p><em>e</em></p>',
        },
        {
          id: expect.any(Number),
          type: 'stream',
          op: 'update',
          stream_id: id,
          name,
          property: 'name',
          value: `${name} b`,
        },
        {
          id: expect.any(Number),
          type: 'stream',
          op: 'update',
          stream_id: id,
          name: `${name} b`,
          property: 'can_send_message_group',
          value: MODERATORS,
        },
        expect.objectContaining({ property: 'stream_post_policy', value: 4 }),
        expect.objectContaining({ property: 'is_announcement_only', value: false }),
      ]);
      expect(await keeper.drain()).toEqual(events);
      expect(await outside.drain()).toEqual([]);
    });

    it('when a change of privacy makes the channel appear or disappear', async () => {
      const { id } = await channel({
        ...PRIVATE,
        can_administer_channel_group: { direct_members: [people.insider.id], direct_subgroups: [] },
      });
      const types = { event_types: ['stream', 'subscription', 'message'] };
      const [inside, outside, guest] = [
        await queueOf('insider'),
        await queueOf('member', { ...types, all_public_streams: true }),
        await queueOf('guest'),
      ];
      const say = (content: string) =>
        people.insider.api.post('/messages', { type: 'channel', to: id, topic: 't', content });
      await say('before');
      await patch('insider', id, { is_private: false });
      await say('in the open');
      await patch('insider', id, { is_private: true });
      await say('after');
      const subscribers = [people.insider.id, people.guestInside.id];
      const seen = await outside.drain();
      expect(seen.filter(({ type }) => type !== 'message').map(brief)).toEqual([
        ['stream/create'],
        ['subscription/peer_add', [id], subscribers],
        ['stream/delete', [id]],
      ]);
      expect(seen[0]?.streams).toMatchObject([{ stream_id: id, invite_only: false, subscriber_count: 2 }]);
      expect(seen.filter(({ type }) => type === 'message').map(({ message }) => message.content)).toEqual([
        'in the open',
      ]);
      expect((await inside.drain()).map(brief)).toEqual([
        ['stream/update', 'first_message_id', expect.any(Number)],
        ['stream/update', 'invite_only', false],
        ['stream/update', 'invite_only', true],
      ]);
      expect(await guest.drain()).toEqual([]);
      const history = await people.member.api.get('/messages', {
        anchor: 'newest',
        num_before: 10,
        num_after: 0,
        narrow: [{ operator: 'channel', operand: id }],
      });
      expect(history.body.messages ?? []).toEqual([]);
    });

    it('when a permission makes a private channel appear or disappear', async () => {
      const { id } = await channel(PRIVATE);
      const [member, moderator] = [await queueOf('member'), await queueOf('moderator')];
      const give = (direct_members: number[]) =>
        patch('keeper', id, { can_administer_channel_group: { new: { direct_members, direct_subgroups: [] } } });
      await give([people.keeper.id, people.member.id]);
      await give([people.keeper.id]);
      expect((await member.drain()).map(brief)).toEqual([
        ['stream/create'],
        ['subscription/peer_add', [id], [people.insider.id, people.guestInside.id]],
        ['stream/delete', [id]],
      ]);
      expect(await moderator.drain()).toEqual([]);
    });

    it('for archiving and unarchiving, by whether the client knows archived channels', async () => {
      const { id, name } = await channel();
      const [knowing, plain, bystander] = [
        await queueOf('insider', KNOWS_ARCHIVED),
        await queueOf('insider'),
        await queueOf('member'),
      ];
      await people.owner.api.delete(`/streams/${id}`);
      await patch('owner', id, { new_name: `${name} b` });
      await patch('owner', id, { is_archived: false });
      expect((await knowing.drain()).map(brief)).toEqual([
        ['stream/update', 'is_archived', true],
        ['stream/update', 'name', `${name} b`],
        ['stream/update', 'is_archived', false],
      ]);
      const events = await plain.drain();
      expect(events.map(brief)).toEqual([['stream/delete', [id]], ['stream/create'], ['subscription/add']]);
      expect(events[1]?.streams).toMatchObject([{ name: `${name} b`, is_archived: false }]);
      expect((await bystander.drain()).map(brief)).toEqual([
        ['stream/delete', [id]],
        ['stream/create'],
        ['subscription/peer_add', [id], [people.insider.id, people.guestInside.id]],
      ]);
    });
  });
});
