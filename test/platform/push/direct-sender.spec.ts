import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppleService } from '../../../src/platform/push/apple/apple-service.js';
import { DirectSender } from '../../../src/platform/push/direct-sender.js';
import { GoogleService } from '../../../src/platform/push/google/google-service.js';
import type { PlainDevice, PlainPush, RegisteredDevice } from '../../../src/platform/push/push-sender.js';
import { boxKeysOf } from '../../../src/platform/push/sealed-box.js';
import { APPLE_CA_FILE, AppleServer } from '../../support/outside/push/apple-server.js';
import { GoogleServer } from '../../support/outside/push/google-server.js';
import { base64, newDeviceKeys, sealBox } from '../../support/outside/push/open-sealed-box.js';

const server = newDeviceKeys();
const sealedUnder = base64(server.publicKey);
const iphone: PlainDevice = { userId: 1, kind: 'apns', token: 'c0ffee', appId: 'org.example.App' };
const android: PlainDevice = { userId: 1, kind: 'fcm', token: 'a:b', appId: null };
const push: PlainPush = {
  isUrgent: true,
  collapseId: 'm7',
  apple: { alert: { title: 'T', body: 'B' }, sound: 'default', badge: 0, zulip: { message_ids: [7] } },
  google: { event: 'message', zulip_message_id: '7' },
};
const now = () => Math.floor(Date.now() / 1000);
const registered = (kind: 'apns' | 'fcm', of: object, under = server.publicKey): RegisteredDevice => ({
  userId: 1,
  pushAccountId: '9223372036854775807',
  kind,
  sealedUnder,
  sealed: sealBox(JSON.stringify(of), under),
  deviceId: null,
});
const registeredIphone = () =>
  registered('apns', { token: 'c0ffee', token_kind: 'apns', timestamp: now(), ios_app_id: 'org.example.App' });
const registeredAndroid = () => registered('fcm', { token: 'a:b', token_kind: 'fcm', timestamp: now() });

