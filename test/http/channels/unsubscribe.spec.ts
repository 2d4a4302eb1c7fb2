import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Directory } from '../../../src/directory/directory.js';
import { BOT_TYPES } from '../../../src/events/users/users.settings.js';
import { SubscribeUsers } from '../../../src/features/channels/domain/subscribe-users.js';
import { CreateBot } from '../../../src/features/users/domain/bots.js';
import { EventQueue, kindOf, told } from '../../support/requests/event-queue.js';
import type { AskOptions, Params } from '../../support/requests/http.js';
import { expectRefusal, type Refusal } from '../../support/requests/refusal.js';
import { Annals, by, type Member } from '../../support/servers/annals.js';

/** The users of the tables. `INSIDE` are subscribed to the public channel `square` and to the private channel `vault`. */
const NAMES = [
  'owner',
  'administrator',
  'moderator',
  'remover',
  'removerOutside',
  'keeper',
  'member',
  'memberOutside',
  'guest',
  'guestOutside',
  'botOwner',
  'botOwnerOutside',
  'target',
] as const;
type Name = (typeof NAMES)[number];
const ROLE: Readonly<Partial<Record<Name, 200 | 300 | 600>>> = {
  administrator: 200,
  moderator: 300,
  guest: 600,
  guestOutside: 600,
};
const INSIDE: readonly Name[] = ['moderator', 'remover', 'member', 'guest', 'botOwner', 'target'];

