import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BouncerSender } from '../../../src/platform/push/bouncer/bouncer-sender.js';
import type { RegisteredDevice, TestPush } from '../../../src/platform/push/push-sender.js';
import { BouncerServer } from '../../support/outside/push/bouncer-server.js';

const { orgId: ORG_ID, orgKey: ORG_KEY } = BouncerServer;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const iphone = { userId: 1, kind: 'apns', token: 'c0ffee', appId: 'org.example.App' } as const;
const android = { userId: 1, kind: 'fcm', token: 'a:b', appId: null } as const;
const registered: RegisteredDevice = {
  userId: 1,
  pushAccountId: '9223372036854775807',
  kind: 'apns',
  sealedUnder: 'dW5kZXI=',
  sealed: 'c2VhbGVk',
  deviceId: 7,
};
const push: TestPush = {
  base: { realm_name: 'Annals' },
  isUrgent: true,
  collapseId: 'm7',
  apple: { alert: { title: 'T', body: 'B' }, sound: 'default', badge: 0, zulip: { message_ids: [7] } },
  google: { event: 'message' },
};
const encrypted = { isUrgent: true, collapseId: 'm7', encrypted: 'Ym94' };

describe('sending by way of a bouncer', () => {
  let bouncer: BouncerServer;
  let sender: BouncerSender;

  beforeEach(async () => {
    bouncer = await BouncerServer.start();
    sender = newSender();
  });
  afterEach(() => bouncer.stop());

  const newSender = (orgKey = ORG_KEY, url = bouncer.url) =>
    new BouncerSender({ url, orgId: ORG_ID, orgKey, site: 'https://chat.example' });
  const requestsTo = (path: string) => bouncer.requests.filter((request) => request.path === path);
  const registeredThere = async (device: RegisteredDevice = registered): Promise<RegisteredDevice> => {
    const result = await sender.register(device);
    return { ...device, deviceId: result.outcome === 'registered' ? result.deviceId : null };
  };

  it('tells it of a token once, and has it notify the device', async () => {
    expect(await sender.sendPlain(iphone, push)).toEqual({ outcome: 'sent' });
    expect(await sender.sendPlain(iphone, push)).toEqual({ outcome: 'sent' });
    expect(await sender.sendPlain(android, push)).toEqual({ outcome: 'sent' });
    expect(bouncer.paths).toEqual([
      'server/analytics',
      'push/register',
      'push/notify',
      'push/notify',
      'push/register',
      'push/notify',
    ]);
    const [realm] = JSON.parse(bouncer.requests[0]?.body.realms);
    expect(realm).toMatchObject({ uuid: bouncer.requests[1]?.body.realm_uuid, host: 'chat.example' });
    const ids = { user_uuid: expect.stringMatching(UUID), realm_uuid: expect.stringMatching(UUID) };
    const appleToken = { token: 'c0ffee', token_kind: '1', ios_app_id: 'org.example.App' };
    expect(bouncer.requests[1]?.body).toEqual({ server_uuid: ORG_ID, user_id: '1', ...ids, ...appleToken });
    expect(bouncer.requests[2]?.body).toEqual({
      ...ids,
      user_id: 1,
      apns_payload: {
        alert: { title: 'T', body: 'B' },
        sound: 'default',
        badge: 0,
        custom: { zulip: { message_ids: [7] } },
      },
      gcm_payload: { event: 'message' },
      gcm_options: { priority: 'high' },
      android_devices: [],
      apple_devices: ['c0ffee'],
    });
    expect(bouncer.requests[4]?.body).toMatchObject({ token_kind: '2' });
    expect(bouncer.requests[5]?.body).toMatchObject({ android_devices: ['a:b'], apple_devices: [] });
    expect(bouncer.requests[2]?.body.user_uuid).toBe(bouncer.requests[5]?.body.user_uuid);
  });

  it('learns which devices are gone', async () => {
    await sender.sendPlain(iphone, push);
    bouncer.forget('c0ffee');
    expect(await sender.sendPlain(iphone, push)).toEqual({ outcome: 'gone', at: null });
    expect(await sender.sendPlain(android, push)).toEqual({ outcome: 'sent' });
    const device = await registeredThere();
    expect(await sender.sendEncrypted({ ...device, deviceId: 99 }, encrypted)).toEqual({ outcome: 'gone', at: null });
    expect(await sender.sendEncrypted(device, encrypted)).toEqual({ outcome: 'sent' });
    // A token that is added again is told again.
    expect(await sender.sendPlain(iphone, push)).toEqual({ outcome: 'sent' });
  });

  it('does not take a notification that went to no device for sent', async () => {
    const later = { outcome: 'later', isUnreachable: false, reason: 'the bouncer has sent it to no device' };
    const device = await registeredThere();
    bouncer.unsent.add('c0ffee').add('a:b').add(Number(device.deviceId));
    expect(await sender.sendPlain(iphone, push)).toMatchObject(later);
    expect(await sender.sendPlain(android, push)).toMatchObject(later);
    expect(await sender.sendEncrypted(device, encrypted)).toMatchObject(later);
    bouncer.unsent.clear();
    expect(await sender.sendPlain(iphone, push)).toEqual({ outcome: 'sent' });
    expect(await sender.sendEncrypted(device, encrypted)).toEqual({ outcome: 'sent' });
  });

  it('sends tests on their own path, and tells the bouncer again of a token that it has lost', async () => {
    expect(await sender.sendTest(iphone, push)).toEqual({ outcome: 'sent' });
    expect(bouncer.paths).toEqual(['server/analytics', 'push/register', 'push/test_notification']);
    expect(bouncer.requests[2]?.body).toEqual({
      user_uuid: expect.stringMatching(UUID),
      realm_uuid: expect.stringMatching(UUID),
      user_id: 1,
      token: 'c0ffee',
      token_kind: 1,
      base_payload: { realm_name: 'Annals' },
    });
    bouncer.forget('c0ffee');
    expect(await sender.sendTest(iphone, push)).toEqual({ outcome: 'sent' });
    bouncer.instead.set('push/register', { status: 200, body: { result: 'success', msg: '' } });
    expect(await sender.sendTest(android, push)).toEqual({ outcome: 'gone', at: null, isUnknownToBouncer: true });
  });

  it('removes tokens there, one or all of a user', async () => {
    const { registry } = sender;
    for (const device of [iphone, android, { ...android, userId: 2 }]) await registry.add(device);
    expect(await registry.remove(iphone)).toEqual({ outcome: 'sent' });
    const [{ body } = { body: null }] = requestsTo('push/unregister');
    const ids = { user_uuid: expect.stringMatching(UUID), realm_uuid: expect.stringMatching(UUID) };
    expect(body).toEqual({ server_uuid: ORG_ID, user_id: '1', ...ids, token: 'c0ffee', token_kind: '1' });
    // It is gone already: nothing is left to do.
    expect(await registry.remove(iphone)).toEqual({ outcome: 'sent' });
    expect(await registry.removeAll(1)).toEqual({ outcome: 'sent' });
    expect(requestsTo('push/unregister/all')[0]?.body).toEqual({ server_uuid: ORG_ID, user_id: '1', ...ids });
    expect([...bouncer.tokens]).toEqual([expect.stringContaining('a:b')]);
    await registry.add(android);
    expect(bouncer.tokens.size).toBe(2);
    bouncer.isAway = true;
    expect(await registry.remove(android)).toMatchObject({ outcome: 'later', isUnreachable: true });
    expect(await registry.removeAll(2)).toMatchObject({ outcome: 'later', isUnreachable: true });
  });

  it('hears whether the organization may push, from every answer that says it', async () => {
    expect(sender.newPermission()).toBeNull();
    await sender.askPermission();
    expect(sender.newPermission()).toEqual({ isAllowed: true, endsAt: null });
    expect(sender.newPermission()).toBeNull();
    bouncer.permission = { can_push: true, expected_end_timestamp: 2_000_000_000 };
    await sender.sendPlain(iphone, push);
    expect(sender.newPermission()).toEqual({ isAllowed: true, endsAt: 2_000_000_000 });
    const device = await registeredThere();
    await sender.sendEncrypted(device, encrypted);
    expect(sender.newPermission()).toEqual({ isAllowed: true, endsAt: 2_000_000_000 });

    bouncer.permission = { can_push: false, expected_end_timestamp: null };
    for (const send of [
      () => sender.sendPlain(iphone, push),
      () => sender.sendTest(iphone, push),
      () => sender.sendEncrypted(device, encrypted),
    ]) {
      expect(await send()).toMatchObject({ outcome: 'misconfigured' });
      expect(sender.newPermission()).toEqual({ isAllowed: false, endsAt: null });
    }
    await sender.askPermission();
    expect(sender.newPermission()).toEqual({ isAllowed: false, endsAt: null });
    bouncer.isAway = true;
    await sender.askPermission();
    expect(sender.newPermission()).toBeNull();
  });

  it('registers devices, and sends encrypted notifications by their ids', async () => {
    const device = await registeredThere();
    expect(device.deviceId).toBe(1);
    expect(bouncer.requests[1]?.body).toEqual({
      realm_uuid: expect.stringMatching(UUID),
      push_account_id: '9223372036854775807',
      encrypted_push_registration: 'c2VhbGVk',
      bouncer_public_key: 'dW5kZXI=',
    });
    await sender.sendEncrypted(device, encrypted);
    await sender.sendEncrypted({ ...device, kind: 'fcm' }, { ...encrypted, isUrgent: false });
    expect(bouncer.requests[2]?.body.push_requests).toEqual([
      { device_id: 1, http_headers: { apns_priority: 10, apns_push_type: 'alert' }, payload: 'Ym94' },
    ]);
    expect(bouncer.requests[3]?.body.push_requests).toEqual([
      { device_id: 1, fcm_priority: 'normal', payload: 'Ym94' },
    ]);
  });

  it.each([
    [400, 'INVALID_BOUNCER_PUBLIC_KEY', { outcome: 'refused', errorCode: 'INVALID_BOUNCER_PUBLIC_KEY' }],
    [400, 'REQUEST_EXPIRED', { outcome: 'refused', errorCode: 'REQUEST_EXPIRED' }],
    [400, 'PUSH_NOTIFICATIONS_DISALLOWED', { outcome: 'misconfigured' }],
    [403, 'MISSING_REMOTE_REALM', { outcome: 'misconfigured' }],
    [500, 'INTERNAL', { outcome: 'later', isUnreachable: false }],
  ])('understands its %i %s', async (status, code, result) => {
    bouncer.instead.set('push/e2ee/register', { status, body: { result: 'error', code, msg: 'no' } });
    expect(await sender.register(registered)).toMatchObject(result);
  });

  it('tells a wrong key, an answer without sense, and a bouncer that cannot be reached', async () => {
    expect(await newSender('x'.repeat(64)).sendPlain(iphone, push)).toMatchObject({ outcome: 'misconfigured' });
    bouncer.instead.set('push/register', { status: 200, body: '<html>' });
    expect(await sender.sendPlain(iphone, push)).toMatchObject({ outcome: 'later' });
    expect(await newSender(ORG_KEY, 'http://127.0.0.1:1').sendPlain(iphone, push)).toMatchObject({
      outcome: 'later',
      isUnreachable: true,
    });
  });
});