describe('sending with credentials of Apple and Google', () => {
  let apple: AppleServer;
  let google: GoogleServer;
  let sender: DirectSender;

  beforeAll(async () => {
    apple = await AppleServer.start();
    google = await GoogleServer.start();
  });
  beforeEach(async () => {
    apple.taken.length = 0;
    google.taken.length = 0;
    await sender?.close();
    sender = await newSender();
  });
  afterAll(async () => {
    await sender.close();
    await apple.stop();
    await google.stop();
  });

  const appleService = (key = apple.key, url = apple.url) =>
    new AppleService({
      key,
      keyId: apple.keyId,
      teamId: apple.teamId,
      host: 'localhost',
      port: Number(new URL(url).port),
      ca: readFileSync(APPLE_CA_FILE, 'utf8'),
    });
  const newSender = async () =>
    new DirectSender({
      apple: appleService(),
      google: new GoogleService({ account: google.account, url: google.url }),
      boxKeys: [await boxKeysOf(base64(server.secretKey))],
    });

  it('reaches both kinds of devices', async () => {
    expect(await sender.sendPlain(iphone, push)).toEqual({ outcome: 'sent' });
    expect(await sender.sendPlain(android, push)).toEqual({ outcome: 'sent' });
    expect(apple.taken[0]).toMatchObject({
      token: 'c0ffee',
      headers: {
        'apns-topic': 'org.example.App',
        'apns-push-type': 'alert',
        'apns-priority': '10',
        'apns-collapse-id': 'm7',
      },
      body: { aps: { alert: { title: 'T', body: 'B' }, sound: 'default', badge: 0 }, zulip: { message_ids: [7] } },
    });
    expect(google.taken).toEqual([{ token: 'a:b', data: push.google, priority: 'high' }]);
  });

  it('asks Google for one access token, and for another when it has ended', async () => {
    const before = google.accessTokens;
    await Promise.all([sender.sendPlain(android, push), sender.sendPlain(android, push)]);
    await sender.sendPlain(android, push);
    expect(google.accessTokens).toBe(before + 1);
    google.endAccessTokens();
    expect(await sender.sendPlain(android, push)).toMatchObject({ outcome: 'later' });
    expect(await sender.sendPlain(android, push)).toEqual({ outcome: 'sent' });
  });

  it.each([
    [410, 'Unregistered', { outcome: 'gone', at: 1_700_000_000_000 }],
    [400, 'BadDeviceToken', { outcome: 'gone' }],
    [400, 'DeviceTokenNotForTopic', { outcome: 'gone' }],
    [429, 'TooManyRequests', { outcome: 'later' }],
    [500, 'InternalServerError', { outcome: 'later' }],
    [503, 'ServiceUnavailable', { outcome: 'later' }],
    [413, 'PayloadTooLarge', { outcome: 'refused' }],
    [403, 'InvalidProviderToken', { outcome: 'misconfigured' }],
  ])("understands Apple's %i %s", async (status, reason, result) => {
    const timestamp = status === 410 ? { timestamp: 1_700_000_000_000 } : {};
    apple.answers.set('c0ffee', [{ status, reason, ...timestamp }]);
    expect(await sender.sendPlain(iphone, push)).toMatchObject(result);
    expect(apple.taken).toEqual([]);
    expect(await sender.sendPlain(iphone, push)).toEqual({ outcome: 'sent' });
  });

  it.each([
    [404, 'UNREGISTERED', undefined, { outcome: 'gone' }],
    [404, 'NOT_FOUND', undefined, { outcome: 'refused' }],
    [429, 'QUOTA_EXCEEDED', '7', { outcome: 'later', retryAfterMs: 7000 }],
    [503, 'UNAVAILABLE', undefined, { outcome: 'later', retryAfterMs: null }],
    [400, 'INVALID_ARGUMENT', undefined, { outcome: 'refused' }],
    [403, 'SENDER_ID_MISMATCH', undefined, { outcome: 'refused' }],
    [403, 'PERMISSION_DENIED', undefined, { outcome: 'misconfigured' }],
  ])("understands Google's %i %s", async (status, errorCode, retryAfter, result) => {
    google.answers.set('a:b', [{ status, errorCode, ...(retryAfter === undefined ? {} : { retryAfter }) }]);
    expect(await sender.sendPlain(android, push)).toMatchObject(result);
    expect(google.taken).toEqual([]);
  });

  it('tells that credentials are wrong, and that a service cannot be reached', async () => {
    google.refusesAccount = true;
    expect(await sender.sendPlain(android, push)).toMatchObject({ outcome: 'misconfigured' });
    google.refusesAccount = false;
    expect(await sender.sendPlain(android, push)).toEqual({ outcome: 'sent' });
    const gone = await AppleServer.start();
    const { key, url } = gone;
    await gone.stop();
    const lost = new DirectSender({ apple: appleService(key, url), google: null, boxKeys: [] });
    expect(await lost.sendPlain(iphone, push)).toMatchObject({ outcome: 'later', isUnreachable: true });
    expect(await lost.sendPlain(android, push)).toMatchObject({ outcome: 'misconfigured' });
    await lost.close();
    const other = new DirectSender({ apple: appleService(key), google: null, boxKeys: [] });
    expect(await other.sendPlain(iphone, push)).toMatchObject({ outcome: 'misconfigured' });
    await other.close();
  });

  it('sends encrypted notifications to the token in the box', async () => {
    const encrypted = { encrypted: 'c2VhbGVk', isUrgent: true, collapseId: 'm7' };
    expect(await sender.sendEncrypted(registeredIphone(), encrypted)).toEqual({ outcome: 'sent' });
    expect(await sender.sendEncrypted(registeredAndroid(), encrypted)).toEqual({ outcome: 'sent' });
    expect(await sender.sendEncrypted(registeredIphone(), { ...encrypted, isUrgent: false })).toEqual({
      outcome: 'sent',
    });
    expect(apple.taken[0]).toMatchObject({
      token: 'c0ffee',
      body: { aps: { 'mutable-content': 1, alert: { title: 'New notification' } }, encrypted_data: 'c2VhbGVk' },
    });
    expect(apple.taken[0]?.text).toContain('"push_account_id":9223372036854775807,');
    expect(apple.taken[1]?.headers).toMatchObject({ 'apns-push-type': 'background', 'apns-priority': '5' });
    const data = { push_account_id: '9223372036854775807', encrypted_data: 'c2VhbGVk' };
    expect(google.taken).toEqual([{ token: 'a:b', data, priority: 'high' }]);
  });

  it('registers devices whose box it can open', async () => {
    const refused = (errorCode: string) => ({ outcome: 'refused', errorCode });
    const isInvalid = refused('INVALID_ENCRYPTED_PUSH_REGISTRATION');
    expect(await sender.register(registeredIphone())).toEqual({ outcome: 'registered', deviceId: null });
    expect(await sender.register(registeredAndroid())).toEqual({ outcome: 'registered', deviceId: null });
    const android = { token: 'a:b', token_kind: 'fcm', timestamp: now() };
    const other = newDeviceKeys().publicKey;
    expect(await sender.register({ ...registeredIphone(), sealedUnder: base64(other) })).toEqual(
      refused('INVALID_BOUNCER_PUBLIC_KEY'),
    );
    expect(await sender.register(registered('fcm', android, other))).toEqual(isInvalid);
    expect(await sender.register(registered('apns', android))).toEqual(isInvalid);
    expect(await sender.register(registered('apns', { ...android, token_kind: 'apns', ios_app_id: 'x' }))).toEqual(
      isInvalid,
    );
    expect(await sender.register(registered('fcm', { ...android, ios_app_id: 'x' }))).toEqual(isInvalid);
    const old = { ...android, timestamp: now() - 86_401 };
    expect(await sender.register(registered('fcm', old))).toEqual(refused('REQUEST_EXPIRED'));
  });
});