describe('DELETE /users/me/subscriptions', () => {
  let annals: Annals;
  const people = {} as Record<Name, Member>;
  let bot: Member;
  let botOutside: Member;
  let gone: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    people.owner = await annals.owner();
    for (const name of NAMES) if (name !== 'owner') people[name] = await annals.user(name, ROLE[name] ?? 400);
    gone = await annals.user('gone');
    bot = await botOf(people.botOwner);
    botOutside = await botOf(people.botOwnerOutside);
    const { owner, remover, removerOutside, keeper, guest } = people;
    for (const [name, invite_only] of [
      ['square', false],
      ['vault', true],
    ] as const) {
      const { status, body } = await owner.api.post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        invite_only,
        principals: [...INSIDE.map((one) => people[one].id), bot.id, botOutside.id, gone.id],
        can_remove_subscribers_group: {
          direct_members: [remover.id, removerOutside.id, guest.id],
          direct_subgroups: [],
        },
        can_administer_channel_group: { direct_members: [keeper.id], direct_subgroups: [] },
      });
      expect({ status, msg: body.msg }).toEqual({ status: 200, msg: '' });
    }
    await owner.api.delete(`/users/${gone.id}`);
  });
  afterAll(() => annals.stop());

  async function botOf(owner: Member): Promise<Member> {
    const shortName = owner.email.split('@')[0] ?? '';
    const bot = { fullName: `Bot of ${shortName}`, shortName, type: BOT_TYPES.generic };
    const { userId, apiKey } = await annals.execute(new CreateBot({ bot, by: { ...by, actorId: owner.id } }));
    const credentials = { email: annals.app.get(Directory).user(userId)?.email ?? '', apiKey };
    return { id: userId, ...credentials, api: annals.api.as(credentials) };
  }

  const channelId = (name: string): number => annals.app.get(Directory).channelByName(name)?._id ?? 0;
  const back = (name: string, ...members: Member[]) =>
    annals.execute(
      new SubscribeUsers({ channelId: channelId(name), userIds: members.map(({ id }) => id), by, color: null }),
    );
  const create = (name: string, principals: Member[], params: Params = {}) =>
    people.owner.api.post('/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: principals.map(({ id }) => id),
      ...params,
    });
  const leave = (who: Member, subscriptions: string[], principals?: (number | string)[]) =>
    who.api.delete('/users/me/subscriptions', { subscriptions, principals });

  describe('the permission to remove users', () => {
    const NO_SUCH_CHANNEL = 'STREAM_DOES_NOT_EXIST';
    const REFUSED = 'BAD_REQUEST';
    const REMOVED = 'removed';

    /** Who removes, who is removed, and the outcome for the public and for the private channel. */
    it.each<[string, () => Member, () => Member, string, string]>([
      ['the owner, from outside', () => people.owner, () => people.target, REMOVED, REMOVED],
      ['an administrator, from outside', () => people.administrator, () => people.target, REMOVED, REMOVED],
      ['a moderator', () => people.moderator, () => people.target, REFUSED, REFUSED],
      ['a member of can_remove_subscribers_group', () => people.remover, () => people.target, REMOVED, REMOVED],
      [
        'a member of can_remove_subscribers_group, from outside',
        () => people.removerOutside,
        () => people.target,
        REMOVED,
        NO_SUCH_CHANNEL,
      ],
      ['a channel administrator, from outside', () => people.keeper, () => people.target, REMOVED, REMOVED],
      ['a member', () => people.member, () => people.target, REFUSED, REFUSED],
      ['a member from outside', () => people.memberOutside, () => people.target, REFUSED, NO_SUCH_CHANNEL],
      ['a guest, though in the group', () => people.guest, () => people.target, REFUSED, REFUSED],
      ['a guest from outside', () => people.guestOutside, () => people.target, NO_SUCH_CHANNEL, NO_SUCH_CHANNEL],
      ['the owner of a bot, another user', () => people.botOwner, () => people.target, REFUSED, REFUSED],
      ['the owner of a bot, the bot', () => people.botOwner, () => bot, REMOVED, REMOVED],
      [
        'the owner of a bot, from outside, the bot',
        () => people.botOwnerOutside,
        () => botOutside,
        REMOVED,
        NO_SUCH_CHANNEL,
      ],
      ['a member, another user’s bot', () => people.member, () => bot, REFUSED, REFUSED],
      ['a bot, another user', () => bot, () => people.target, REFUSED, REFUSED],
      ['a bot, its owner', () => bot, () => people.botOwner, REFUSED, REFUSED],
    ])('applies as listed: %s', async (_, who, whom, fromSquare, fromVault) => {
      for (const [name, expected] of [
        ['square', fromSquare],
        ['vault', fromVault],
      ] as const) {
        const head = await annals.head();
        const { status, body } = await leave(who(), [name.toUpperCase()], [whom().id]);
        const events = (await annals.events(undefined, head)).map(({ type, data, metadata }) => [
          type,
          data,
          metadata.actorId,
        ]);
        if (expected === REMOVED) {
          expect({ status, ...body }).toEqual({
            status: 200,
            result: 'success',
            msg: '',
            removed: [name],
            not_removed: [],
          });
          const data = { channelId: channelId(name), userIds: [whom().id] };
          expect(events).toEqual([['UsersUnsubscribed', data, who().id]]);
          await back(name, whom());
        } else {
          const named = expected === NO_SUCH_CHANNEL ? { stream: name.toUpperCase() } : {};
          expect({ status, ...body }).toMatchObject({ status: 400, code: expected, ...named });
          expect(events).toEqual([]);
        }
      }
    });

    it.each<[string, () => Member, string, string]>([
      ['a member', () => people.member, REMOVED, REMOVED],
      ['a guest', () => people.guest, REMOVED, REMOVED],
      ['a bot', () => bot, REMOVED, REMOVED],
      ['a member from outside', () => people.memberOutside, 'not removed', NO_SUCH_CHANNEL],
      ['a guest from outside', () => people.guestOutside, NO_SUCH_CHANNEL, NO_SUCH_CHANNEL],
      ['an administrator from outside', () => people.administrator, 'not removed', 'not removed'],
    ])('is not needed to leave: %s', async (_, who, fromSquare, fromVault) => {
      for (const [name, expected] of [
        ['square', fromSquare],
        ['vault', fromVault],
      ] as const) {
        const { body } = await leave(who(), [name]);
        if (expected === REMOVED) {
          expect(body).toMatchObject({ removed: [name], not_removed: [] });
          await back(name, who());
        } else if (expected === 'not removed') expect(body).toMatchObject({ removed: [], not_removed: [name] });
        else expect(body).toMatchObject({ code: expected, stream: name });
      }
    });

    it('is refused with 401 to deactivated accounts', async () => {
      const { status } = await leave(gone, ['square']);
      expect(status).toBe(401);
    });
  });

  describe('names and principals', () => {
    it('may name a channel twice, which the answer names once and in its own case', async () => {
      await create('Duplicates', [people.member]);
      const { body } = await leave(people.member, ['duplicates', ' DUPLICATES ']);
      expect(body).toMatchObject({ removed: ['Duplicates'], not_removed: [] });
    });

    it('accept addresses in any case; a channel with only some of the users is in both lists of the answer', async () => {
      await create('addresses', [people.member]);
      const { member, target } = people;
      const { body } = await leave(people.owner, ['addresses'], [member.email.toUpperCase(), target.email]);
      expect(body).toMatchObject({ removed: ['addresses'], not_removed: ['addresses'] });
    });

    it('remove users from several channels, with one event in the stream of each', async () => {
      const { member, target } = people;
      await create('first', [member, target]);
      await create('second', [target]);
      const head = await annals.head();
      const { body } = await leave(people.owner, ['first', 'second'], [target.id, member.id]);
      expect(body).toMatchObject({ removed: ['first', 'second'], not_removed: ['second'] });
      const events = await annals.events('subscriptions', head);
      expect(events.map(({ stream, data }) => [stream, data])).toEqual([
        [
          `subscriptions-${channelId('first')}`,
          { channelId: channelId('first'), userIds: [member.id, target.id].sort((a, b) => a - b) },
        ],
        [`subscriptions-${channelId('second')}`, { channelId: channelId('second'), userIds: [target.id] }],
      ]);
    });

    it('append nothing for users who have left already', async () => {
      await create('again', [people.member]);
      await leave(people.member, ['again']);
      const head = await annals.head();
      expect((await leave(people.member, ['again'])).body).toMatchObject({ removed: [], not_removed: ['again'] });
      expect(await annals.head()).toBe(head);
    });

    it('may be empty lists, which append nothing', async () => {
      const head = await annals.head();
      const nothing = { result: 'success', msg: '', removed: [], not_removed: [] };
      expect((await leave(people.member, [])).body).toEqual(nothing);
      expect((await leave(people.member, ['square'], [])).body).toEqual(nothing);
      expect(await annals.head()).toBe(head);
    });

    it.each<[string, Params, AskOptions]>([
      ['as zulip-js sends lists, joined in the query', { subscriptions: 'left,right' }, { encoding: 'query' }],
      ['as JSON in the query', { subscriptions: ['left', 'right'] }, { encoding: 'query' }],
      ['as a form', { subscriptions: ['left', 'right'] }, { encoding: 'form' }],
      ['as multipart', { subscriptions: ['left', 'right'], principals: null }, { encoding: 'multipart' }],
    ])('are read %s', async (_, params, options) => {
      await create('left', [people.member]);
      await create('right', [people.member]);
      await back('left', people.member);
      await back('right', people.member);
      const { body } = await people.member.api.delete('/users/me/subscriptions', params, options);
      expect(body).toEqual({ result: 'success', msg: '', removed: ['left', 'right'], not_removed: [] });
    });

    it.each<[string, (ids: number[], addresses: string[]) => string]>([
      ['ids', (ids) => ids.join()],
      ['addresses', (_, addresses) => addresses.join()],
      ['one id', ([id]) => `${id}`],
      ['one address', (_, [address]) => `${address}`],
    ])('are read as lists joined by commas: principals by %s', async (_, joined) => {
      const both = [people.member, people.target];
      await create('joined', both);
      await back('joined', ...both);
      const principals = joined(
        both.map(({ id }) => id),
        both.map(({ email }) => email),
      );
      const { body } = await people.owner.api.delete(
        '/users/me/subscriptions',
        { subscriptions: 'joined', principals },
        { encoding: 'query' },
      );
      expect(body).toMatchObject({ result: 'success', removed: ['joined'] });
    });

    it('include channel names that look like numbers', async () => {
      await create('2024', [people.member]);
      const params = { subscriptions: '2024' };
      const { body } = await people.member.api.delete('/users/me/subscriptions', params, { encoding: 'query' });
      expect(body).toMatchObject({ removed: ['2024'] });
    });
  });

  describe('refuses, and appends nothing:', () => {
    it('a channel that does not exist, together with one that does', async () => {
      const expected = { code: 'STREAM_DOES_NOT_EXIST', msg: "Channel 'Nowhere' does not exist", stream: 'Nowhere' };
      await expectRefusal(annals, () => leave(people.member, ['square', 'Nowhere']), expected);
    });

    it('a removal that is permitted in only one of the channels', async () => {
      await create('closed', [people.target], { can_remove_subscribers_group: 6 });
      await expectRefusal(annals, () => leave(people.remover, ['square', 'closed'], [people.target.id]), {
        msg: 'Insufficient permission',
      });
    });

    it.each<[string, () => (number | string)[], string]>([
      ['an id without an account', () => [99_999], 'Invalid user ID 99999'],
      ['an address without an account', () => ['nobody@example.com'], "Invalid email 'nobody@example.com'"],
      ['a deactivated account', () => [gone.id], 'User is deactivated'],
      ['ids and addresses mixed', () => [1, 'a@example.com'], 'principals is not a list of user IDs or of addresses'],
    ])('%s', async (_, principals, msg) => {
      await expectRefusal(annals, () => leave(people.owner, ['square'], principals()), { msg });
    });

    it.each<[string, Params, Refusal]>([
      [
        'a request without a list of channels',
        {},
        { code: 'REQUEST_VARIABLE_MISSING', msg: "Missing 'subscriptions' argument", var_name: 'subscriptions' },
      ],
      [
        'a list of values that are not names',
        { subscriptions: [1, {}] },
        { msg: 'subscriptions is not a list of channel names' },
      ],
      ['malformed JSON', { subscriptions: '["a"' }, { msg: 'subscriptions is not a list' }],
    ])('%s', async (_, params, expected) => {
      await expectRefusal(annals, () => people.member.api.delete('/users/me/subscriptions', params), expected);
    });
  });

  it('unsubscribes users from archived channels, and tells only clients that know archived channels', async () => {
    const { member, target } = people;
    await create('relic', [member, target]);
    const id = channelId('relic');
    expect((await people.owner.api.delete(`/streams/${id}`)).status).toBe(200);
    const event_types = ['subscription', 'stream'];
    const modern = await EventQueue.register(member.api, {
      event_types,
      client_capabilities: { archived_channels: true },
    });
    const plain = await EventQueue.register(member.api, { event_types });
    expect((await leave(member, ['relic'])).body).toMatchObject({ removed: ['relic'], not_removed: [] });
    expect((await leave(people.owner, ['relic'], [target.id])).body).toMatchObject({ removed: ['relic'] });
    expect((await modern.drain()).map(kindOf)).toEqual(['subscription/remove', 'subscription/peer_remove']);
    expect(await plain.drain()).toEqual([]);
    await people.owner.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'relic' }],
      principals: [member.id],
    });
    expect((await modern.drain()).map(kindOf)).toEqual(['subscription/add']);
    expect(await plain.drain()).toEqual([]);
  });

  describe('client events', () => {
    const event_types = ['subscription', 'stream'];
    const register = (...members: Member[]) =>
      Promise.all(members.map(({ api }) => EventQueue.register(api, { event_types })));

    it('of a public channel go to the user who leaves, its subscribers, and all others except guests', async () => {
      const { target, member, guest, memberOutside, guestOutside } = people;
      await create('open', [target, member, guest]);
      const queues = await register(target, member, guest, memberOutside, guestOutside);
      await leave(target, ['open']);
      const stream_id = channelId('open');
      const gone = { type: 'subscription', op: 'peer_remove', stream_ids: [stream_id], user_ids: [target.id] };
      const [own, ...others] = await Promise.all(queues.map(told));
      expect(own).toEqual([{ type: 'subscription', op: 'remove', subscriptions: [{ stream_id, name: 'open' }] }]);
      expect(others).toEqual([[gone], [gone], [gone], []]);
    });

    it('of a private channel tell the user who leaves that it disappears, and go to no user who does not see it', async () => {
      const { target, member, administrator, keeper, memberOutside } = people;
      await create('hidden', [target, member, keeper], {
        invite_only: true,
        can_administer_channel_group: { direct_members: [keeper.id], direct_subgroups: [] },
      });
      const queues = await register(target, keeper, member, administrator, memberOutside);
      await leave(people.owner, ['hidden'], [target.id, keeper.id]);
      const stream_id = channelId('hidden');
      const user_ids = [target.id, keeper.id].sort((a, b) => a - b);
      const left = { type: 'subscription', op: 'remove', subscriptions: [{ stream_id, name: 'hidden' }] };
      const peers = { type: 'subscription', op: 'peer_remove', stream_ids: [stream_id], user_ids };
      const lost = { type: 'stream', op: 'delete', streams: [{ stream_id }], stream_ids: [stream_id] };
      // The keeper administers the channel, and so still sees it.
      expect(await Promise.all(queues.map(told))).toEqual([[left, lost], [left], [peers], [peers], []]);
    });

    it('tell a guest who leaves a public channel that it disappears', async () => {
      const { guest } = people;
      await create('visited', [guest]);
      const queues = await register(guest);
      await leave(guest, ['visited']);
      const stream_ids = [channelId('visited')];
      const lost = { type: 'stream', op: 'delete', stream_ids };
      expect(await Promise.all(queues.map(told))).toMatchObject([[{ op: 'remove' }, lost]]);
    });
  });

  it('applies 50 concurrent joins and leaves of a user one after the other', async () => {
    await create('revolving', [people.member]);
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 2 ? leave(people.member, ['revolving']) : back('revolving', people.member),
      ),
    );
    const events = await annals.events(`subscriptions-${channelId('revolving')}`);
    const kinds = events.map(({ type }) => type);
    // The events alternate: the user never joins or leaves twice in a row.
    expect(kinds.every((type, index) => type === (index % 2 ? 'UsersUnsubscribed' : 'UsersSubscribed'))).toBe(true);
    const inside = annals.app.get(Directory).isSubscribed(people.member.id, channelId('revolving'));
    expect(inside).toBe(kinds.at(-1) === 'UsersSubscribed');
  });
});
