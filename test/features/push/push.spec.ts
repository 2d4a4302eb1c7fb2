import { describe, expect, it } from '@jest/globals';
import type {
  PushDeviceRemoved,
  PushEvent,
  PushTokenRemoved,
  TokenKind,
} from '../../../src/events/push/push.events.js';
import { pushState } from '../../../src/features/push/domain/push.state.js';
import {
  decideRegisterPushDevice,
  decideRemoveOwnDevice,
  RegisterPushDevice,
  RemoveOwnDevice,
} from '../../../src/features/push/domain/push-devices.js';
import {
  AddPushToken,
  decideAddPushToken,
  decideRemoveGonePushToken,
  decideRemovePushToken,
  MOST_DEVICES,
  RemoveGonePushToken,
  RemovePushToken,
} from '../../../src/features/push/domain/push-tokens.js';
import {
  decideRemovePushDevice,
  decideSettlePushDevice,
  type RegistrationOutcome,
  RemovePushDevice,
  SettlePushDevice,
} from '../../../src/features/push/domain/settle-push-device.js';
import { decideWithdrawDevices, WithdrawDevices } from '../../../src/features/push/domain/withdraw-devices.js';
import { given } from '../../support/events/given.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const added = (
  keyId: string,
  kind: TokenKind,
  token: string,
  appId: string | null = null,
  apiKeyId: string | null = 'own',
): PushEvent => ({
  type: 'PushTokenAdded',
  data: { userId: 1, kind, keyId, token: { token, appId }, apiKeyId },
});
const removed = (keyId: string, kind: TokenKind, because: PushTokenRemoved['data']['because']): PushEvent => ({
  type: 'PushTokenRemoved',
  data: { userId: 1, kind, keyId, because },
});

describe('adding a token', () => {
  const when = (
    kind: TokenKind,
    token: string,
    { appId = kind === 'apns' ? 'org.example.App' : null, history = [] as PushEvent[], isBot = false } = {},
  ) =>
    given(pushState, history).when(
      decideAddPushToken,
      new AddPushToken({ userId: 1, kind, given: { token, appId }, apiKeyId: 'own', by }),
      {
        keyId: 'new',
        isBot,
      },
    );

  it("keeps the token, Apple's in lower case", () => {
    when('fcm', 'aB:c').then([added('new', 'fcm', 'aB:c')]);
    when('apns', 'C0FFee').then([added('new', 'apns', 'c0ffee', 'org.example.App')]);
  });

  it('does nothing for a token that the user has already', () => {
    when('fcm', 'abc', { history: [added('k', 'fcm', 'abc')] }).thenNothing();
    when('apns', 'ABC0', { history: [added('k', 'apns', 'abc0', 'x')] }).thenNothing();
    when('fcm', 'abc0', { history: [added('k', 'apns', 'abc0', 'x')] }).then([added('new', 'fcm', 'abc0')]);
    when('fcm', 'abc', { history: [added('k', 'fcm', 'abc'), removed('k', 'fcm', 'asked')] }).then([
      added('new', 'fcm', 'abc'),
    ]);
  });

  it('moves a token to the API key that adds it again', () => {
    when('fcm', 'abc', { history: [added('k', 'fcm', 'abc', null, 'other')] }).then([
      removed('k', 'fcm', 'replaced'),
      added('new', 'fcm', 'abc'),
    ]);
    when('fcm', 'abc', { history: [added('k', 'fcm', 'abc', null, null)] }).then([
      removed('k', 'fcm', 'replaced'),
      added('new', 'fcm', 'abc'),
    ]);
  });

  it('refuses what is no token', () => {
    when('fcm', '').thenRefuses('PUSH_TOKEN_LENGTH');
    when('fcm', 'x'.repeat(4097)).thenRefuses('PUSH_TOKEN_LENGTH');
    when('fcm', 'x'.repeat(4096)).then([added('new', 'fcm', 'x'.repeat(4096))]);
    when('apns', '').thenRefuses('PUSH_TOKEN_LENGTH');
    when('apns', 'coffee').thenRefuses('APNS_TOKEN_INVALID');
    when('apns', 'abc').thenRefuses('APNS_TOKEN_INVALID');
    when('apns', 'c0ffee', { appId: 'not an app' }).thenRefuses('PUSH_APP_ID_INVALID');
  });

  it('refuses bots, and one device more than a user may have', () => {
    when('fcm', 'abc', { isBot: true }).thenRefuses('BOTS_NOT_ALLOWED');
    const full = Array.from({ length: MOST_DEVICES }, (_, n) => added(`k${n}`, 'fcm', `t${n}`));
    when('fcm', 'abc', { history: full }).thenRefuses('TOO_MANY_PUSH_DEVICES');
    when('fcm', 't7', { history: full }).thenNothing();
  });
});

