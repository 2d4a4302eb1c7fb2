import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  PUSH_TOKENS,
  type PushTokenDocument,
  pushDevices,
} from '../../../projections/push-devices/push-devices.projection.js';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import type { PushEvent } from '../../../src/events/push/push.events.js';
import { CONTENT_KEYS, type ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { READ_MODELS, type ReadModels } from '../../../src/platform/read-models/read-models.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const DONE = { result: 'success', msg: '' };
const APPLE = '/users/me/apns_device_token';
const GOOGLE = '/users/me/android_gcm_reg_id';
const KEY = Buffer.alloc(32, 7).toString('base64');

describe('tokens of mobile devices', () => {
  let annals: Annals;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
  });
  afterAll(() => annals.stop());

  const user = () => annals.user(`reader${++made}`);
  const tokensOf = async ({ id }: Member) => {
    const documents = annals.app.get<ReadModels>(READ_MODELS).collection<PushTokenDocument>(pushDevices, PUSH_TOKENS);
    const found = await documents.find({ userId: id }, { sort: { position: 1 } });
    return found.map(({ kind, token, appId }) => [kind, token, appId]);
  };
  const eventsOf = async ({ id }: Member) => (await annals.events(`user-${id}`)) as Recorded<PushEvent>[];

  it('are added once, and are gone with their key when they are removed', async () => {
    const { api, ...mila } = await user();
    const member = { api, ...mila };
    const apple = { token: 'C0FFEE', appid: 'org.example.App' };
    expect((await api.post(APPLE, apple)).body).toEqual(DONE);
    expect((await api.post(APPLE, { ...apple, token: 'c0ffee' })).body).toEqual(DONE);
    expect((await api.post(GOOGLE, { token: 'aB:c' })).body).toEqual(DONE);
    expect((await api.post(GOOGLE, { token: 'aB:c' })).body).toEqual(DONE);
    expect(await tokensOf(member)).toEqual([
      ['apns', 'c0ffee', 'org.example.App'],
      ['fcm', 'aB:c', null],
    ]);
    expect((await eventsOf(member)).map(({ type, data }) => [type, 'token' in data && data.token])).toEqual([
      ['PushTokenAdded', { token: 'c0ffee', appId: 'org.example.App' }],
      ['PushTokenAdded', { token: 'aB:c', appId: null }],
    ]);

    expect((await api.delete(APPLE, { token: 'C0ffee' })).body).toEqual(DONE);
    expect((await api.delete(GOOGLE, { token: 'aB:c' })).body).toEqual(DONE);
    expect(await tokensOf(member)).toEqual([]);
    const events = await eventsOf(member);
    expect(events.map(({ type, data }) => [type, 'token' in data && data.token])).toEqual([
      ['PushTokenAdded', null],
      ['PushTokenAdded', null],
      ['PushTokenRemoved', false],
      ['PushTokenRemoved', false],
    ]);
    const keyIds = events.map(({ data }) => data.keyId);
    expect((await annals.app.get<ContentKeys>(CONTENT_KEYS).getMany(keyIds)).size).toBe(0);
  });

  it('belong to each account that adds them', async () => {
    const [mila, noor] = [await user(), await user()];
    await mila.api.post(GOOGLE, { token: 'shared' });
    await noor.api.post(GOOGLE, { token: 'shared' });
    await mila.api.delete(GOOGLE, { token: 'shared' });
    expect(await tokensOf(mila)).toEqual([]);
    expect(await tokensOf(noor)).toEqual([['fcm', 'shared', null]]);
  });

  it('are refused with the published errors', async () => {
    const { api } = await user();
    const appid = 'org.example.App';
    const length = { msg: 'Empty or invalid length token' };
    await expectRefusal(annals, () => api.post(APPLE, { token: '', appid }), length);
    await expectRefusal(annals, () => api.post(APPLE, { token: 'ab'.repeat(2049), appid }), length);
    await expectRefusal(annals, () => api.post(APPLE, { token: 'no hex', appid }), { msg: 'Invalid APNS token' });
    for (const wrong of ['', 'a b', 'a\r\nb', 'org.exämple', 'a'.repeat(256)])
      await expectRefusal(annals, () => api.post(APPLE, { token: 'ab', appid: wrong }), { msg: 'Invalid app ID' });
    for (const wrong of ['a b', 'a\nb', 'ä'])
      await expectRefusal(annals, () => api.post(GOOGLE, { token: wrong }), { msg: 'Invalid FCM token' });
    await expectRefusal(annals, () => api.post(GOOGLE, { token: '' }), length);
    await expectRefusal(annals, () => api.delete(APPLE, { token: '' }), length);
    await expectRefusal(annals, () => api.delete(APPLE, { token: 'ab' }), { msg: 'Token does not exist' });
    await expectRefusal(annals, () => api.delete(GOOGLE, { token: 'ab' }), { msg: 'Token does not exist' });
    expect((await api.post(APPLE, { token: 'ab' })).body.code).toBe('REQUEST_VARIABLE_MISSING');
  });

  it('are not for bots', async () => {
    const owner = await annals.owner();
    const { body } = await owner.api.post('/bots', { full_name: 'Bot', short_name: 'pushbot' });
    const users = (await owner.api.get('/users')).body.members as { user_id: number; email: string }[];
    const email = users.find(({ user_id }) => user_id === body.user_id)?.email ?? '';
    const api = annals.api.as({ email, apiKey: body.api_key });
    const msg = 'This endpoint does not accept bot requests.';
    await expectRefusal(annals, () => api.post(GOOGLE, { token: 'ab' }), { msg });
    await expectRefusal(annals, () => api.delete(GOOGLE, { token: 'ab' }), { msg });
  });

  it('are gone when the API key is regenerated, and stay gone after a rebuild and a restart', async () => {
    const mila = await user();
    await mila.api.post(GOOGLE, { token: 'old' });
    await mila.api.post(APPLE, { token: 'abcd', appid: 'x' });
    const { api_key: apiKey } = (await mila.api.post('/users/me/api_key/regenerate')).body;
    expect(await tokensOf(mila)).toEqual([]);
    const api = () => annals.api.as({ email: mila.email, apiKey });
    await api().post(GOOGLE, { token: 'new' });
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['push-devices', 'client-events'], () => {});
    expect(await tokensOf(mila)).toEqual([['fcm', 'new', null]]);
    await annals.restart();
    expect(await tokensOf(mila)).toEqual([['fcm', 'new', null]]);
    const removed = (await eventsOf(mila)).filter(({ type }) => type === 'PushTokenRemoved');
    expect(removed.map(({ data }) => 'because' in data && data.because)).toEqual([
      'keys regenerated',
      'keys regenerated',
    ]);
  });

  it('of encrypted notifications are refused without a service', async () => {
    const { api } = await user();
    const device = {
      token_kind: 'fcm',
      push_account_id: '9007199254740993',
      push_public_key: KEY,
      bouncer_public_key: KEY,
      encrypted_push_registration: 'c2VhbGVk',
    };
    const notConfigured = {
      code: 'PUSH_SERVICE_NOT_CONFIGURED',
      msg: 'Server is not configured to use push notification service.',
    };
    await expectRefusal(annals, () => api.post('/mobile_push/register', device), notConfigured);
    expect((await api.post('/register', { fetch_event_types: ['push_device'] })).body.push_devices).toEqual({});
    for (const wrong of [{ token_kind: 'APNS' }, { push_account_id: 'x' }, { push_public_key: 'c2hvcnQ=' }])
      await expectRefusal(annals, () => api.post('/mobile_push/register', { ...device, ...wrong }), notConfigured);
    await expectRefusal(annals, () => api.post('/mobile_push/register'), notConfigured);
  });
});
