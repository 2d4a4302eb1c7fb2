import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WaitingPolls } from '../../../src/features/event-queues/services/waiting-polls.js';
import { GrantPermission } from '../../../src/features/users/domain/grant-permission.js';
import { EVENT_STORE, type EventStore } from '../../../src/platform/log/event-store.js';
import { eventually } from '../../support/eventually.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import type { Client, Params } from '../../support/requests/http.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, by, type Member } from '../../support/servers/annals.js';

const PRINCIPAL = 'UNAUTHORIZED_PRINCIPAL';
const DEFAULTS = {
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
};
const SUCCESS = { result: 'success', msg: '' };

describe('bots over HTTP', () => {
  let annals: Annals;
  let owner: Member;
  let admin: Member;
  let iris: Member;
  let noor: Member;
  let guest: Member;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    admin = await annals.user('admin', 200);
    iris = await annals.user('iris');
    noor = await annals.user('noor');
    guest = await annals.user('guest', 600);
  });
  afterAll(() => annals.stop());

  const create = (who: Member, params: Params = {}) =>
    who.api.post('/bots', { full_name: `Bot ${++made}`, short_name: `bot${made}`, ...params });

  interface Bot {
    readonly id: number;
    readonly name: string;
    readonly email: string;
    readonly api: Client;
  }

  async function newBot(who: Member, params: Params = {}): Promise<Bot> {
    const { status, body } = await create(who, params);
    expect(status).toBe(200);
    const email = `bot${made}-bot@127.0.0.1`;
    const api = annals.api.as({ email, apiKey: body.api_key });
    return { id: body.user_id, name: `Bot ${made}`, email, api };
  }

  /** Answers the type and payload of each client event that a reader gets while `work` runs, by name of the reader. */
  async function watching(work: () => Promise<unknown>): Promise<Record<string, readonly unknown[]>> {
    const readers = { owner, admin, iris, noor, guest };
    const queues = await Promise.all(
      Object.values(readers).map(({ api }) => EventQueue.register(api, { event_types: ['realm_bot', 'realm_user'] })),
    );
    await work();
    const told = await Promise.all(
      queues.map(async (queue) =>
        (await queue.drain()).map(({ type, op, person, bot }) => [`${type}/${op}`, person ?? bot]),
      ),
    );
    return Object.fromEntries(Object.keys(readers).map((name, at) => [name, told[at] ?? []]));
  }

  describe('outgoing webhook bots', () => {
    const HOOK = { bot_type: 3, payload_url: '"https://example.com/hook?secret=s3cret"' };
    const servicesOf = async (who: Member, id: number) => {
      const { realm_bots } = (await who.api.post('/register', { fetch_event_types: ['realm_bot'] })).body;
      return realm_bots.find(({ user_id }: { user_id: number }) => user_id === id)?.services;
    };
    const service = (changes: object = {}) => ({
      base_url: 'https://example.com/hook?secret=s3cret',
      interface: 1,
      token: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      ...changes,
    });

    it('have a URL and a token, which their keepers see and the log does not', async () => {
      const head = await annals.head();
      let id = 0;
      const told = await watching(async () => {
        ({ id } = await newBot(iris, HOOK));
      });
      const bot = expect.objectContaining({ user_id: id, bot_type: 3, services: [service()] });
      for (const keeper of ['iris', 'admin', 'owner']) expect(told[keeper]).toContainEqual(['realm_bot/add', bot]);
      expect(JSON.stringify([told.noor, told.guest])).not.toContain('s3cret');
      expect(await servicesOf(iris, id)).toEqual([service()]);
      expect(await servicesOf(noor, id)).toBeUndefined();
      const [{ token }] = await servicesOf(admin, id);
      const stored = await annals.app.get<EventStore>(EVENT_STORE).readAll({ after: head, limit: 10 });
      const log = JSON.stringify(stored.events);
      expect(log).toContain('BotWebhookSet');
      expect([log.includes('s3cret'), log.includes(token)]).toEqual([false, false]);
    });

    it('are called elsewhere after PATCH /bots/{bot_id}, with the same token', async () => {
      const { id } = await newBot(iris, HOOK);
      const [{ token }] = await servicesOf(iris, id);
      const changes = { service_payload_url: '"http://example.org/"', service_interface: 2 };
      const told = await watching(() => iris.api.patch(`/bots/${id}`, changes));
      const services = [{ base_url: 'http://example.org/', interface: 2, token }];
      for (const keeper of ['iris', 'admin', 'owner'])
        expect(told[keeper]).toEqual([['realm_bot/update', { user_id: id, services }]]);
      expect([told.noor, told.guest]).toEqual([[], []]);
      expect(await servicesOf(iris, id)).toEqual(services);
    });

    it('come with their services to a new owner', async () => {
      const { id } = await newBot(iris, HOOK);
      const ada = await annals.user('ada');
      const queue = await EventQueue.register(ada.api, { event_types: ['realm_bot'] });
      await iris.api.patch(`/bots/${id}`, { bot_owner_id: ada.id });
      const [told] = await queue.drain();
      expect([told?.op, told?.bot]).toEqual(['add', expect.objectContaining({ user_id: id, services: [service()] })]);
    });

    it('need a URL, and an interface that there is', async () => {
      const refused = (params: Params, message: string) =>
        expectRefusal(annals, () => create(iris, { ...HOOK, ...params }), message);
      await refused({ payload_url: '""' }, 'payload_url is not a URL');
      await refused({ payload_url: '"file:///etc/passwd"' }, 'payload_url is not a URL');
      await refused(
        { payload_url: '"https://me:you@example.com"' },
        'payload_url must not have a user or a password in it',
      );
      await refused({ interface_type: 3 }, 'Invalid interface type');
      const { id } = await newBot(iris);
      await expectRefusal(
        annals,
        () => iris.api.patch(`/bots/${id}`, { full_name: 'Never', service_payload_url: '"https://example.com"' }),
        'This bot has no payload URL',
      );
    });
  });

  describe('POST /bots', () => {
    it('creates an account with an API key, which is answered once and stored hashed', async () => {
      const head = await annals.head();
      const { body } = await create(iris, {
        full_name: ' Echo ',
        short_name: 'echo',
        payload_url: '""',
        service_name: '',
      });
      expect(body).toMatchObject({
        ...SUCCESS,
        user_id: expect.any(Number),
        api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
        avatar_url: expect.stringContaining('gravatar'),
        ...DEFAULTS,
      });
      const events = await annals.events(undefined, head);
      expect(events.map(({ type, data, metadata }) => [type, data, metadata.actorId])).toEqual([
        [
          'BotCreated',
          {
            userId: body.user_id,
            email: 'echo-bot@127.0.0.1',
            fullName: 'Echo',
            role: 400,
            botType: 1,
            ownerId: iris.id,
            keyHash: expect.stringMatching(/^[0-9a-f]{64}$/),
          },
          iris.id,
        ],
      ]);
      expect(JSON.stringify(events)).not.toContain(body.api_key);
      const bot = annals.api.as({ email: 'echo-bot@127.0.0.1', apiKey: body.api_key });
      expect((await bot.get('/users/me')).body).toMatchObject({
        user_id: body.user_id,
        bot_type: 1,
        bot_owner_id: iris.id,
      });
    });

    it('tells everybody the account, and the owner of the bot and administrators the bot', async () => {
      let id = 0;
      const told = await watching(async () => {
        ({ id } = await newBot(iris, { bot_type: 2 }));
      });
      const person = expect.objectContaining({ user_id: id, is_bot: true, bot_type: 2, bot_owner_id: iris.id });
      const bot = expect.objectContaining({
        user_id: id,
        owner_id: iris.id,
        bot_type: 2,
        is_active: true,
        api_key: '',
      });
      const seen = [['realm_user/add', person]];
      const kept = [...seen, ['realm_bot/add', bot]];
      expect(told).toEqual({ owner: kept, admin: kept, iris: kept, noor: seen, guest: seen });
      const bots = async (who: Member) =>
        (await EventQueue.register(who.api, { fetch_event_types: ['realm_bot'] })).state.realm_bots.map(
          ({ user_id }: { user_id: number }) => user_id,
        );
      for (const who of [owner, admin, iris]) expect(await bots(who)).toContain(id);
      for (const who of [noor, guest]) expect(await bots(who)).toEqual([]);
    });

    it('refuses guests, bots, and names and addresses that are in use or invalid', async () => {
      const robot = await newBot(iris);
      await expectRefusal(annals, () => create(guest), 'Not allowed for guest users');
      await expectRefusal(
        annals,
        () => create({ ...iris, api: robot.api }),
        'This endpoint does not accept bot requests.',
      );
      await expectRefusal(
        annals,
        () => create(noor, { full_name: robot.name.toUpperCase() }),
        'Name is already in use.',
      );
      await expectRefusal(annals, () => create(noor, { short_name: `BOT${made - 3}` }), 'Username already in use');
      for (const short_name of ['', ' ', 'a b', 'a@b', 'x'.repeat(250)])
        await expectRefusal(annals, () => create(noor, { short_name }), 'Bad name or username');
      await expectRefusal(annals, () => create(noor, { full_name: ' ' }), 'full_name cannot be blank');
    });

    it('refuses the bot types that need outgoing requests', async () => {
      for (const bot_type of [0, 4, 5])
        await expectRefusal(annals, () => create(iris, { bot_type }), 'Invalid bot type');
    });

    it('is allowed by the two permissions of the organization', async () => {
      const moderators = 5;
      await owner.api.patch('/realm', { can_create_bots_group: { new: moderators } });
      await expectRefusal(annals, () => create(iris), 'Insufficient permission');
      expect((await create(iris, { bot_type: 2 })).status).toBe(200);
      await owner.api.patch('/realm', { can_create_write_only_bots_group: { new: moderators } });
      await expectRefusal(annals, () => create(iris, { bot_type: 2 }), 'Insufficient permission');
      for (const bot_type of [1, 2]) expect((await create(admin, { bot_type })).status).toBe(200);
      await owner.api.patch('/realm', {
        can_create_write_only_bots_group: { new: 3 },
        can_create_bots_group: { new: 3 },
      });
    });
  });

  describe('GET /bots', () => {
    it('lists the active bots of the caller, without their keys', async () => {
      const [kept, gone] = [await newBot(noor), await newBot(noor)];
      await noor.api.delete(`/bots/${gone.id}`);
      expect((await noor.api.get('/bots')).body).toEqual({
        ...SUCCESS,
        bots: [
          {
            user_id: kept.id,
            username: kept.email,
            full_name: kept.name,
            api_key: '',
            avatar_url: expect.any(String),
            ...DEFAULTS,
          },
        ],
      });
      const { bots } = (await admin.api.get('/bots')).body;
      expect(bots.map(({ user_id }: { user_id: number }) => user_id)).not.toContain(kept.id);
      expect((await guest.api.get('/bots')).body.msg).toBe('Not allowed for guest users');
      expect((await kept.api.get('/bots')).body.msg).toBe('This endpoint does not accept bot requests.');
    });
  });

  describe('PATCH /bots/{bot_id}', () => {
    it('renames the bot for its owner and for administrators', async () => {
      const bot = await newBot(iris);
      for (const [who, full_name] of [
        [iris, 'Rust'],
        [admin, 'Copper'],
      ] as const) {
        const head = await annals.head();
        const told = await watching(async () => {
          const { body } = await who.api.patch(`/bots/${bot.id}`, { full_name });
          expect(body).toEqual({ ...SUCCESS, full_name, avatar_url: expect.any(String), ...DEFAULTS });
        });
        const changed = { user_id: bot.id, full_name };
        const seen = [['realm_user/update', changed]];
        const kept = [...seen, ['realm_bot/update', changed]];
        expect(told).toEqual({ owner: kept, admin: kept, iris: kept, noor: seen, guest: seen });
        const events = (await annals.events('users', head)).map(({ type, data }) => [type, data]);
        expect(events).toEqual([['UserRenamed', { userId: bot.id, from: expect.any(String), to: full_name }]]);
      }
    });

    it('changes the owner, and tells the former and the new owner', async () => {
      const bot = await newBot(iris);
      const told = await watching(() => iris.api.patch(`/bots/${bot.id}`, { bot_owner_id: noor.id }));
      const seen = [['realm_user/update', { user_id: bot.id, bot_owner_id: noor.id }]];
      const kept = [...seen, ['realm_bot/update', { user_id: bot.id, owner_id: noor.id }]];
      expect(told).toEqual({
        owner: kept,
        admin: kept,
        iris: [...seen, ['realm_bot/delete', { user_id: bot.id }]],
        noor: [...seen, ['realm_bot/add', expect.objectContaining({ user_id: bot.id, owner_id: noor.id })]],
        guest: seen,
      });
      await expectRefusal(
        annals,
        () => iris.api.patch(`/bots/${bot.id}`, { full_name: 'Mine' }),
        'Insufficient permission',
      );
    });

    it('changes the role for administrators; only owners may make the bot an owner', async () => {
      const bot = await newBot(iris);
      const role = (who: Member, to: number) => who.api.patch(`/bots/${bot.id}`, { role: to });
      await expectRefusal(annals, () => role(iris, 300), {
        msg: 'Must be an organization administrator',
        code: PRINCIPAL,
      });
      expect((await role(iris, 400)).status).toBe(200);
      expect((await role(admin, 200)).status).toBe(200);
      await expectRefusal(annals, () => role(admin, 100), { msg: 'Must be an organization owner', code: PRINCIPAL });
      expect((await role(owner, 100)).status).toBe(200);
      // A bot does not count as the one owner that an organization must have.
      const demote = () => owner.api.patch(`/users/${owner.id}`, { role: 400 });
      await expectRefusal(annals, demote, 'The owner permission cannot be removed from the only organization owner.');
      expect((await role(owner, 400)).status).toBe(200);
    });

    it('refuses callers without permission, accounts that are not bots, and invalid owners', async () => {
      const bot = await newBot(iris);
      const patch = (who: Member, params: Params, id = bot.id) => who.api.patch(`/bots/${id}`, params);
      const leaver = await annals.user('leaver');
      await owner.api.delete(`/users/${leaver.id}`);
      await expectRefusal(annals, () => patch(noor, { full_name: 'x' }), 'Insufficient permission');
      await expectRefusal(annals, () => patch(guest, { full_name: 'x' }), 'Not allowed for guest users');
      await expectRefusal(
        annals,
        () => bot.api.patch(`/bots/${bot.id}`, { full_name: 'x' }),
        'This endpoint does not accept bot requests.',
      );
      await expectRefusal(annals, () => patch(admin, { full_name: 'x' }, noor.id), 'No such bot');
      await expectRefusal(annals, () => patch(admin, { full_name: 'x' }, 999), 'No such bot');
      await expectRefusal(annals, () => patch(iris, { bot_owner_id: 999 }), 'Failed to change owner, no such user');
      await expectRefusal(
        annals,
        () => patch(iris, { bot_owner_id: leaver.id }),
        'Failed to change owner, user is deactivated',
      );
      await expectRefusal(
        annals,
        () => patch(iris, { bot_owner_id: bot.id }),
        "Failed to change owner, bots can't own other bots",
      );
      const another = await newBot(iris);
      await expectRefusal(annals, () => patch(iris, { full_name: another.name }), 'Name is already in use.');
    });

    it('is reserved to owners if the bot has a permission that is granted beside the role', async () => {
      const bot = await newBot(admin);
      await annals.execute(new GrantPermission({ permission: 'can_create_users', userId: bot.id, by }));
      await owner.api.patch(`/bots/${bot.id}`, { role: 200 });
      const account = { email: 'made@example.com', password: 'long enough', full_name: 'Made' };
      expect((await bot.api.post('/users', account)).status).toBe(200);
      const must = 'Must be an organization owner';
      await expectRefusal(annals, () => admin.api.patch(`/bots/${bot.id}`, { full_name: 'x' }), {
        msg: must,
        code: PRINCIPAL,
      });
      await expectRefusal(annals, () => admin.api.post(`/bots/${bot.id}/api_key/regenerate`), {
        msg: must,
        code: PRINCIPAL,
      });
      expect((await owner.api.patch(`/bots/${bot.id}`, { full_name: 'Registrar' })).status).toBe(200);
    });

    it('does not take the fields of people: PATCH /users refuses an address and a profile for a bot', async () => {
      const bot = await newBot(iris);
      const patch = (params: Params) => owner.api.patch(`/users/${bot.id}`, params);
      await expectRefusal(
        annals,
        () => patch({ new_email: 'x@example.com' }),
        'The address of a bot cannot be changed',
      );
      await expectRefusal(
        annals,
        () => patch({ profile_data: [{ id: 1, value: 'x' }] }),
        'Bots have no profile fields',
      );
      expect((await patch({ full_name: 'By users' })).status).toBe(200);
    });
  });

  describe('DELETE /bots/{bot_id}', () => {
    it('deactivates the bot at once for its owner and for administrators, and does nothing the second time', async () => {
      for (const who of [iris, admin]) {
        const bot = await newBot(iris);
        await expectRefusal(annals, () => noor.api.delete(`/bots/${bot.id}`), 'Insufficient permission');
        const head = await annals.head();
        const told = await watching(() => who.api.delete(`/bots/${bot.id}`));
        const gone = { user_id: bot.id, is_active: false };
        expect(told.noor).toEqual([['realm_user/update', gone]]);
        expect(told.iris).toEqual([...(told.noor ?? []), ['realm_bot/update', gone]]);
        expect((await bot.api.get('/users/me')).body.code).toBe('USER_DEACTIVATED');
        expect((await who.api.delete(`/bots/${bot.id}`)).body).toEqual(SUCCESS);
        expect((await annals.events('users', head)).map(({ data }) => data)).toEqual([
          { userId: bot.id, notice: null },
        ]);
      }
      await expectRefusal(annals, () => admin.api.delete('/bots/999'), 'No such bot');
    });
  });

  describe('keys', () => {
    it('of an account are revoked together when one is regenerated, and its queues continue with the new key', async () => {
      const nina = await annals.user('nina');
      const queue = await EventQueue.register(nina.api, { event_types: ['message'] });
      const head = await annals.head();
      const { body } = await nina.api.post('/users/me/api_key/regenerate');
      expect(body).toEqual({ ...SUCCESS, api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/) });
      expect((await annals.events(undefined, head)).map(({ type, data }) => [type, data])).toEqual([
        ['ApiKeysRegenerated', { userId: nina.id, keyHash: expect.stringMatching(/^[0-9a-f]{64}$/) }],
      ]);
      expect((await nina.api.get('/users/me')).body.code).toBe('INVALID_API_KEY');
      await owner.api.post('/messages', { type: 'direct', to: [nina.id], content: 'a new key' });
      queue.api = annals.api.as({ email: nina.email, apiKey: body.api_key });
      expect((await queue.drain()).map(({ message }) => message.content)).toEqual(['a new key']);
    });

    it('that are revoked get no events from a waiting poll', async () => {
      const nina = await annals.user('nina2');
      const queue = await EventQueue.register(nina.api, { event_types: ['message'] });
      const waiting = nina.api.get('/events', { queue_id: queue.id, last_event_id: queue.lastEventId });
      await eventually(() => expect(annals.app.get(WaitingPolls).size).toBe(1));
      const { body } = await nina.api.post('/users/me/api_key/regenerate');
      await owner.api.post('/messages', { type: 'direct', to: [nina.id], content: 'not for old keys' });
      expect((await waiting).body).toMatchObject({ code: 'INVALID_API_KEY' });
      queue.api = annals.api.as({ email: nina.email, apiKey: body.api_key });
      expect(await queue.drain()).toHaveLength(1);
    });

    it('of bots are regenerated by their owners and by administrators, not by others or by the bots', async () => {
      const bot = await newBot(iris);
      const regenerate = (who: Member, id = bot.id) => who.api.post(`/bots/${id}/api_key/regenerate`);
      await expectRefusal(annals, () => regenerate(noor), 'Insufficient permission');
      await expectRefusal(annals, () => regenerate(admin, noor.id), 'No such bot');
      await expectRefusal(
        annals,
        () => bot.api.post('/users/me/api_key/regenerate'),
        'This endpoint does not accept bot requests.',
      );
      for (const who of [iris, admin]) {
        const { body } = await regenerate(who);
        expect((await bot.api.get('/users/me')).body.code).toBe('INVALID_API_KEY');
        const now = annals.api.as({ email: bot.email, apiKey: body.api_key });
        expect((await now.get('/users/me')).body.user_id).toBe(bot.id);
      }
      await iris.api.delete(`/bots/${bot.id}`);
      await expectRefusal(annals, () => regenerate(iris), 'No such bot');
    });
  });
});
