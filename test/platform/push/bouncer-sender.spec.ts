import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BouncerSender } from '../../../src/platform/push/bouncer/bouncer-sender.js';
import type { PlainPush, RegisteredDevice } from '../../../src/platform/push/push-sender.js';

const ORG_ID = '6f0b3f0c-3c1e-4d2a-9a55-4d9f0f4a7c11';
const ORG_KEY = 'k'.repeat(64);
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
const push: PlainPush = {
  isUrgent: true,
  collapseId: 'm7',
  apple: { alert: { title: 'T', body: 'B' }, sound: 'default', badge: 0, zulip: { message_ids: [7] } },
  google: { event: 'message' },
};
const encrypted = { isUrgent: true, collapseId: 'm7', encrypted: 'Ym94' };

describe('sending by way of a bouncer', () => {
  // biome-ignore lint/suspicious/noExplicitAny: whatever is sent
  const requests: { path: string; body: any }[] = [];
  let answers: Record<string, { status: number; body: object | string }> = {};
  let server: Server;
  let sender: BouncerSender;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = request.headers['content-type'] === 'application/json';
        const path = request.url?.replace('/api/v1/remotes/', '') ?? '';
        const isKnown = request.headers.authorization === `Basic ${btoa(`${ORG_ID}:${ORG_KEY}`)}`;
        requests.push({ path, body: isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text)) });
        const { status, body } = isKnown
          ? (answers[path] ?? { status: 200, body: { result: 'success' } })
          : { status: 401, body: { code: 'INVALID_ZULIP_SERVER', msg: 'no' } };
        response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    requests.length = 0;
    answers = {};
    sender = newSender();
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const newSender = (orgKey = ORG_KEY, port = (server.address() as AddressInfo).port) =>
    new BouncerSender({ url: `http://127.0.0.1:${port}`, orgId: ORG_ID, orgKey, site: 'https://chat.example' });

  it('tells it of a token once, and has it notify the device', async () => {
    expect(await sender.sendPlain(iphone, push)).toEqual({ outcome: 'sent' });
    expect(await sender.sendPlain(iphone, push)).toEqual({ outcome: 'sent' });
    expect(await sender.sendPlain(android, push)).toEqual({ outcome: 'sent' });
    expect(requests.map(({ path }) => path)).toEqual([
      'server/analytics',
      'push/register',
      'push/notify',
      'push/notify',
      'push/register',
      'push/notify',
    ]);
    const [realm] = JSON.parse(requests[0]?.body.realms);
    expect(realm).toMatchObject({ uuid: requests[1]?.body.realm_uuid, host: 'chat.example' });
    const ids = { user_uuid: expect.stringMatching(UUID), realm_uuid: expect.stringMatching(UUID) };
    const appleToken = { token: 'c0ffee', token_kind: '1', ios_app_id: 'org.example.App' };
    expect(requests[1]?.body).toEqual({ server_uuid: ORG_ID, user_id: '1', ...ids, ...appleToken });
    expect(requests[2]?.body).toEqual({
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
    expect(requests[4]?.body).toMatchObject({ token_kind: '2' });
    expect(requests[5]?.body).toMatchObject({ android_devices: ['a:b'], apple_devices: [] });
    expect(requests[2]?.body.user_uuid).toBe(requests[5]?.body.user_uuid);
  });

  it('learns which devices are gone', async () => {
    answers['push/notify'] = {
      status: 200,
      body: { deleted_devices: { apple_devices: ['c0ffee'], android_devices: [] } },
    };
    expect(await sender.sendPlain(iphone, push)).toEqual({ outcome: 'gone', at: null });
    expect(await sender.sendPlain(android, push)).toEqual({ outcome: 'sent' });
    answers['push/e2ee/notify'] = { status: 200, body: { delete_device_ids: [7] } };
    expect(await sender.sendEncrypted(registered, encrypted)).toEqual({ outcome: 'gone', at: null });
    expect(await sender.sendEncrypted({ ...registered, deviceId: 8 }, encrypted)).toEqual({ outcome: 'sent' });
  });

  it('registers devices, and sends encrypted notifications by their ids', async () => {
    answers['push/e2ee/register'] = { status: 200, body: { device_id: 12 } };
    expect(await sender.register(registered)).toEqual({ outcome: 'registered', deviceId: 12 });
    expect(requests[1]?.body).toEqual({
      realm_uuid: expect.stringMatching(UUID),
      push_account_id: '9223372036854775807',
      encrypted_push_registration: 'c2VhbGVk',
      bouncer_public_key: 'dW5kZXI=',
    });
    await sender.sendEncrypted(registered, encrypted);
    await sender.sendEncrypted({ ...registered, kind: 'fcm' }, { ...encrypted, isUrgent: false });
    expect(requests[2]?.body.push_requests).toEqual([
      { device_id: 7, http_headers: { apns_priority: 10, apns_push_type: 'alert' }, payload: 'Ym94' },
    ]);
    expect(requests[3]?.body.push_requests).toEqual([{ device_id: 7, fcm_priority: 'normal', payload: 'Ym94' }]);
  });

  it.each([
    [400, 'INVALID_BOUNCER_PUBLIC_KEY', { outcome: 'refused', errorCode: 'INVALID_BOUNCER_PUBLIC_KEY' }],
    [400, 'REQUEST_EXPIRED', { outcome: 'refused', errorCode: 'REQUEST_EXPIRED' }],
    [400, 'PUSH_NOTIFICATIONS_DISALLOWED', { outcome: 'misconfigured' }],
    [403, 'MISSING_REMOTE_REALM', { outcome: 'misconfigured' }],
    [500, 'INTERNAL', { outcome: 'later', isUnreachable: false }],
  ])('understands its %i %s', async (status, code, result) => {
    answers['push/e2ee/register'] = { status, body: { result: 'error', code, msg: 'no' } };
    expect(await sender.register(registered)).toMatchObject(result);
  });

  it('tells a wrong key, an answer without sense, and a bouncer that cannot be reached', async () => {
    expect(await newSender('x'.repeat(64)).sendPlain(iphone, push)).toMatchObject({ outcome: 'misconfigured' });
    answers['push/register'] = { status: 200, body: '<html>' };
    expect(await sender.sendPlain(iphone, push)).toMatchObject({ outcome: 'later' });
    expect(await newSender(ORG_KEY, 1).sendPlain(iphone, push)).toMatchObject({
      outcome: 'later',
      isUnreachable: true,
    });
  });
});
