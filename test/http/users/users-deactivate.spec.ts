import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { WaitingPolls } from '../../../src/features/event-queues/services/waiting-polls.js';
import { ClientState } from '../../support/client-state/client-state.js';
import { eventually } from '../../support/eventually.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import type { Params } from '../../support/requests/http.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const NOTHING_MORE = { result: 'success', msg: '' };
const PRINCIPAL = 'UNAUTHORIZED_PRINCIPAL';

describe('deactivation of accounts', () => {
  let annals: Annals;
  let owner: Member;
  let admin: Member;
  let iris: Member;
  let guest: Member;

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_HEARTBEAT_SECONDS: '90' });
    await annals.noDefaultChannels();
    owner = await annals.owner();
    admin = await annals.user('admin', 200);
    iris = await annals.user('iris');
    guest = await annals.user('guest', 600);
  });
  afterAll(() => annals.stop());

  const end = (who: Member, id: number, params: Params = {}) => who.api.delete(`/users/${id}`, params);
  const back = (who: Member, id: number) => who.api.post(`/users/${id}/reactivate`);

  async function loggedIn({ id, email }: Member): Promise<Member> {
    const { body } = await annals.api.post('/fetch_api_key', { username: email, password: 'a password' });
    expect(body.user_id).toBe(id);
    return { id, email, apiKey: body.api_key, api: annals.api.as({ email, apiKey: body.api_key }) };
  }

  async function withPassword(name: string): Promise<Member> {
    const account = { email: `${name}@example.com`, password: 'a password', full_name: name };
    const { body } = await owner.api.post('/users', account);
    return loggedIn({ id: body.user_id, email: account.email, apiKey: '', api: annals.api });
  }

  describe('DELETE /users/{user_id}', () => {
    it('suspends keys and ends polls before it answers, and appends one event with its actor', async () => {
      const leaver = await annals.user('leaver');
      const queue = await EventQueue.register(leaver.api, { event_types: ['message'] });
      const waiting = leaver.api.get('/events', { queue_id: queue.id, last_event_id: queue.lastEventId });
      await eventually(() => expect(annals.app.get(WaitingPolls).size).toBe(1));
      const head = await annals.head();

      expect((await end(admin, leaver.id)).body).toEqual(NOTHING_MORE);
      for (const ask of [
        () => leaver.api.get('/users/me'),
        () => leaver.api.get('/events', { queue_id: queue.id, last_event_id: -1, dont_block: true }),
        () => leaver.api.post('/messages', { type: 'direct', to: [owner.id], content: 'still here' }),
        () => waiting,
      ]) {
        const { status, body } = await ask();
        expect([status, body.code, body.msg]).toEqual([401, 'USER_DEACTIVATED', 'Account is deactivated']);
      }
      const events = await annals.events(undefined, head);
      expect(events.map(({ type, data, metadata }) => [type, data, metadata.actorId])).toEqual([
        ['UserDeactivated', { userId: leaver.id, notice: null }, admin.id],
      ]);
    });

    it('does nothing the second time', async () => {
      const leaver = await annals.user('gone');
      await end(owner, leaver.id);
      const head = await annals.head();
      expect((await end(owner, leaver.id)).body).toEqual(NOTHING_MORE);
      expect(await annals.head()).toBe(head);
    });

    it('refuses callers who are not administrators, and administrators who deactivate an owner', async () => {
      const must = 'Must be an organization administrator';
      for (const who of [iris, guest])
        await expectRefusal(annals, () => end(who, who.id), { msg: must, code: PRINCIPAL });
      await expectRefusal(annals, () => end(iris, 999), { msg: must, code: PRINCIPAL });
      await expectRefusal(annals, () => end(admin, owner.id), {
        msg: 'Must be an organization owner',
        code: PRINCIPAL,
      });
    });

    it('refuses the only owner, accounts that do not exist, and bots', async () => {
      await expectRefusal(annals, () => end(owner, owner.id), 'Cannot deactivate the only organization owner');
      await expectRefusal(annals, () => end(owner, 999), 'No such user');
      const { body } = await iris.api.post('/bots', { full_name: 'Robot', short_name: 'robot' });
      await expectRefusal(annals, () => end(owner, body.user_id), 'No such user');
    });

    it('deactivates the bots of the account in the same append, and tells administrators', async () => {
      const leaver = await annals.user('maker');
      const bots: number[] = [];
      for (const name of ['one', 'two'])
        bots.push((await leaver.api.post('/bots', { full_name: name, short_name: name })).body.user_id);
      const queue = await EventQueue.register(admin.api, { event_types: ['realm_bot', 'realm_user'] });
      const head = await annals.head();
      await end(owner, leaver.id, { deactivation_notification_comment: 'null' });
      const events = await annals.events('users', head);
      expect(events.map(({ data }) => data)).toEqual([leaver.id, ...bots].map((userId) => ({ userId, notice: null })));
      const told = (await queue.drain()).map(({ type, op, person, bot }) => [`${type}/${op}`, person ?? bot]);
      expect(told).toEqual([
        ['realm_user/update', { user_id: leaver.id, is_active: false }],
        ...bots.flatMap((user_id) => [
          ['realm_user/update', { user_id, is_active: false }],
          ['realm_bot/update', { user_id, is_active: false }],
        ]),
      ]);
      await expectRefusal(annals, () => owner.api.patch(`/bots/${bots[0]}`, { full_name: 'x' }), 'No such bot');
    });
  });

  describe('subscriptions and group memberships of the account', () => {
    it('are hidden while it is deactivated, and come back with it', async () => {
      const nora = await withPassword('nora');
      const params = { principals: [nora.id, iris.id] };
      await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'plaza' }], ...params });
      await owner.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'vault' }],
        invite_only: true,
        ...params,
      });
      await nora.api.post('/users/me/subscriptions', { subscriptions: [{ name: "nora's" }], principals: [iris.id] });
      const group = { name: 'crew', description: '', members: [nora.id, iris.id] };
      await owner.api.post('/user_groups/create', group);
      const members = async () =>
        (await iris.api.get('/user_groups')).body.user_groups.find(({ name }: { name: string }) => name === 'crew')
          .members;
      const subscribers = async (name: string) => {
        const { body } = await iris.api.get('/users/me/subscriptions', { include_subscribers: 'true' });
        return body.subscriptions.find((one: { name: string }) => one.name === name)?.subscribers;
      };
      const before = { members: await members(), plaza: await subscribers('plaza'), vault: await subscribers('vault') };
      expect(before.plaza).toContain(nora.id);

      const readers = [iris, admin, guest];
      const register = (who: Member) => EventQueue.register(who.api, { include_subscribers: true });
      const queues = await Promise.all(readers.map(register));
      const clients = queues.map((queue, at) => new ClientState(queue.state, readers[at]?.id ?? 0));
      const follow = async () => {
        for (const [at, queue] of queues.entries()) {
          for (const event of await queue.drain()) clients[at]?.apply(event);
          const fresh = await register(readers[at] as Member);
          expect(clients[at]?.comparable).toEqual(new ClientState(fresh.state, readers[at]?.id ?? 0).comparable);
        }
      };

      const head = await annals.head();
      await end(admin, nora.id);
      expect(await members()).toEqual([iris.id]);
      for (const name of ['plaza', 'vault']) expect(await subscribers(name)).not.toContain(nora.id);
      await follow();
      expect(queues[0]?.events.map(({ type, op }) => `${type}/${op}`)).toEqual([
        'subscription/peer_remove',
        'realm_user/update',
      ]);
      // A guest is told subscribers only of the guest's own channels.
      expect(queues[2]?.events.map(({ type }) => type)).toEqual(['realm_user']);

      expect((await back(admin, nora.id)).body).toEqual(NOTHING_MORE);
      expect({
        members: await members(),
        plaza: await subscribers('plaza'),
        vault: await subscribers('vault'),
      }).toEqual(before);
      await follow();
      const events = await annals.events(undefined, head);
      expect(events.map(({ type }) => type).filter((type) => type !== 'QueueRegistered')).toEqual([
        'UserDeactivated',
        'UserReactivated',
      ]);
      const kinds = queues[0]?.events.map(({ type, op }) => `${type}/${op}`);
      expect(kinds).toEqual(
        expect.arrayContaining(['subscription/peer_add', 'user_group/add_members', 'stream/update']),
      );
      // Its keys are valid again, beside new ones.
      expect((await nora.api.get('/users/me')).status).toBe(200);
      expect((await (await loggedIn(nora)).api.get('/users/me')).status).toBe(200);
      await end(admin, nora.id);
      expect((await nora.api.get('/users/me')).body.code).toBe('USER_DEACTIVATED');
      await back(admin, nora.id);
    });
  });

  describe('POST /users/{user_id}/reactivate', () => {
    it('is allowed to administrators, refuses accounts that do not exist, and does nothing for active ones', async () => {
      const must = 'Must be an organization administrator';
      const leaver = await annals.user('comes-back');
      await end(owner, leaver.id);
      for (const who of [iris, guest])
        await expectRefusal(annals, () => back(who, leaver.id), { msg: must, code: PRINCIPAL });
      await expectRefusal(annals, () => back(admin, 999), 'No such user');
      const head = await annals.head();
      expect((await back(admin, iris.id)).body).toEqual(NOTHING_MORE);
      expect(await annals.head()).toBe(head);
      expect((await back(admin, leaver.id)).body).toEqual(NOTHING_MORE);
      expect((await annals.events(undefined, head)).map(({ type }) => type)).toEqual(['UserReactivated']);
    });

    it('makes the caller the owner of a bot whose owner is deactivated', async () => {
      const maker = await annals.user('bot-maker');
      const { body } = await maker.api.post('/bots', { full_name: 'Orphan', short_name: 'orphan' });
      await end(owner, maker.id);
      const queue = await EventQueue.register(iris.api, { event_types: ['realm_user', 'realm_bot'] });
      const admins = await EventQueue.register(owner.api, { event_types: ['realm_bot'] });
      await back(admin, body.user_id);
      const person = { user_id: body.user_id };
      expect((await queue.drain()).map((event) => event.person ?? event.bot)).toEqual([
        { ...person, is_active: true },
        { ...person, bot_owner_id: admin.id },
      ]);
      expect((await admins.drain()).map(({ op, bot }) => [op, bot])).toEqual([
        ['update', { ...person, is_active: true }],
        ['update', { ...person, owner_id: admin.id }],
      ]);
    });

    it('reactivates a bot for its owner if the owner may create such bots and the name is free', async () => {
      const { body } = await iris.api.post('/bots', { full_name: 'Twin', short_name: 'twin' });
      await iris.api.delete(`/bots/${body.user_id}`);
      const other = await iris.api.post('/bots', { full_name: 'TWIN', short_name: 'twin2' });
      await expectRefusal(annals, () => back(iris, body.user_id), 'Name is already in use.');
      await iris.api.delete(`/bots/${other.body.user_id}`);
      await owner.api.patch('/realm', { can_create_bots_group: { new: 6 } });
      await expectRefusal(annals, () => back(iris, body.user_id), 'Insufficient permission');
      await owner.api.patch('/realm', { can_create_bots_group: { new: 3 } });
      expect((await back(iris, body.user_id)).body).toEqual(NOTHING_MORE);
      const { bots } = (await iris.api.get('/bots')).body;
      expect(bots.map(({ user_id }: { user_id: number }) => user_id)).toContain(body.user_id);
    });
  });

  describe('DELETE /users/me', () => {
    it('deactivates the caller and their bots', async () => {
      const leaver = await annals.user('own');
      const { body } = await leaver.api.post('/bots', { full_name: 'Mine', short_name: 'mine' });
      const head = await annals.head();
      expect((await leaver.api.delete('/users/me')).body).toEqual(NOTHING_MORE);
      expect((await leaver.api.get('/users/me')).body.code).toBe('USER_DEACTIVATED');
      const events = await annals.events('users', head);
      expect(events.map(({ data, metadata }) => [data, metadata.actorId])).toEqual([
        [{ userId: leaver.id, notice: null }, leaver.id],
        [{ userId: body.user_id, notice: null }, leaver.id],
      ]);
    });

    it('refuses the only owner, and bots', async () => {
      const more = { is_last_owner: true, entity: 'organization owner' };
      const msg = 'Cannot deactivate the only organization owner';
      await expectRefusal(annals, () => owner.api.delete('/users/me'), {
        msg,
        code: 'CANNOT_DEACTIVATE_LAST_USER',
        ...more,
      });
      const { body } = await iris.api.post('/bots', { full_name: 'Selfless', short_name: 'selfless' });
      const bot = annals.api.as({ email: 'selfless-bot@127.0.0.1', apiKey: body.api_key });
      await expectRefusal(annals, () => bot.delete('/users/me'), 'This endpoint does not accept bot requests.');
    });
  });

  describe('the mailed notice', () => {
    const outbox = () => join(annals.dataDirectory, 'outbox');
    const files = async () => (await readdir(outbox()).catch(() => [])).filter((name) => name.endsWith('.eml'));
    const mails = async () => Promise.all((await files()).map((name) => readFile(join(outbox(), name), 'utf8')));
    const mailTo = async (email: string) =>
      eventually(async () => {
        const found = (await mails()).filter((mail) => mail.includes(`To: ${email}`));
        expect(found).toHaveLength(1);
        return found[0] ?? '';
      });

    it('contains the comment of the administrator, which is in the event', async () => {
      const leaver = await annals.user('addressee');
      const head = await annals.head();
      const comment = 'Farewell!\nAnd thanks for the fish – really.';
      await end(admin, leaver.id, { deactivation_notification_comment: comment });
      const [event] = await annals.events('users', head);
      expect(event?.data).toEqual({ userId: leaver.id, notice: { comment } });
      const mail = await mailTo(leaver.email);
      expect(mail).toMatch(/^Subject: Notification of account deactivation on /m);
      expect(mail).toMatch(/^> Farewell!\r?$/m);
      expect(mail).toContain('> And thanks for the fish');
      expect(mail).toMatch(/^From: .*<noreply@127\.0\.0\.1>\r?$/m);
    });

    it('goes to the current address without a comment if the comment is empty, and to nobody if no comment parameter is given', async () => {
      const silent = await annals.user('silent');
      const leaver = await annals.user('moved');
      await owner.api.patch(`/users/${leaver.id}`, { new_email: 'moved.on@example.com' });
      await end(owner, silent.id);
      await end(owner, leaver.id, { deactivation_notification_comment: '' });
      const mail = await mailTo('moved.on@example.com');
      expect(mail).not.toContain('comment');
      expect((await mails()).filter((other) => other.includes('silent@example.com'))).toEqual([]);
    });

    it('has a comment of at most 2000 characters', async () => {
      const leaver = await annals.user('long');
      await expectRefusal(
        annals,
        () => end(admin, leaver.id, { deactivation_notification_comment: 'x'.repeat(2001) }),
        'deactivation_notification_comment is too long (limit: 2000 characters)',
      );
      expect((await end(admin, leaver.id, { deactivation_notification_comment: 'x'.repeat(2000) })).status).toBe(200);
      await mailTo('long@example.com');
    });

    it('is not sent again after a rebuild and a restart', async () => {
      const before = await files();
      expect(before.length).toBeGreaterThan(2);
      for (const name of before) await rm(join(outbox(), name));
      await annals.app.get<ReadSide>(READ_SIDE).rebuild(undefined, () => {});
      await annals.restart();
      const leaver = await annals.user('last');
      await end(owner, leaver.id, { deactivation_notification_comment: 'after all that' });
      await mailTo(leaver.email);
      expect(await files()).toHaveLength(1);
    });
  });
});
