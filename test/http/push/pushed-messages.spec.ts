import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { eventually } from '../../support/eventually.js';
import { newDeviceKeys, openSealedBox } from '../../support/outside/push/open-sealed-box.js';
import { PushServices } from '../../support/outside/push/push-services.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const APPLE = '/users/me/apns_device_token';
const GOOGLE = '/users/me/android_gcm_reg_id';

describe('messages that are pushed', () => {
  let services: PushServices;
  let annals: Annals;
  let owner: Member;
  let made = 0;

  beforeAll(async () => {
    services = await PushServices.start();
    annals = await Annals.start(services.settings);
    owner = await annals.owner();
  });
  beforeEach(() => {
    services.apple.taken.length = 0;
    services.google.taken.length = 0;
  });
  afterAll(async () => {
    await annals.stop();
    await services.stop();
  });

  /** A user with an Android device. */
  async function reader(): Promise<Member & { token: string }> {
    const member = await annals.user(`reader${++made}`);
    const token = `token-${made}`;
    await member.api.post(GOOGLE, { token });
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }], principals: [member.id] });
    return Object.assign(member, { token });
  }
  const dm = async (to: Member, content: string, from = owner): Promise<number> =>
    (await from.api.post('/messages', { type: 'direct', to: [to.id], content })).body.id;
  const say = async (content: string, topic = 'tea'): Promise<number> =>
    (await owner.api.post('/messages', { type: 'channel', to: 'general', topic, content })).body.id;
  const takenBy = (token: string) =>
    services.google.taken.filter((taken) => taken.token === token).map(({ data }) => data);
  const contentsFor = (token: string) => takenBy(token).map(({ event, content }) => content ?? event);
  /** A last message, which comes after all that was said before. */
  async function expectPushed(to: Member & { token: string }, contents: readonly string[]): Promise<void> {
    await dm(to, 'last');
    await eventually(() => expect([...contentsFor(to.token)].sort()).toEqual([...contents, 'last'].sort()));
  }

  it('are direct messages, in the form of each service', async () => {
    const mila = await reader();
    await mila.api.post(APPLE, { token: 'abcd', appid: 'org.example.App' });
    const id = await dm(mila, 'Hello **Mila** :tada:');
    await eventually(() => expect(services.google.taken.length + services.apple.taken.length).toBe(2));
    expect(takenBy(mila.token)).toEqual([
      {
        event: 'message',
        zulip_message_id: String(id),
        content: 'Hello Mila 🎉',
        time: expect.stringMatching(/^\d+$/),
        sender_id: '1',
        sender_email: owner.email,
        sender_full_name: 'Owner',
        sender_avatar_url: expect.stringMatching(/^https:/),
        recipient_type: 'private',
        realm_url: annals.url,
        realm_uri: annals.url,
        realm_name: 'Annals',
        realm_id: '1',
        server: new URL(annals.url).host,
        user_id: String(mila.id),
      },
    ]);
    expect(services.apple.taken[0]).toMatchObject({
      headers: { 'apns-collapse-id': `m${id}`, 'apns-priority': '10' },
      body: {
        aps: { alert: { title: 'Owner', subtitle: '', body: 'Hello Mila 🎉' }, sound: 'default', badge: 0 },
        zulip: { message_ids: [id], sender_id: 1, recipient_type: 'private', user_id: mila.id },
      },
    });
  });

  it('are encrypted for registered devices, once they are active', async () => {
    const mila = await annals.user(`reader${++made}`);
    const keys = newDeviceKeys();
    const queue = await EventQueue.register(mila.api, { event_types: ['push_device'] });
    const device = { kind: 'fcm' as const, token: 'sealed', accountId: '9007199254740993', publicKey: keys.publicKey };
    await mila.api.post('/mobile_push/register', services.registration(device));
    const told = { type: 'push_device', push_account_id: device.accountId };
    await eventually(async () =>
      expect((await queue.drain()).at(-1)).toEqual({ ...told, status: 'active', id: expect.any(Number) }),
    );
    expect((await mila.api.post('/register', { fetch_event_types: ['push_device'] })).body.push_devices).toEqual({
      [device.accountId]: { status: 'active', error_code: null },
    });
    const id = await dm(mila, 'A secret');
    await eventually(() => expect(takenBy('sealed')).toHaveLength(1));
    const [{ push_account_id, encrypted_data } = {}] = takenBy('sealed');
    expect(push_account_id).toBe(device.accountId);
    expect(JSON.parse(openSealedBox(String(encrypted_data), keys))).toEqual({
      type: 'message',
      message_id: id,
      content: 'A secret',
      sender_id: 1,
      sender_full_name: 'Owner',
      sender_avatar_url: expect.stringMatching(/^https:/),
      recipient_type: 'direct',
      time: expect.any(Number),
      realm_url: annals.url,
      realm_name: 'Annals',
      user_id: mila.id,
    });
    await mila.api.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' });
    await eventually(() => expect(takenBy('sealed')).toHaveLength(2));
    const removal = openSealedBox(String(takenBy('sealed')[1]?.encrypted_data), keys);
    expect(JSON.parse(removal)).toMatchObject({ type: 'remove', message_ids: [id] });
  });

  it('of a device whose registration is refused are none, and it is told', async () => {
    const mila = await annals.user(`reader${++made}`);
    const queue = await EventQueue.register(mila.api, { event_types: ['push_device'] });
    const device = { kind: 'fcm' as const, token: 'old', accountId: '-5', publicKey: newDeviceKeys().publicKey };
    const registration = services.registration({ ...device, timestamp: 1_700_000_000 });
    await mila.api.post('/mobile_push/register', registration);
    const failed = { type: 'push_device', push_account_id: '-5', status: 'failed', error_code: 'REQUEST_EXPIRED' };
    await eventually(async () => expect((await queue.drain()).at(-1)).toEqual({ ...failed, id: expect.any(Number) }));
  });

  it('follow mentions and settings, and nothing else', async () => {
    const mila = await reader();
    await say('not for her');
    await say(`@**${mila.email.split('@')[0]}|${mila.id}** look`);
    await say('@**all** look', 'all');
    await mila.api.post('/user_topics', { stream_id: 1, topic: 'followed', visibility_policy: 3 });
    await say('in a followed topic', 'followed');
    await mila.api.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: 1, property: 'push_notifications', value: true }],
    });
    await say('in a channel', 'other');
    await mila.api.post('/user_topics', { stream_id: 1, topic: 'quiet', visibility_policy: 1 });
    await say('in a muted topic', 'quiet');
    const name = mila.email.split('@')[0];
    await expectPushed(mila, [`@${name} look`, '@all look', 'in a followed topic', 'in a channel']);
    await mila.api.patch('/settings', { enable_offline_push_notifications: false });
    await dm(mila, 'unwanted');
    await say('also wanted', 'other');
    await eventually(() => expect(contentsFor(mila.token)).toContain('also wanted'));
    expect(contentsFor(mila.token)).not.toContain('unwanted');
  });

  it('are not sent to somebody who is active and wants none then', async () => {
    const mila = await reader();
    await mila.api.patch('/settings', { enable_online_push_notifications: false });
    await dm(mila, 'while idle');
    await eventually(() => expect(contentsFor(mila.token)).toContain('while idle'));
    await mila.api.post('/users/me/presence', { status: 'active' });
    await dm(mila, 'while active');
    await mila.api.patch('/settings', { presence_enabled: false });
    await dm(mila, 'while hidden');
    await eventually(() => expect(contentsFor(mila.token)).toContain('while hidden'));
    expect(contentsFor(mila.token)).not.toContain('while active');
  });

  it('are not own messages, nor those of muted users', async () => {
    const [mila, noor] = [await reader(), await reader()];
    await dm(noor, 'from herself', mila);
    await mila.api.post(`/users/me/muted_users/${noor.id}`);
    await dm(mila, 'from a muted user', noor);
    await expectPushed(mila, []);
    expect(contentsFor(noor.token)).toEqual(['from herself']);
  });

  it('are pushed once a mention is edited in, and removed when it is edited out', async () => {
    const mila = await reader();
    const id = await say('hello');
    await owner.api.patch(`/messages/${id}`, { content: `hello @**${mila.email.split('@')[0]}|${mila.id}**` });
    await eventually(() => expect(takenBy(mila.token)).toHaveLength(1));
    await owner.api.patch(`/messages/${id}`, { content: 'hello nobody' });
    await eventually(() => expect(takenBy(mila.token)).toHaveLength(2));
    expect(takenBy(mila.token)[1]).toMatchObject({ event: 'remove', zulip_message_ids: String(id) });
  });

  it('are removed when they are read or deleted', async () => {
    const mila = await reader();
    const ids = [await dm(mila, 'one'), await dm(mila, 'two'), await dm(mila, 'three')];
    await eventually(() => expect(takenBy(mila.token)).toHaveLength(3));
    await mila.api.post('/messages/flags', { messages: ids.slice(0, 2), op: 'add', flag: 'read' });
    await eventually(() => expect(takenBy(mila.token)).toHaveLength(4));
    expect(takenBy(mila.token)[3]).toMatchObject({ event: 'remove', zulip_message_ids: ids.slice(0, 2).join(',') });
    await owner.api.delete(`/messages/${ids[2]}`);
    await eventually(() => expect(takenBy(mila.token)).toHaveLength(5));
    expect(takenBy(mila.token)[4]).toMatchObject({ event: 'remove', zulip_message_ids: String(ids[2]) });
  });

  it.each(['change_one', 'change_later', 'change_all'])(
    'are removed when a %s moves them out of reach',
    async (propagate_mode) => {
      const mila = await reader();
      const id = await say(`@**${mila.email.split('@')[0]}|${mila.id}** look`, `moving by ${propagate_mode}`);
      await eventually(() => expect(takenBy(mila.token)).toHaveLength(1));
      await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], invite_only: true });
      const { stream_id } = (await owner.api.get('/get_stream_id', { stream: 'secret' })).body;
      const { body } = await owner.api.patch(`/messages/${id}`, { stream_id, propagate_mode });
      expect(body.result).toBe('success');
      await eventually(() => expect(takenBy(mila.token)).toHaveLength(2));
      expect(takenBy(mila.token)[1]).toMatchObject({ event: 'remove', zulip_message_ids: String(id) });
    },
  );

  it('are tried again while a service fails, and hold nobody else up', async () => {
    const [mila, noor] = [await reader(), await reader()];
    services.google.answers.set(mila.token, [
      { status: 503, errorCode: 'UNAVAILABLE' },
      { status: 429, errorCode: 'QUOTA_EXCEEDED', retryAfter: '1' },
    ]);
    await dm(mila, 'later');
    await dm(noor, 'at once');
    await eventually(() => expect(contentsFor(noor.token)).toEqual(['at once']));
    expect(contentsFor(mila.token)).toEqual([]);
    await eventually(() => expect(contentsFor(mila.token)).toEqual(['later']));
  });

  it('remove a token that the service no longer knows', async () => {
    const mila = await reader();
    services.google.answers.set(mila.token, [{ status: 404, errorCode: 'UNREGISTERED' }]);
    await dm(mila, 'lost');
    await eventually(async () => {
      const events = await annals.events(`user-${mila.id}`);
      expect(events.at(-1)).toMatchObject({ type: 'PushTokenRemoved', data: { because: 'gone' } });
    });
    await dm(mila, 'never');
    const noor = await reader();
    await expectPushed(noor, []);
    expect(contentsFor(mila.token)).toEqual([]);
  });

  it('are not sent again by a rebuild or a restart, and none is lost', async () => {
    const mila = await reader();
    await dm(mila, 'before');
    await eventually(() => expect(contentsFor(mila.token)).toEqual(['before']));
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(undefined, () => {});
    services.google.answers.set(mila.token, [{ status: 503, errorCode: 'UNAVAILABLE' }]);
    await dm(mila, 'delayed');
    await annals.restart();
    owner = await annals.owner();
    await eventually(() => expect(contentsFor(mila.token)).toEqual(['before', 'delayed']));
    await expectPushed(mila, ['before', 'delayed']);
  });
});