describe('removing a token', () => {
  const history = [added('k1', 'apns', 'c0ffee', 'x'), added('k2', 'fcm', 'abc')];

  it('names the key to destroy', () => {
    const state = given(pushState, history);
    const remove = (kind: TokenKind, token: string) =>
      state.when(decideRemovePushToken, new RemovePushToken({ userId: 1, kind, token, by }), { isBot: false });
    remove('apns', 'C0FFEE').then([removed('k1', 'apns', 'asked')]);
    remove('fcm', 'abc').then([removed('k2', 'fcm', 'asked')]);
    remove('fcm', 'c0ffee').thenRefuses('PUSH_TOKEN_UNKNOWN');
    remove('fcm', '').thenRefuses('PUSH_TOKEN_LENGTH');
    remove('apns', 'x').thenRefuses('APNS_TOKEN_INVALID');
  });

  it('refuses bots', () => {
    given(pushState, history)
      .when(decideRemovePushToken, new RemovePushToken({ userId: 1, kind: 'fcm', token: 'abc', by }), { isBot: true })
      .thenRefuses('BOTS_NOT_ALLOWED');
  });

  it('happens once if its service no longer knows it', () => {
    const gone = (of: PushEvent[]) =>
      given(pushState, of).when(
        decideRemoveGonePushToken,
        new RemoveGonePushToken({ userId: 1, keyId: 'k2', by }),
        undefined,
      );
    gone(history).then([removed('k2', 'fcm', 'gone')]);
    gone([...history, removed('k2', 'fcm', 'gone')]).thenNothing();
  });
});

describe('a device with encrypted notifications', () => {
  const registration = { publicKey: 'p', sealedUnder: 'b', sealed: 'box' };
  const device = { userId: 1, pushAccountId: '9223372036854775807' };
  const registered = (keyId: string): PushEvent => ({
    type: 'PushDeviceRegistered',
    data: { ...device, kind: 'fcm', keyId, registration, apiKeyId: 'own' },
  });
  const activated: PushEvent = { type: 'PushDeviceActivated', data: { ...device, keyId: 'k', deviceId: 7 } };
  const failed: PushEvent = { type: 'PushDeviceFailed', data: { ...device, keyId: 'k', errorCode: 'REQUEST_EXPIRED' } };
  const removedFrom = (pushAccountId: string, because: PushDeviceRemoved['data']['because']): PushEvent => ({
    type: 'PushDeviceRemoved',
    data: { userId: 1, pushAccountId, keyId: 'k', because },
  });
  const gone = removedFrom(device.pushAccountId, 'gone');
  const register = (history: PushEvent[], { isBot = false, isConfigured = true } = {}) =>
    given(pushState, history).when(
      decideRegisterPushDevice,
      new RegisterPushDevice({
        userId: 1,
        device: { pushAccountId: device.pushAccountId, kind: 'fcm' },
        registration,
        apiKeyId: 'own',
        by,
      }),
      { keyId: 'new', isBot, isConfigured },
    );

  it('registers, and again only after a failure', () => {
    register([]).then([registered('new')]);
    register([registered('k')]).thenNothing();
    register([registered('k'), activated]).thenNothing();
    register([registered('k'), failed]).then([registered('new')]);
    register([registered('k'), activated, gone]).then([registered('new')]);
  });

  it('is refused after too many that have not failed; one that has failed makes place', () => {
    const full = Array.from({ length: MOST_DEVICES }, (_, n): PushEvent => {
      const data = { userId: 1, pushAccountId: `${n}`, kind: 'fcm', keyId: 'k', registration, apiKeyId: null } as const;
      return { type: 'PushDeviceRegistered', data };
    });
    register(full).thenRefuses('TOO_MANY_PUSH_DEVICES');
    const seventh = { userId: 1, pushAccountId: '7', keyId: 'k', errorCode: 'REQUEST_EXPIRED' };
    register([...full, { type: 'PushDeviceFailed', data: seventh }]).then([
      removedFrom('7', 'replaced'),
      registered('new'),
    ]);
  });

  it('is refused to bots, and by a server without a service', () => {
    register([], { isBot: true }).thenRefuses('BOTS_NOT_ALLOWED');
    register([], { isConfigured: false }).thenRefuses('PUSH_SERVICE_NOT_CONFIGURED');
  });

  const settle = (history: PushEvent[], outcome: RegistrationOutcome) =>
    given(pushState, history).when(
      decideSettlePushDevice,
      new SettlePushDevice({ userId: 1, pushAccountId: device.pushAccountId, keyId: 'k', outcome, by }),
      undefined,
    );

  it('is settled once', () => {
    settle([registered('k')], { deviceId: 7 }).then([activated]);
    settle([registered('k')], { errorCode: 'REQUEST_EXPIRED' }).then([failed]);
    settle([registered('k'), failed], { deviceId: 7 }).thenNothing();
    settle([registered('other')], { deviceId: 7 }).thenNothing();
    settle([], { deviceId: 7 }).thenNothing();
  });

  it('is removed when its service no longer knows it, not when it was registered again', () => {
    const remove = (history: PushEvent[]) =>
      given(pushState, history).when(
        decideRemovePushDevice,
        new RemovePushDevice({ userId: 1, pushAccountId: device.pushAccountId, keyId: 'k', by }),
        undefined,
      );
    remove([registered('k'), activated]).then([gone]);
    remove([registered('k'), failed, registered('new')]).thenNothing();
    remove([]).thenNothing();
  });
});

