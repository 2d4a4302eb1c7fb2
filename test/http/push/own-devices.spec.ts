import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { newDeviceKeys } from '../../support/outside/push/open-sealed-box.js';
import { PushServices } from '../../support/outside/push/push-services.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const DONE = { result: 'success', msg: '' };

describe('the devices of an account', () => {
  let services: PushServices;
  let annals: Annals;
  let made = 0;

  beforeAll(async () => {
    services = await PushServices.start();
    annals = await Annals.start(services.settings);
  });
  afterAll(async () => {
    await annals.stop();
    await services.stop();
  });

  /** A user with a device of each kind. */
  async function user(): Promise<Member> {
    const member = await annals.user(`reader${++made}`);
    await member.api.post('/users/me/apns_device_token', { token: 'c0ffee', appid: 'org.example.App' });
    await member.api.post('/users/me/android_gcm_reg_id', { token: 'aB:c' });
    const { publicKey } = newDeviceKeys();
    const device = services.registration({ kind: 'fcm', token: 'sealed', accountId: '9007199254740993', publicKey });
    expect((await member.api.post('/mobile_push/register', device)).body).toEqual(DONE);
    await eventually(async () => expect((await list(member)).at(-1)?.status).toBe('active'));
    return member;
  }
  const list = async ({ api }: Member): Promise<readonly { id: string; status: string }[]> =>
    (await api.get('/users/me/push_devices')).body.push_devices;
  const remove = ({ api }: Member, id = '') => api.delete(`/users/me/push_devices/${id}`);

  it('are listed without their tokens and keys, with the login that added them', async () => {
    const member = await user();
    const [own] = (await member.api.get('/users/me/api_keys')).body.api_keys;
    const shared = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      error_code: null,
      status: 'active',
      registered_at: expect.any(Number),
      api_key_id: own.id,
      is_current: true,
    };
    const token = { ...shared, is_encrypted: false, push_account_id: null };
    const encrypted = { ...shared, is_encrypted: true, push_account_id: '9007199254740993', kind: 'fcm', app_id: null };
    const listed = await list(member);
    expect(listed).toEqual([
      { ...token, kind: 'apns', app_id: 'org.example.App' },
      { ...token, kind: 'fcm', app_id: null },
      encrypted,
    ]);
    expect(JSON.stringify(listed)).not.toMatch(/c0ffee|aB:c/);
  });

  it('are removed one by one, with their content, and only by their user', async () => {
    const [mila, noor] = [await user(), await user()];
    const [apple, google, encrypted] = await list(mila);
    const unknown = { result: 'error', code: 'BAD_REQUEST', msg: 'No such device' };
    const head = await annals.head();
    for (const id of [apple?.id, encrypted?.id, 'nothing', '9007199254740993'])
      expect((await remove(noor, id)).body).toEqual(unknown);
    expect(await annals.head()).toBe(head);

    for (const device of [apple, encrypted]) expect((await remove(mila, device?.id)).body).toEqual(DONE);
    expect(await list(mila)).toEqual([google]);
    expect((await annals.events(`user-${mila.id}`, head)).map(({ type, data }) => [type, data])).toEqual([
      ['PushTokenRemoved', { userId: mila.id, kind: 'apns', keyId: apple?.id, because: 'asked' }],
      [
        'PushDeviceRemoved',
        { userId: mila.id, pushAccountId: '9007199254740993', keyId: encrypted?.id, because: 'asked' },
      ],
    ]);
    const stored = (await annals.events(`user-${mila.id}`)).map(({ data }) => data);
    expect(JSON.stringify(stored)).not.toContain('c0ffee');
    expect((await remove(mila, apple?.id)).body).toEqual(unknown);
    expect(await list(noor)).toHaveLength(3);
  });

  it('name the login that added them, and go with it', async () => {
    const member = await user();
    const password = 'lenses and mirrors';
    const email = `both${made}@example.org`;
    const owner = await annals.owner();
    await owner.api.post('/users', { email, password, full_name: 'Both' });
    const logIn = async () => {
      const { body } = await annals.api.post('/fetch_api_key', { username: email, password });
      return { ...member, api: annals.api.as({ email, apiKey: body.api_key }) };
    };
    const [phone, desktop] = [await logIn(), await logIn()];
    await phone.api.post('/users/me/android_gcm_reg_id', { token: 'phone' });
    const [device] = await list(desktop);
    const [{ id }] = (await phone.api.get('/users/me/api_keys')).body.api_keys.filter(
      ({ is_current }: { is_current: boolean }) => is_current,
    );
    expect(device).toMatchObject({ api_key_id: id, is_current: false });
    await desktop.api.delete(`/users/me/api_keys/${id}`);
    expect(await list(desktop)).toEqual([]);
  });
});
