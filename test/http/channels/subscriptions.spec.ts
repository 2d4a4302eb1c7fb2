import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Directory } from '../../../src/directory/directory.js';
import { EventQueue, kindOf } from '../../support/requests/event-queue.js';
import type { Answer, Params } from '../../support/requests/http.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('subscriptions over HTTP', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let noor: Member;
  let guest: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    await annals.noDefaultChannels();
    owner = await annals.owner();
    iris = await annals.user('iris');
    noor = await annals.user('noor');
    guest = await annals.user('guest', 600);
  });
  afterAll(() => annals.stop());

  const channelId = (name: string): number => annals.app.get(Directory).channelByName(name)?._id ?? 0;
  async function create(name: string, principals: Member[], params: Params = {}): Promise<number> {
    await owner.api.post('/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: principals.map(({ id }) => id),
      ...params,
    });
    return channelId(name);
  }

  async function eventsOf(ask: () => Promise<Answer>): Promise<readonly [Answer, (readonly [string, object])[]]> {
    const head = await annals.head();
    const answer = await ask();
    return [answer, (await annals.events(undefined, head)).map(({ type, data }) => [type, data])];
  }

  const own = async (who: Member, name: string) => {
    const { subscriptions } = (await who.api.get('/users/me/subscriptions')).body;
    return subscriptions.find((one: { name: string }) => one.name === name);
  };

  describe('POST /users/me/subscriptions/properties', () => {
    const set = (who: Member, ...subscription_data: Params[]) =>
      who.api.post('/users/me/subscriptions/properties', { subscription_data });
    let meadow: number;
    let brook: number;

    beforeAll(async () => {
      meadow = await create('meadow', [iris, noor]);
      brook = await create('brook', [iris]);
      await create('grove', [noor]);
      await create('cellar', [noor], { invite_only: true });
    });

    it.each<[string, unknown, unknown, object]>([
      ['color', '#F00f00', expect.stringMatching(/^#[0-9a-f]{6}$/), { color: '#F00f00' }],
      ['color', '#abc', '#F00f00', { color: '#abc' }],
      ['is_muted', true, false, { is_muted: true, in_home_view: false }],
      ['in_home_view', true, true, { is_muted: false, in_home_view: true }],
      ['pin_to_top', true, false, { pin_to_top: true }],
      ['desktop_notifications', true, null, { desktop_notifications: true }],
      ['audible_notifications', false, null, { audible_notifications: false }],
      ['push_notifications', true, null, { push_notifications: true }],
      ['email_notifications', true, null, { email_notifications: true }],
      ['wildcard_mentions_notify', false, null, { wildcard_mentions_notify: false }],
    ])('sets %s to %j once, and tells only the caller', async (property, value, from, shown) => {
      const [queue, others] = await Promise.all(
        [iris, noor].map(({ api }) => EventQueue.register(api, { event_types: ['subscription'] })),
      );
      const [{ body }, events] = await eventsOf(() => set(iris, { stream_id: meadow, property, value }));
      expect(body).toEqual({ result: 'success', msg: '' });
      const setting = property === 'in_home_view' ? 'is_muted' : property;
      const to = property === 'in_home_view' ? !value : value;
      const data = { channelId: meadow, userId: iris.id, setting, from, to };
      expect(events).toEqual([['SubscriptionSettingChanged', data]]);
      const update = (name: string, told: unknown) => ({
        type: 'subscription',
        op: 'update',
        stream_id: meadow,
        property: name,
        value: told,
        id: expect.any(Number),
      });
      const muting = [update('in_home_view', !to), update('is_muted', to)];
      expect(await queue?.drain()).toEqual(setting === 'is_muted' ? muting : [update(setting, to)]);
      expect(await others?.drain()).toEqual([]);
      expect(await own(iris, 'meadow')).toMatchObject(shown);

      const [, again] = await eventsOf(() => set(iris, { stream_id: meadow, property, value }));
      expect(again).toEqual([]);
      expect(await queue?.drain()).toEqual([]);
    });

    it('makes several changes, with those of one channel together', async () => {
      const [, events] = await eventsOf(() =>
        set(
          iris,
          { stream_id: brook, property: 'pin_to_top', value: true },
          { stream_id: meadow, property: 'color', value: '#000000' },
          { stream_id: brook, property: 'color', value: '#111111' },
        ),
      );
      expect(events).toMatchObject([
        ['SubscriptionSettingChanged', { channelId: brook, setting: 'pin_to_top', from: false, to: true }],
        ['SubscriptionSettingChanged', { channelId: brook, setting: 'color', to: '#111111' }],
        ['SubscriptionSettingChanged', { channelId: meadow, setting: 'color', from: '#abc', to: '#000000' }],
      ]);
    });

    it('does nothing for an empty list', async () => {
      const [{ body }, events] = await eventsOf(() => set(iris));
      expect([body, events]).toEqual([{ result: 'success', msg: '' }, []]);
    });

    it('keeps settings after the user leaves and comes back, and lists them for channels that the user left', async () => {
      await set(noor, { stream_id: meadow, property: 'color', value: '#654321' });
      await noor.api.delete('/users/me/subscriptions', { subscriptions: ['meadow'] });
      const { unsubscribed } = (await noor.api.post('/register', { fetch_event_types: ['subscription'] })).body;
      expect(unsubscribed).toContainEqual(expect.objectContaining({ name: 'meadow', color: '#654321' }));
      await noor.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'meadow' }] });
      expect(await own(noor, 'meadow')).toMatchObject({ color: '#654321' });
    });

    it.each<[string, () => Params, string]>([
      ['a channel that does not exist', () => ({ stream_id: 999 }), 'Invalid channel ID'],
      ['a private channel from outside', () => ({ stream_id: channelId('cellar') }), 'Invalid channel ID'],
      [
        'a channel that the caller is not subscribed to',
        () => ({ stream_id: channelId('grove') }),
        'Not subscribed to channel ID 3',
      ],
      [
        'a property that does not exist',
        () => ({ property: 'name' }),
        'subscription_data[1]["property"] must be one of color, pin_to_top, is_muted, in_home_view, desktop_notifications, email_notifications, push_notifications, audible_notifications, wildcard_mentions_notify',
      ],
      ['a number in place of a boolean', () => ({ value: 1 }), 'value is not a boolean'],
      ['null', () => ({ value: null }), 'value is not a boolean'],
      ['text in place of a boolean', () => ({ value: 'true' }), 'value is not a boolean'],
      ...['red', '#12345', '#ggg', '123456', '#1234567', true].map((value): [string, () => Params, string] => [
        `${value} for a color`,
        () => ({ property: 'color', value }),
        'value is not a valid hex color code',
      ]),
      ['a change without a value', () => ({ value: undefined }), 'subscription_data[1]["value"] is missing'],
    ])('refuses %s, and changes nothing', async (_, change, msg) => {
      const fine = { stream_id: meadow, property: 'pin_to_top', value: false };
      const wrong = { stream_id: meadow, property: 'is_muted', value: true, ...change() };
      const named = msg.startsWith('Not subscribed') ? `Not subscribed to channel ID ${channelId('grove')}` : msg;
      await expectRefusal(annals, () => set(iris, fine, wrong), named);
    });
  });

  describe('PATCH /users/me/subscriptions', () => {
    const update = (who: Member, params: Params) => who.api.patch('/users/me/subscriptions', params);

    it('adds and deletes by name in one request, and answers users by address as published', async () => {
      await create('old', [iris]);
      await create('known', [iris]);
      const [{ body }, events] = await eventsOf(() =>
        update(iris, {
          add: [{ name: 'fresh', description: 'made now', color: '#123abc' }, { name: 'Known' }],
          delete: ['old'],
        }),
      );
      expect(body).toEqual({
        result: 'success',
        msg: '',
        subscribed: { [iris.email]: ['fresh'] },
        already_subscribed: { [iris.email]: ['known'] },
        removed: ['old'],
        not_removed: [],
      });
      expect(events.map(([type]) => type)).toEqual([
        'ChannelCreated',
        'UsersSubscribed',
        'SubscriptionSettingChanged',
        'UsersUnsubscribed',
      ]);
      expect(await own(iris, 'fresh')).toMatchObject({ color: '#123abc', description: 'made now' });
    });

    it('sets a color with the subscription, in one append', async () => {
      const id = await create('painted', []);
      const [, events] = await eventsOf(() => update(iris, { add: [{ name: 'painted', color: '#ABC' }] }));
      expect(events).toMatchObject([
        ['UsersSubscribed', { channelId: id, userIds: [iris.id] }],
        ['SubscriptionSettingChanged', { channelId: id, userId: iris.id, setting: 'color', to: '#ABC' }],
      ]);
      expect((await eventsOf(() => update(iris, { add: [{ name: 'painted', color: '#ABC' }] })))[1]).toEqual([]);
    });

    it.each<[string, Params, string, string, Params]>([
      ['a request without parameters', {}, 'BAD_REQUEST', 'Nothing to do. Give something to add or to delete.', {}],
      ['empty lists', { add: [], delete: [] }, 'BAD_REQUEST', 'Nothing to do. Give something to add or to delete.', {}],
      [
        'to leave a channel that does not exist, together with a valid part',
        { add: [{ name: 'never' }], delete: ['nowhere'] },
        'STREAM_DOES_NOT_EXIST',
        "Channel 'nowhere' does not exist",
        { stream: 'nowhere' },
      ],
      [
        'to join a channel out of reach, together with a valid part',
        { add: [{ name: 'strongroom' }], delete: ['known'] },
        'BAD_REQUEST',
        'Unable to access channel (strongroom).',
        {},
      ],
      [
        'an invalid color',
        { add: [{ name: 'never', color: 'red' }] },
        'BAD_REQUEST',
        'color is not a valid hex color code',
        {},
      ],
      ['a channel without a name', { add: [{}] }, 'BAD_REQUEST', 'add[0]["name"] is missing', {}],
    ])('refuses %s', async (_, params, code, msg, more) => {
      await create('strongroom', [noor], { invite_only: true });
      await expectRefusal(annals, () => update(iris, params), { msg, code, ...more });
    });
  });

  describe('the subscribers of a channel', () => {
    let garden: number;
    let crypt: number;
    let leaver: Member;

    beforeAll(async () => {
      leaver = await annals.user('leaver');
      garden = await create('garden', [iris, leaver]);
      crypt = await create('crypt', [iris, leaver], { invite_only: true });
    });

    const members = (who: Member, id: number) => who.api.get(`/streams/${id}/members`);
    const status = (who: Member, userId: number, id: number) => who.api.get(`/users/${userId}/subscriptions/${id}`);

    it('are listed to all who see the channel', async () => {
      const subscribers = [iris.id, leaver.id];
      for (const who of [owner, iris, noor]) {
        expect((await members(who, garden)).body).toEqual({ result: 'success', msg: '', subscribers });
        expect((await status(who, iris.id, garden)).body).toEqual({ result: 'success', msg: '', is_subscribed: true });
        expect((await status(who, noor.id, garden)).body).toMatchObject({ is_subscribed: false });
      }
      expect((await members(owner, crypt)).body).toMatchObject({ subscribers });
    });

    it('are refused to all others', async () => {
      for (const [who, id] of [
        [noor, crypt],
        [guest, garden],
        [guest, crypt],
        [owner, 999],
      ] as const) {
        await expectRefusal(annals, () => members(who, id), 'Invalid channel ID');
        await expectRefusal(annals, () => status(who, iris.id, id), 'Invalid channel ID');
      }
      await expectRefusal(annals, () => status(iris, 999, garden), 'No such user');
      expect((await iris.api.get('/streams/x/members')).status).toBe(404);
      expect((await iris.api.get(`/users/x/subscriptions/${garden}`)).status).toBe(404);
    });

    it('leave out deactivated accounts, and have them again after reactivation', async () => {
      const register = (who: Member) => EventQueue.register(who.api, { event_types: ['subscription', 'realm_user'] });
      const [insider, outsider, guests] = [await register(iris), await register(noor), await register(guest)];
      await owner.api.delete(`/users/${leaver.id}`);
      expect((await members(iris, garden)).body.subscribers).toEqual([iris.id]);
      await expectRefusal(annals, () => status(iris, leaver.id, garden), 'User is deactivated');
      const left = { op: 'peer_remove', user_ids: [leaver.id] };
      const stream_ids = [garden, crypt];
      expect(await insider.drain()).toMatchObject([{ ...left, stream_ids }, { type: 'realm_user' }]);
      expect(await outsider.drain()).toMatchObject([{ ...left, stream_ids: [garden] }, { type: 'realm_user' }]);
      expect((await guests.drain()).map(kindOf)).toEqual(['realm_user/update']);

      await owner.api.post(`/users/${leaver.id}/reactivate`);
      expect((await members(iris, garden)).body.subscribers).toEqual([iris.id, leaver.id]);
      expect((await status(iris, leaver.id, crypt)).body).toMatchObject({ is_subscribed: true });
      const came = { type: 'subscription', op: 'peer_add', user_ids: [leaver.id] };
      expect((await insider.drain()).at(-1)).toMatchObject({ ...came, stream_ids });
      expect((await outsider.drain()).at(-1)).toMatchObject({ ...came, stream_ids: [garden] });
      expect((await guests.drain()).map(kindOf)).not.toContain('subscription/peer_add');
    });
  });

  describe('GET /users/me/subscriptions', () => {
    it('lists the subscriptions of the caller, with subscribers if they are asked for', async () => {
      const id = await create('library', [noor]);
      expect((await own(noor, 'library')).subscribers).toBeUndefined();
      for (const include_subscribers of ['true', 'partial']) {
        const { subscriptions } = (await noor.api.get('/users/me/subscriptions', { include_subscribers })).body;
        const library = subscriptions.find(({ stream_id }: { stream_id: number }) => stream_id === id);
        expect(library).toMatchObject({ subscribers: [noor.id], subscriber_count: 1, in_home_view: true });
      }
      await expectRefusal(
        annals,
        () => noor.api.get('/users/me/subscriptions', { include_subscribers: 'all' }),
        'include_subscribers must be one of true, false, partial',
      );
    });

    it('leaves out archived channels', async () => {
      const id = await create('ruin', [noor]);
      await owner.api.delete(`/streams/${id}`);
      expect(await own(noor, 'ruin')).toBeUndefined();
    });
  });
});