describe('devices of a login that has ended', () => {
  const registration = { publicKey: 'p', sealedUnder: 'b', sealed: 'box' };
  const registered = (pushAccountId: string, apiKeyId: string | null): PushEvent => {
    const keyId = `key ${pushAccountId}`;
    return {
      type: 'PushDeviceRegistered',
      data: { userId: 1, pushAccountId, kind: 'fcm', keyId, registration, apiKeyId },
    };
  };
  const failed = (pushAccountId: string): PushEvent => ({
    type: 'PushDeviceFailed',
    data: { userId: 1, pushAccountId, keyId: `key ${pushAccountId}`, errorCode: 'REQUEST_EXPIRED' },
  });
  const history = [
    added('k1', 'apns', 'c0ffee', 'x', 'own'),
    added('k2', 'fcm', 'abc', null, 'stolen'),
    added('k3', 'fcm', 'def', null, null),
    registered('1', 'own'),
    registered('2', 'stolen'),
    registered('3', 'stolen'),
    failed('3'),
    registered('4', 'stolen'),
    { type: 'PushDeviceActivated', data: { userId: 1, pushAccountId: '4', keyId: 'key 4', deviceId: null } } as const,
  ];
  const withdraw = (concerns: WithdrawDevices['concerns']) =>
    given(pushState, history).when(decideWithdrawDevices, new WithdrawDevices(1, 'key ended', concerns), undefined);

  it('are withdrawn, those that clients know by an event that they know', () =>
    withdraw(({ apiKeyId }) => apiKeyId === 'stolen').then([
      removed('k2', 'fcm', 'key ended'),
      failed('2'),
      failed('4'),
    ]));
  it('are all devices, unless they were added since', () =>
    withdraw(({ keyId }) => keyId !== 'k1' && keyId !== 'key 1').then([
      removed('k2', 'fcm', 'key ended'),
      removed('k3', 'fcm', 'key ended'),
      failed('2'),
      failed('4'),
    ]));
  it('are removed one by one when their user asks', () => {
    const remove = (keyId: string) =>
      given(pushState, history).when(decideRemoveOwnDevice, new RemoveOwnDevice({ userId: 1, keyId, by }), undefined);
    remove('k2').then([removed('k2', 'fcm', 'asked')]);
    for (const pushAccountId of ['3', '4']) {
      const data = { userId: 1, pushAccountId, keyId: `key ${pushAccountId}`, because: 'asked' } as const;
      remove(data.keyId).then([{ type: 'PushDeviceRemoved', data }]);
    }
    remove('4').thenRefuses('PUSH_DEVICE_UNKNOWN');
  });
  it('are none if there are none', () => withdraw(() => false).thenNothing());
});

describe('the state of push', () => {
  it('has no token', () => {
    const state = given(pushState, [added('k', 'apns', 'c0ffee', 'x')]).state;
    expect(JSON.stringify(state)).not.toContain('c0ffee');
  });
});
