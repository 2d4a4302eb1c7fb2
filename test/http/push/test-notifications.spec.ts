import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  PUSH_DEVICES,
  PUSH_TOKENS,
  type PushDeviceDocument,
  pushDevices,
} from '../../../projections/push-devices/push-devices.projection.js';
import { SettlePushDevice } from '../../../src/features/push/domain/settle-push-device.js';
import { READ_MODELS, type ReadModels } from '../../../src/platform/read-models/read-models.js';
import { eventually } from '../../support/eventually.js';
import { newDeviceKeys, openSealedBox } from '../../support/outside/push/open-sealed-box.js';
import { PushServices } from '../../support/outside/push/push-services.js';
import { Annals, by, type Member } from '../../support/servers/annals.js';

const DONE = { result: 'success', msg: '' };
const APPLE = '/users/me/apns_device_token';
const GOOGLE = '/users/me/android_gcm_reg_id';
const TEST = '/mobile_push/test_notification';
const ENCRYPTED = '/mobile_push/e2ee/test_notification';
const ACCOUNT = '9007199254740993';

describe('test notifications', () => {
  let services: PushServices;
  let annals: Annals;
  let made = 0;

  beforeAll(async () => {
    services = await PushServices.start();
    annals = await Annals.start(services.settings);
  });
  beforeEach(() => {
    services.apple.taken.length = 0;
    services.google.taken.length = 0;
  });
  afterAll(async () => {
    await annals.stop();
    await services.stop();
  });

  const user = () => annals.user(`reader${++made}`);
  const documents = (collection: string) =>
    annals.app.get<ReadModels>(READ_MODELS).collection<PushDeviceDocument>(pushDevices, collection);
  const refused = (status: number, code: string) => [status, expect.objectContaining({ result: 'error', code })];
  const ask = async ({ api }: Member, path: string, parameters: Record<string, string> = {}) => {
    const { status, body } = await api.post(path, parameters);
    return [status, body];
  };

  it('go to all devices, or to one', async () => {
    const mila = await user();
    expect(await ask(mila, TEST)).toEqual([200, DONE]);
    await mila.api.post(APPLE, { token: 'C0FFEE', appid: 'org.example.App' });
    await mila.api.post(GOOGLE, { token: 'a:b' });
    expect(await ask(mila, TEST)).toEqual([200, DONE]);
    const base = { realm_url: annals.url, realm_uri: annals.url, realm_name: 'Annals' };
    expect(services.apple.taken[0]).toMatchObject({
      token: 'c0ffee',
      body: {
        aps: { alert: { title: 'Test notification' } },
        zulip: { event: 'test', user_id: mila.id, ...base },
      },
    });
    expect(services.google.taken[0]).toMatchObject({
      token: 'a:b',
      data: { event: 'test', time: expect.stringMatching(/^\d+$/), user_id: String(mila.id), ...base },
    });
    expect(await ask(mila, TEST, { token: 'c0FFee' })).toEqual([200, DONE]);
    expect([services.apple.taken.length, services.google.taken.length]).toEqual([2, 1]);
  });

  it("are refused for another user's device", async () => {
    const [mila, noor] = [await user(), await user()];
    await noor.api.post(GOOGLE, { token: 'noors' });
    expect(await ask(mila, TEST, { token: 'noors' })).toEqual(refused(400, 'INVALID_PUSH_DEVICE_TOKEN'));
    expect(services.google.taken).toEqual([]);
  });

  it('remove a token that is gone', async () => {
    const mila = await user();
    await mila.api.post(GOOGLE, { token: 'gone' });
    services.google.answers.set('gone', [{ status: 404, errorCode: 'UNREGISTERED' }]);
    expect(await ask(mila, TEST, { token: 'gone' })).toEqual(refused(400, 'INVALID_PUSH_DEVICE_TOKEN'));
    expect(await documents(PUSH_TOKENS).find({ userId: mila.id })).toEqual([]);
    const events = await annals.events(`user-${mila.id}`);
    expect(events.at(-1)).toMatchObject({ type: 'PushTokenRemoved', data: { because: 'gone' } });
  });

  it('answer 502 while the service fails', async () => {
    const mila = await user();
    await mila.api.post(GOOGLE, { token: 'busy' });
    services.google.answers.set('busy', [{ status: 503, errorCode: 'UNAVAILABLE' }]);
    expect(await ask(mila, TEST, { token: 'busy' })).toEqual(refused(502, 'BAD_REQUEST'));
  });

  async function registered(): Promise<{ mila: Member; keys: ReturnType<typeof newDeviceKeys> }> {
    const mila = await user();
    const keys = newDeviceKeys();
    const device = { kind: 'apns' as const, token: 'c0de', accountId: ACCOUNT, publicKey: keys.publicKey };
    expect(await ask(mila, '/mobile_push/register', services.registration(device))).toEqual([200, DONE]);
    const [{ keyId } = { keyId: '' }] = await documents(PUSH_DEVICES).find({ userId: mila.id });
    await annals.execute(
      new SettlePushDevice({ userId: mila.id, pushAccountId: ACCOUNT, keyId, outcome: { deviceId: null }, by }),
    );
    return { mila, keys };
  }

  it('are encrypted for registered devices', async () => {
    const { mila, keys } = await registered();
    expect(await ask(mila, ENCRYPTED)).toEqual([200, DONE]);
    expect(await ask(mila, ENCRYPTED, { push_account_id: ACCOUNT })).toEqual([200, DONE]);
    const [first, second] = services.apple.taken;
    expect(JSON.parse(openSealedBox(first?.body.encrypted_data, keys))).toEqual({
      realm_url: annals.url,
      realm_name: 'Annals',
      user_id: mila.id,
      type: 'test',
      time: expect.any(Number),
    });
    expect(second?.text).toContain(`"push_account_id":${ACCOUNT},`);
    expect(await ask(mila, ENCRYPTED, { push_account_id: '7' })).toEqual(refused(400, 'NO_ACTIVE_PUSH_DEVICE'));
    expect(await ask(await user(), ENCRYPTED)).toEqual(refused(400, 'NO_ACTIVE_PUSH_DEVICE'));
  });

  it('answer the published errors for encrypted ones', async () => {
    const { mila } = await registered();
    const failing = async (status: number, reason: string) => {
      services.apple.answers.set('c0de', [{ status, reason }]);
      return ask(mila, ENCRYPTED);
    };
    expect(await failing(503, 'ServiceUnavailable')).toEqual(refused(502, 'INTERNAL_SERVER_ERROR_ON_BOUNCER'));
    expect(await failing(403, 'InvalidProviderToken')).toEqual(refused(403, 'ADMIN_ACTION_REQUIRED'));
    expect(await failing(410, 'Unregistered')).toEqual(refused(400, 'NO_ACTIVE_PUSH_DEVICE'));
    expect(await documents(PUSH_DEVICES).find({ userId: mila.id })).toEqual([]);
    expect(await ask(mila, ENCRYPTED)).toEqual(refused(400, 'NO_ACTIVE_PUSH_DEVICE'));
  });

  it('tell that the service cannot be reached', async () => {
    const away = await PushServices.start();
    const other = await Annals.start({ ...services.settings, ANNALS_APNS_URL: away.apple.url });
    await away.stop();
    try {
      const noor = await other.user('noor');
      const keys = newDeviceKeys();
      const device = { kind: 'apns' as const, token: 'c0de', accountId: ACCOUNT, publicKey: keys.publicKey };
      await noor.api.post('/mobile_push/register', services.registration(device));
      const all = other.app.get<ReadModels>(READ_MODELS).collection<PushDeviceDocument>(pushDevices, PUSH_DEVICES);
      await eventually(async () => expect(await all.find({ userId: noor.id })).toHaveLength(1));
      const [{ keyId } = { keyId: '' }] = await all.find({ userId: noor.id });
      await other.execute(
        new SettlePushDevice({ userId: noor.id, pushAccountId: ACCOUNT, keyId, outcome: { deviceId: null }, by }),
      );
      expect(await ask(noor, ENCRYPTED)).toEqual(refused(502, 'FAILED_TO_CONNECT_BOUNCER'));
    } finally {
      await other.stop();
    }
  });

  it('are announced as possible', async () => {
    const { api } = await user();
    const { realm_push_notifications_enabled } = (await api.post('/register', { fetch_event_types: ['realm'] })).body;
    expect(realm_push_notifications_enabled).toBe(true);
    expect((await annals.api.get('/server_settings')).body.push_notifications_enabled).toBe(true);
  });
});
