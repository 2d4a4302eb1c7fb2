import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Directory } from '../../../src/directory/directory.js';
import { CHANNEL_PERMISSIONS } from '../../../src/events/channels/channels.settings.js';
import { BOT_TYPES } from '../../../src/events/users/users.settings.js';
import { SubscribeUsers, UnsubscribeUsers } from '../../../src/features/channels/domain/subscribe-users.js';
import { CreateBot } from '../../../src/features/users/domain/bots.js';
import { EventQueue, kindOf } from '../../support/requests/event-queue.js';
import type { Answer, Params } from '../../support/requests/http.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, by, type Member } from '../../support/servers/annals.js';

const MEMBERS = 3;
const MODERATORS = 5;
const ADMINISTRATORS = 6;

/** Users named `…Outside` are not subscribed to the private channel. All except guests see the public one. */
const NAMES = [
  'administratorInside',
  'adderOutside',
  'joinerOutside',
  'keeperOutside',
  'keeperInside',
  'member',
  'memberOutside',
  'guest',
  'guestOutside',
  'target',
] as const;
type Name = (typeof NAMES)[number];
const ROLE: Readonly<Partial<Record<Name, 200 | 600>>> = { administratorInside: 200, guest: 600, guestOutside: 600 };
const INSIDE: readonly Name[] = ['administratorInside', 'keeperInside', 'member', 'guest'];

