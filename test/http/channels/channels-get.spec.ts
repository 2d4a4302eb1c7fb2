import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SYSTEM_GROUP_IDS } from '../../../src/events/shared/group-setting.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const { 'role:members': MEMBERS } = SYSTEM_GROUP_IDS;

describe('reading about channels', () => {
  let annals: Annals;
  let owner: Member;
  let member: Member;
  let reader: Member;
  let guest: Member;
  let bot: Member;
  /** The ids of the channels by name. */
  let ids: Record<'general' | 'open' | 'joined' | 'vault' | 'shared' | 'managed' | 'old', number>;

  beforeAll(async () => {
    annals = await Annals.start();
    await annals.noDefaultChannels();
    owner = await annals.owner();
    member = await annals.user('member');
    reader = await annals.user('reader');
    guest = await annals.user('guest', 600);
    bot = await botOf(owner);
    const create = async (name: string, params: object = {}) =>
      (await owner.api.post('/channels/create', { name, subscribers: [owner.id], ...params })).body.id as number;
    ids = {
      general: 1,
      open: await create('open'),
      joined: await create('joined', { subscribers: [owner.id, member.id, guest.id] }),
      vault: await create('vault', { invite_only: true }),
      shared: await create('shared', {
        invite_only: true,
        history_public_to_subscribers: true,
        can_subscribe_group: { direct_members: [reader.id, guest.id], direct_subgroups: [] },
      }),
      managed: await create('managed', {
        invite_only: true,
        can_administer_channel_group: { direct_members: [reader.id], direct_subgroups: [] },
      }),
      old: await create('old', { subscribers: [owner.id, member.id] }),
    };
    await owner.api.post('/default_streams', { stream_id: ids.open });
    await owner.api.delete(`/streams/${ids.old}`);
  });
  afterAll(() => annals.stop());

  async function botOf(who: Member): Promise<Member> {
    const { body } = await who.api.post('/bots', { full_name: 'Bot', short_name: 'bot' });
    const { email } = (await who.api.get(`/users/${body.user_id}`)).body.user;
    const credentials = { email, apiKey: body.api_key };
    return { id: body.user_id, ...credentials, api: annals.api.as(credentials) };
  }

  describe('GET /streams lists', () => {
    const NONE = { include_public: false, include_subscribed: false };
    const names = async (who: Member, params: object = {}) => {
      const { status, body } = await who.api.get('/streams', { ...params });
      if (status !== 200) return body.msg;
      return body.streams.map(({ name }: { name: string }) => name);
    };

    it.each<[object, Record<'owner' | 'member' | 'reader' | 'guest' | 'bot', readonly string[] | string>]>([
      [
        {},
        {
          owner: ['general', 'open', 'joined', 'vault', 'shared', 'managed'],
          member: ['general', 'open', 'joined'],
          reader: ['general', 'open', 'joined'],
          guest: ['joined'],
          bot: ['general', 'open', 'joined'],
        },
      ],
      [
        { include_public: false },
        {
          owner: ['general', 'open', 'joined', 'vault', 'shared', 'managed'],
          member: ['joined'],
          reader: [],
          guest: ['joined'],
          bot: [],
        },
      ],
      [
        { include_subscribed: false },
        {
          owner: ['general', 'open', 'joined'],
          member: ['general', 'open', 'joined'],
          reader: ['general', 'open', 'joined'],
          guest: ['joined'],
          bot: ['general', 'open', 'joined'],
        },
      ],
      [NONE, { owner: [], member: [], reader: [], guest: [], bot: [] }],
      [
        { ...NONE, include_web_public: true },
        { owner: [], member: [], reader: [], guest: [], bot: [] },
      ],
      [
        { ...NONE, include_can_access_content: true },
        {
          owner: ['general', 'open', 'joined', 'vault', 'shared', 'managed'],
          member: ['general', 'open', 'joined'],
          reader: ['general', 'open', 'joined', 'shared'],
          guest: ['joined'],
          bot: ['general', 'open', 'joined'],
        },
      ],
      [
        { ...NONE, include_all: true },
        {
          owner: ['general', 'open', 'joined', 'vault', 'shared', 'managed'],
          member: ['general', 'open', 'joined'],
          reader: ['general', 'open', 'joined', 'shared', 'managed'],
          guest: ['joined'],
          bot: ['general', 'open', 'joined'],
        },
      ],
      [
        { ...NONE, include_all_active: true },
        {
          owner: ['general', 'open', 'joined', 'vault', 'shared', 'managed'],
          member: 'User not authorized for this query',
          reader: 'User not authorized for this query',
          guest: 'User not authorized for this query',
          bot: 'User not authorized for this query',
        },
      ],
      [
        { include_public: false, exclude_archived: false },
        {
          owner: ['general', 'open', 'joined', 'vault', 'shared', 'managed', 'old'],
          member: ['joined', 'old'],
          reader: [],
          guest: ['joined'],
          bot: [],
        },
      ],
      [
        { ...NONE, include_default: true },
        { owner: ['open'], member: ['open'], reader: ['open'], guest: [], bot: ['open'] },
      ],
      [
        { ...NONE, include_owner_subscribed: true },
        {
          owner: [],
          member: [],
          reader: [],
          guest: [],
          bot: ['general', 'open', 'joined', 'vault', 'shared', 'managed'],
        },
      ],
    ])('by the parameters %j', async (params, expected) => {
      expect({
        owner: await names(owner, params),
        member: await names(member, params),
        reader: await names(reader, params),
        guest: await names(guest, params),
        bot: await names(bot, params),
      }).toEqual(expected);
    });

    it('is_default only with include_default', async () => {
      const { streams } = (await member.api.get('/streams', { include_default: true })).body;
      const told = streams.map((one: { name: string; is_default: boolean }) => [one.name, one.is_default]);
      expect(told).toEqual([
        ['general', false],
        ['open', true],
        ['joined', false],
      ]);
      const [plain] = (await member.api.get('/streams')).body.streams;
      expect(plain).not.toHaveProperty('is_default');
    });
  });

  describe('a channel by id and by name', () => {
    it.each<[keyof typeof ids, readonly string[]]>([
      ['open', ['owner', 'member', 'reader', 'bot']],
      ['joined', ['owner', 'member', 'reader', 'guest', 'bot']],
      ['vault', ['owner']],
      ['shared', ['owner', 'reader']],
      ['managed', ['owner', 'reader']],
      ['old', ['owner', 'member', 'reader', 'bot']],
    ])('%s is visible only to %j', async (name, seers) => {
      for (const [who, { api }] of Object.entries({ owner, member, reader, guest, bot })) {
        const answers = [
          await api.get(`/streams/${ids[name]}`),
          await api.get('/get_stream_id', { stream: name.toUpperCase() }),
          await api.get(`/streams/${ids[name]}/email_address`),
        ];
        if (seers.includes(who)) {
          expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
          expect(answers[0]?.body.stream).toMatchObject({ stream_id: ids[name], name, is_archived: name === 'old' });
          expect(answers[1]?.body.stream_id).toBe(ids[name]);
          expect(answers[2]?.body.email).toBe('');
        } else {
          expect(answers.map(({ body }) => [body.code, body.msg])).toEqual([
            ['BAD_REQUEST', 'Invalid channel ID'],
            ['BAD_REQUEST', `Invalid channel name '${name.toUpperCase()}'`],
            ['BAD_REQUEST', 'Invalid channel ID'],
          ]);
        }
      }
    });

    it('answers an error for an id that does not exist, and for a name in place of the id', async () => {
      expect((await owner.api.get('/streams/9999')).body.msg).toBe('Invalid channel ID');
      expect((await owner.api.get('/streams/general')).status).toBe(404);
    });

    it('lists permissions without deactivated accounts', async () => {
      const leaver = await annals.user('leaver');
      const can_send_message_group = { direct_members: [leaver.id, member.id], direct_subgroups: [MEMBERS] };
      const { body } = await owner.api.post('/channels/create', {
        name: 'left',
        subscribers: [],
        can_send_message_group,
      });
      await owner.api.delete(`/users/${leaver.id}`);
      expect((await owner.api.get(`/streams/${body.id}`)).body.stream.can_send_message_group).toEqual({
        direct_members: [member.id],
        direct_subgroups: [MEMBERS],
      });
    });
  });

  describe('GET /users/me/{stream_id}/topics', () => {
    const say = async (who: Member, channelId: number, topic: string) =>
      (await who.api.post('/messages', { type: 'channel', to: channelId, topic, content: 'x' })).body.id as number;
    const topics = async (who: Member, channelId: number, params: object = {}) => {
      const { status, body } = await who.api.get(`/users/me/${channelId}/topics`, { ...params });
      return status === 200 ? body.topics : body.msg;
    };

    it('lists topics in their first spelling, the newest first', async () => {
      await say(owner, ids.open, 'Lunch');
      const tea = await say(member, ids.open, 'tea');
      const lunch = await say(member, ids.open, 'LUNCH');
      const general = await say(owner, ids.open, '');
      const told = [
        { name: 'general chat', max_id: general },
        { name: 'Lunch', max_id: lunch },
        { name: 'tea', max_id: tea },
      ];
      expect(await topics(reader, ids.open)).toEqual(told);
      expect((await topics(reader, ids.open, { allow_empty_topic_name: true }))[0]).toEqual({
        name: '',
        max_id: general,
      });
      expect(await topics(reader, ids.general)).toEqual([]);
    });

    it('lists all topics of a private channel with shared history to its readers', async () => {
      const id = await say(owner, ids.shared, 'plans');
      expect(await topics(owner, ids.shared)).toEqual([{ name: 'plans', max_id: id }]);
      expect(await topics(reader, ids.shared)).toEqual([{ name: 'plans', max_id: id }]);
      for (const who of [member, guest, bot]) expect(await topics(who, ids.shared)).toBe('Invalid channel ID');
    });

    it('is open to users who may read the channel, not to users who may only see it', async () => {
      expect(await topics(reader, ids.managed)).toBe('Invalid channel ID');
      expect(await topics(guest, ids.open)).toBe('Invalid channel ID');
      expect(await topics(guest, ids.joined)).toEqual([]);
      expect(await topics(owner, 9999)).toBe('Invalid channel ID');
    });

    it('counts only messages sent while the reader was subscribed if the history is protected', async () => {
      const join = { subscriptions: [{ name: 'vault' }], principals: [member.id] };
      const leave = { subscriptions: ['vault'], principals: [member.id] };
      const vault = (topic: string) => say(owner, ids.vault, topic);
      await vault('before');
      await vault('throughout');
      await owner.api.post('/users/me/subscriptions', join);
      const there = await vault('there');
      const between = await vault('Throughout');
      await owner.api.delete('/users/me/subscriptions', leave);
      await vault('away');
      await vault('throughout');
      expect(await topics(member, ids.vault)).toBe('Invalid channel ID');
      await owner.api.post('/users/me/subscriptions', join);
      expect(await topics(member, ids.vault)).toEqual([
        { name: 'throughout', max_id: between },
        { name: 'there', max_id: there },
      ]);
      const again = await vault('away');
      expect(await topics(member, ids.vault)).toEqual([
        { name: 'away', max_id: again },
        { name: 'throughout', max_id: between },
        { name: 'there', max_id: there },
      ]);
      expect(await topics(owner, ids.vault)).toHaveLength(4);
    });

    it('lists the topics of an archived channel', async () => {
      const id = (await owner.api.post('/channels/create', { name: 'ended', subscribers: [owner.id] })).body.id;
      const last = await say(owner, id, 'last words');
      await owner.api.delete(`/streams/${id}`);
      expect(await topics(member, id)).toEqual([{ name: 'last words', max_id: last }]);
    });

    it('lists more than a thousand topics', async () => {
      const id = (await owner.api.post('/channels/create', { name: 'busy', subscribers: [owner.id] })).body.id;
      const many = 1_010;
      const sent: number[] = [];
      for (let first = 0; first < many; first += 101)
        sent.push(
          ...(await Promise.all(Array.from({ length: 101 }, (_, at) => say(owner, id, `topic ${first + at}`)))),
        );
      const told = await topics(owner, id);
      expect(told.map(({ max_id }: { max_id: number }) => max_id)).toEqual(sent.sort((one, other) => other - one));
      expect(new Set(told.map(({ name }: { name: string }) => name)).size).toBe(many);
    });
  });
});
