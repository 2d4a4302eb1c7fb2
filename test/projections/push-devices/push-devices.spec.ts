import { describe, expect, it } from '@jest/globals';
import type { ClientEventDocument } from '../../../projections/client-events/client-events.documents.js';
import { clientEvents } from '../../../projections/client-events/client-events.projection.js';
import { pushDevices } from '../../../projections/push-devices/push-devices.projection.js';
import type { PushEvent } from '../../../src/events/push/push.events.js';
import type { DomainEvent } from '../../../src/platform/kernel/event.js';
import { history } from '../../support/events/history.js';
import { projected } from '../../support/projections/projected.js';

const of = (...events: PushEvent[]) =>
  history(...events.map((event): [string, DomainEvent] => [`user-${event.data.userId}`, event]));

const registration = { publicKey: 'p', sealedUnder: 'b', sealed: 'box' };
const device = { userId: 1, pushAccountId: '12' };
const added = (keyId: string, token: { token: string; appId: string | null } | null): PushEvent => ({
  type: 'PushTokenAdded',
  data: { userId: 1, kind: 'apns', keyId, token, apiKeyId: 'own' },
});
const removed = (keyId: string): PushEvent => ({
  type: 'PushTokenRemoved',
  data: { userId: 1, kind: 'apns', keyId, because: 'asked' },
});
const registered = (keyId: string, sealed: typeof registration | null = registration): PushEvent => ({
  type: 'PushDeviceRegistered',
  data: { ...device, kind: 'fcm', keyId, registration: sealed, apiKeyId: 'own' },
});
const activated: PushEvent = { type: 'PushDeviceActivated', data: { ...device, keyId: 'k', deviceId: 7 } };
const failed: PushEvent = { type: 'PushDeviceFailed', data: { ...device, keyId: 'k', errorCode: 'REQUEST_EXPIRED' } };
const gone: PushEvent = { type: 'PushDeviceRemoved', data: { ...device, keyId: 'k', because: 'gone' } };
const document = {
  apiKeyId: 'own',
  _id: '1/12',
  ...device,
  kind: 'fcm',
  keyId: 'k',
  deviceId: null,
  errorCode: null,
  registration,
};

describe('the documents of push devices', () => {
  it('hold the tokens that were not removed', async () => {
    const token = { token: 'c0ffee', appId: 'x' };
    const { tokens, owners } = await projected(
      pushDevices,
      of(added('k1', token), added('k2', { ...token, token: 'ab' }), removed('k1'), added('k3', null)),
    );
    expect(tokens).toEqual([
      {
        _id: 'k2',
        userId: 1,
        kind: 'apns',
        token: 'ab',
        appId: 'x',
        addedAt: 1_700_000_002_000,
        apiKeyId: 'own',
        position: 2,
      },
    ]);
    expect(owners).toEqual([{ _id: 1, position: 4 }]);
  });

  it.each([
    ['pending', [registered('k')], [{ ...document, status: 'pending' }]],
    ['active', [registered('k'), activated], [{ ...document, status: 'active', deviceId: 7 }]],
    [
      'failed, without its registration',
      [registered('k'), failed],
      [{ ...document, status: 'failed', errorCode: 'REQUEST_EXPIRED', registration: null }],
    ],
    ['pending again', [registered('k'), failed, registered('k2')], [{ ...document, status: 'pending', keyId: 'k2' }]],
    ['removed', [registered('k'), activated, gone], []],
  ])('hold a device that is %s', async (_, events, expected) => {
    const { devices } = await projected(pushDevices, of(...events));
    expect(devices).toEqual(
      expected.map((one) => expect.objectContaining({ ...one, registeredAt: expect.any(Number) })),
    );
  });
});

describe('client events of push devices', () => {
  it('tell the user about each status', async () => {
    const documents = await projected(clientEvents, of(registered('k'), failed, registered('k2'), activated));
    const events = documents.events as ClientEventDocument[];
    expect(events.map(({ kind, audience, payload }) => [kind, audience, payload])).toEqual(
      [
        { status: 'pending' },
        { status: 'failed', error_code: 'REQUEST_EXPIRED' },
        { status: 'pending' },
        { status: 'active' },
      ].map((now) => ['push_device', { userIds: [1] }, { body: { push_account_id: '12', ...now } }]),
    );
  });
});