describe('POST /users/me/subscriptions', () => {
  let annals: Annals;
  let owner: Member;
  let bot: Member;
  let gone: Member;
  const people = {} as Record<Name, Member>;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    for (const name of NAMES) people[name] = await annals.user(name, ROLE[name] ?? 400);
    gone = await annals.user('gone');
    await owner.api.delete(`/users/${gone.id}`);
    const account = { fullName: 'Bot', shortName: 'helper', type: BOT_TYPES.generic };
    const created = await annals.execute(new CreateBot({ bot: account, by: { ...by, actorId: people.member.id } }));
    const email = annals.app.get(Directory).user(created.userId)?.email ?? '';
    const credentials = { email, apiKey: created.apiKey };
    bot = { id: created.userId, ...credentials, api: annals.api.as(credentials) };
    // By default every member may add subscribers to every channel.
    const { status } = await owner.api.patch('/realm', { can_add_subscribers_group: { new: ADMINISTRATORS } });
    expect(status).toBe(200);
    const { adderOutside, joinerOutside, keeperOutside, keeperInside, guest, guestOutside } = people;
    for (const [name, invite_only] of [
      ['square', false],
      ['vault', true],
    ] as const) {
      await subscribe(owner, name, [...INSIDE.map((one) => people[one]), bot], {
        invite_only,
        can_add_subscribers_group: anonymous(adderOutside, guest, guestOutside),
        can_subscribe_group: anonymous(joinerOutside, guestOutside),
        can_administer_channel_group: anonymous(keeperOutside, keeperInside),
      });
    }
  });
  afterAll(() => annals.stop());

  const anonymous = (...members: Member[]) => ({ direct_members: members.map(({ id }) => id), direct_subgroups: [] });
  const channelId = (name: string): number => annals.app.get(Directory).channelByName(name)?._id ?? 0;
  const subscribe = (who: Member, name: string, principals?: Member[], params: Params = {}) =>
    who.api.post('/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: principals?.map(({ id }) => id),
      ...params,
    });
  const out = (name: string, { id }: Member) =>
    annals.execute(new UnsubscribeUsers({ channelId: channelId(name), userIds: [id], by }));

  async function eventsOf(
    ask: () => Promise<Answer>,
  ): Promise<readonly [Answer, (readonly [string, object, unknown])[]]> {
    const head = await annals.head();
    const answer = await ask();
    const events = await annals.events(undefined, head);
    return [answer, events.map(({ type, data, metadata }) => [type, data, metadata.actorId])];
  }

  describe('the permission to join and to add users', () => {
    const OUT_OF_REACH = 'Unable to access channel';
    const REFUSED = 'Insufficient permission';
    const DONE = 'subscribed';
    /** The answer equals the answer for a name that no channel has. */
    const HIDDEN = 'hidden';

    async function expectOutcome(who: Member, whom: Member, name: string, expected: string): Promise<void> {
      const [{ body }, events] = await eventsOf(() => subscribe(who, name, [whom]));
      const named = { subscriptions: [{ name }], principals: [whom.id], authorization_errors_fatal: false };
      if (expected === DONE) {
        expect(body).toEqual({ result: 'success', msg: '', subscribed: { [whom.id]: [name] }, already_subscribed: {} });
        const data = { channelId: channelId(name), userIds: [whom.id] };
        expect(events).toEqual([['UsersSubscribed', data, who.id]]);
        await out(name, whom);
        return;
      }
      expect(events).toEqual([]);
      if (expected === 'already') {
        const already_subscribed = { [whom.id]: [name] };
        expect(body).toEqual({ result: 'success', msg: '', subscribed: {}, already_subscribed });
        return;
      }
      if (expected === HIDDEN) {
        for (const fatal of [true, false]) {
          const ask = (wanted: string) =>
            subscribe(who, wanted, [whom], { authorization_errors_fatal: fatal, invite_only: true });
          const [hidden] = await eventsOf(() => ask(name));
          expect(hidden.body).toEqual({ result: 'error', code: 'BAD_REQUEST', msg: REFUSED });
          expect((await ask('nowhere')).body).toEqual(hidden.body);
        }
        return;
      }
      expect(body).toMatchObject({
        code: 'BAD_REQUEST',
        msg: expected === REFUSED ? REFUSED : `${expected} (${name}).`,
      });
      const [lenient, nothing] = await eventsOf(() => who.api.post('/users/me/subscriptions', named));
      expect(lenient.body).toMatchObject({
        result: 'success',
        subscribed: {},
        already_subscribed: {},
        unauthorized: [name],
      });
      expect(nothing).toEqual([]);
    }

    it.each<[string, () => Member, string, string]>([
      ['the owner, from outside', () => owner, DONE, OUT_OF_REACH],
      ['an administrator', () => people.administratorInside, DONE, DONE],
      ['a member of can_add_subscribers_group, from outside', () => people.adderOutside, DONE, DONE],
      ['a member of can_subscribe_group, from outside', () => people.joinerOutside, REFUSED, REFUSED],
      ['a channel administrator', () => people.keeperInside, DONE, DONE],
      ['a channel administrator, from outside', () => people.keeperOutside, DONE, OUT_OF_REACH],
      ['a member', () => people.member, REFUSED, REFUSED],
      ['a member from outside', () => people.memberOutside, REFUSED, OUT_OF_REACH],
      ['a guest, though in the group', () => people.guest, REFUSED, REFUSED],
      ['a guest from outside, though in the group', () => people.guestOutside, HIDDEN, HIDDEN],
      ['a bot', () => bot, REFUSED, REFUSED],
    ])('%s adds another user', async (_, who, toSquare, toVault) => {
      await expectOutcome(who(), people.target, 'square', toSquare);
      await expectOutcome(who(), people.target, 'vault', toVault);
    });

    it.each<[string, () => Member, string, string]>([
      ['the owner, from outside', () => owner, DONE, OUT_OF_REACH],
      ['a member of can_add_subscribers_group, from outside', () => people.adderOutside, DONE, DONE],
      ['a member of can_subscribe_group, from outside', () => people.joinerOutside, DONE, DONE],
      ['a channel administrator, from outside', () => people.keeperOutside, DONE, OUT_OF_REACH],
      ['a member', () => people.member, 'already', 'already'],
      ['a member from outside', () => people.memberOutside, DONE, OUT_OF_REACH],
      ['a guest', () => people.guest, 'already', 'already'],
      ['a guest from outside', () => people.guestOutside, HIDDEN, HIDDEN],
      ['a bot', () => bot, 'already', 'already'],
    ])('%s joins', async (_, who, toSquare, toVault) => {
      await expectOutcome(who(), who(), 'square', toSquare);
      await expectOutcome(who(), who(), 'vault', toVault);
    });

    it('the answer shows that a hidden name exists only to users who could create a channel of that name', async () => {
      const { memberOutside } = people;
      const ask = (name: string) => memberOutside.api.patch('/users/me/subscriptions', { add: [{ name }] });
      const set = (group: number) => owner.api.patch('/realm', { can_create_public_channel_group: { new: group } });
      expect((await ask('vault')).body.msg).toBe('Unable to access channel (vault).');
      expect((await set(ADMINISTRATORS)).status).toBe(200);
      const [hidden, nowhere] = [await ask('vault'), await ask('nowhere')];
      expect(hidden.body.msg).toBe(REFUSED);
      expect({ ...nowhere.body, status: nowhere.status }).toEqual({ ...hidden.body, status: hidden.status });
      expect((await set(MEMBERS)).status).toBe(200);
    });

    it('guests and bots can be added; deactivated accounts can neither be added nor join', async () => {
      await expectOutcome(people.adderOutside, people.guestOutside, 'vault', DONE);
      await out('vault', bot);
      await expectOutcome(people.adderOutside, bot, 'vault', DONE);
      await annals.execute(new SubscribeUsers({ channelId: channelId('vault'), userIds: [bot.id], by, color: null }));
      await expectRefusal(annals, () => subscribe(owner, 'square', [gone]), 'User is deactivated');
      expect((await subscribe(gone, 'square')).status).toBe(401);
    });

    it('a request is refused as a whole by default', async () => {
      const subscriptions = [{ name: 'square' }, { name: 'brand new' }, { name: 'vault' }];
      await expectRefusal(
        annals,
        () => people.memberOutside.api.post('/users/me/subscriptions', { subscriptions }),
        'Unable to access channel (vault).',
      );
    });

    it('the permitted part of a request is carried out if authorization errors are not fatal', async () => {
      const subscriptions = [{ name: 'vault' }, { name: 'SQUARE' }, { name: 'brand new' }];
      const { memberOutside } = people;
      const { body } = await memberOutside.api.post('/users/me/subscriptions', {
        subscriptions,
        authorization_errors_fatal: false,
      });
      expect(body).toEqual({
        result: 'success',
        msg: '',
        subscribed: { [memberOutside.id]: ['brand new', 'square'] },
        already_subscribed: {},
        unauthorized: ['vault'],
      });
      await out('square', memberOutside);
    });
  });

  describe('creates missing channels', () => {
    const options = Object.fromEntries(Object.keys(CHANNEL_PERMISSIONS).map((name) => [name, MODERATORS]));

    it('with all given settings, first subscribers, and as default channels', async () => {
      const queue = await EventQueue.register(people.member.api, {
        event_types: ['stream', 'subscription', 'default_streams'],
      });
      const guests = await EventQueue.register(people.guest.api, { event_types: ['default_streams'] });
      const [{ body }, events] = await eventsOf(() =>
        owner.api.post('/users/me/subscriptions', {
          subscriptions: [{ name: 'Observatory', description: 'of *stars*' }],
          principals: [people.member.id],
          message_retention_days: 'unlimited',
          topics_policy: 'disable_empty_topic',
          is_default_stream: true,
          ...options,
        }),
      );
      const { member } = people;
      expect(body).toEqual({
        result: 'success',
        msg: '',
        subscribed: { [member.id]: ['Observatory'] },
        already_subscribed: {},
      });
      const id = channelId('Observatory');
      expect(events).toEqual([
        [
          'ChannelCreated',
          expect.objectContaining({
            channelId: id,
            name: 'Observatory',
            description: 'of *stars*',
            renderedDescription: '<p>of <em>stars</em></p>',
            inviteOnly: false,
            historyPublicToSubscribers: true,
            messageRetentionDays: -1,
            topicsPolicy: 'disable_empty_topic',
            permissions: options,
            subscriberIds: [member.id],
            isDefault: true,
          }),
          owner.id,
        ],
        ['UsersSubscribed', { channelId: id, userIds: [member.id] }, owner.id],
        ['DefaultChannelAdded', { channelId: id }, owner.id],
      ]);
      expect((await queue.drain()).map(kindOf)).toEqual(['stream/create', 'subscription/add', 'default_streams']);
      expect(queue.events.at(-1)?.default_streams).toContain(id);
      expect(await guests.drain()).toEqual([]);
      expect((await member.api.get('/default_streams')).body.default_streams).toContain(id);
    });

    it('as private channels that only their subscribers see', async () => {
      const queues = await Promise.all(
        [people.target, people.memberOutside, people.guestOutside].map(({ api }) =>
          EventQueue.register(api, { event_types: ['stream', 'subscription'] }),
        ),
      );
      await subscribe(owner, 'attic', [people.target], { invite_only: true });
      const told = await Promise.all(queues.map(async (queue) => (await queue.drain()).map(kindOf)));
      expect(told).toEqual([['stream/create', 'subscription/add'], [], []]);
    });

    it('and ignores settings for channels that exist', async () => {
      const [{ body }, events] = await eventsOf(() =>
        subscribe(people.memberOutside, 'square', undefined, {
          invite_only: true,
          is_web_public: true,
          is_default_stream: true,
          message_retention_days: 'unlimited',
        }),
      );
      expect(body).toMatchObject({ result: 'success' });
      expect(events.map(([type]) => type)).toEqual(['UsersSubscribed']);
      await out('square', people.memberOutside);
    });

    it.each<[string, () => Member, Params, string]>([
      ['for guests', () => people.guest, {}, 'Insufficient permission'],
      ['as default channels for members', () => people.member, { is_default_stream: true }, 'Insufficient permission'],
      [
        'as private default channels',
        () => owner,
        { is_default_stream: true, invite_only: true },
        'A default channel cannot be private.',
      ],
      ['as web-public channels', () => owner, { is_web_public: true }, 'Web-public channels are not enabled.'],
      ['with a group that does not exist', () => owner, { can_send_message_group: 999 }, 'Invalid user group ID: 999'],
      [
        'that everybody may administer',
        () => owner,
        { can_administer_channel_group: 2 },
        "'can_administer_channel_group' setting cannot be set to 'role:everyone' group.",
      ],
      [
        'with names that are too long',
        () => owner,
        { subscriptions: [{ name: 'fine' }, { name: 'x'.repeat(61) }] },
        'Channel name is too long (limit: 60 characters)',
      ],
    ])('but not %s', async (_, who, params, msg) => {
      await expectRefusal(annals, () => subscribe(who(), 'never made', undefined, params), msg);
    });
  });

  it('reports parameters that have no effect yet', async () => {
    const { body } = await subscribe(people.member, 'square', undefined, {
      announce: true,
      send_new_subscription_messages: true,
    });
    expect(body.ignored_parameters_unsupported.toSorted()).toEqual(['announce', 'send_new_subscription_messages']);
    expect(body).not.toHaveProperty('new_subscription_messages_sent');
  });

  it('subscribes users to archived channels, and tells only clients that know archived channels', async () => {
    await subscribe(owner, 'relic', [people.member]);
    await owner.api.delete(`/streams/${channelId('relic')}`);
    const archived_channels = { event_types: ['subscription'], client_capabilities: { archived_channels: true } };
    const modern = await EventQueue.register(people.target.api, archived_channels);
    const plain = await EventQueue.register(people.target.api, { event_types: ['subscription'] });
    expect((await subscribe(people.target, 'relic')).body.subscribed).toEqual({ [people.target.id]: ['relic'] });
    expect((await modern.drain()).map(kindOf)).toEqual(['subscription/add']);
    expect(await plain.drain()).toEqual([]);
    const { subscriptions } = (await people.target.api.get('/users/me/subscriptions')).body;
    expect(subscriptions.map(({ name }: { name: string }) => name)).not.toContain('relic');
  });

  it('tells the new subscriber the channel with their own settings, and others who see it the new subscriber', async () => {
    const { target, member, guest, memberOutside, guestOutside } = people;
    await subscribe(owner, 'forum', [target, guest]);
    await target.api.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: channelId('forum'), property: 'color', value: '#ABCDEF' }],
    });
    await out('forum', target);
    const [own, ...others] = await Promise.all(
      [target, member, guest, memberOutside, guestOutside].map(({ api }) =>
        EventQueue.register(api, { event_types: ['stream', 'subscription'], include_subscribers: true }),
      ),
    );
    await subscribe(owner, 'forum', [target]);
    const [joined, ...more] = (await own?.drain()) ?? [];
    expect(joined).toMatchObject({
      type: 'subscription',
      op: 'add',
      subscriptions: [
        { stream_id: channelId('forum'), color: '#ABCDEF', subscribers: [guest.id, target.id].sort((a, b) => a - b) },
      ],
    });
    expect(more).toEqual([]);
    const came = { op: 'peer_add', stream_ids: [channelId('forum')], user_ids: [target.id] };
    const told = await Promise.all(others.map((queue) => queue.drain()));
    expect(told).toMatchObject([[came], [came], [came], []]);
  });

  describe('with concurrent requests', () => {
    it('subscribes a user once', async () => {
      await subscribe(owner, 'crowd', []);
      const { target } = people;
      const answers = await Promise.all(Array.from({ length: 50 }, () => subscribe(target, 'crowd')));
      expect(answers.filter(({ body }) => target.id in body.subscribed)).toHaveLength(1);
      const events = await annals.events(`subscriptions-${channelId('crowd')}`);
      expect(events.map(({ data }) => data)).toEqual([{ channelId: channelId('crowd'), userIds: [target.id] }]);
    });

    it('creates a private channel for one caller, and refuses the other', async () => {
      const both = await Promise.all(
        [people.target, people.memberOutside].flatMap((who) =>
          Array.from({ length: 10 }, () => subscribe(who, 'mine alone', undefined, { invite_only: true })),
        ),
      );
      const { creatorId } = annals.app.get(Directory).channelByName('mine alone') ?? {};
      const loser = creatorId === people.target.id ? people.memberOutside : people.target;
      expect(annals.app.get(Directory).subscriberIds(channelId('mine alone'))).toEqual([creatorId]);
      expect(both.filter(({ status }) => status === 400)).toHaveLength(10);
      expect((await subscribe(loser, 'mine alone')).body.msg).toBe('Unable to access channel (mine alone).');
    });
  });
});
