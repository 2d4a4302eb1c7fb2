import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RegisterPushDevice } from '../../../src/features/push/domain/push-devices.js';
import { eventually } from '../../support/eventually.js';
import { base64, newDeviceKeys, sealBox } from '../../support/outside/push/open-sealed-box.js';
import { PushServices } from '../../support/outside/push/push-services.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import { inOneMinute } from '../../support/requests/in-one-minute.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, by, type Member } from '../../support/servers/annals.js';

const DONE = { result: 'success', msg: '' };
const REGISTER = '/mobile_push/register';
const TEST = '/mobile_push/test_notification';
const ENCRYPTED = '/mobile_push/e2ee/test_notification';
const ACCOUNT = '9007199254740993';
const ZERO = base64(new Uint8Array(32));

describe('devices that register for encrypted notifications', () => {
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

  const user = () => annals.user(`reader${++made}`);
  const device = (accountId = ACCOUNT, token = 'c0de') => {
    const kind: 'apns' | 'fcm' = /^[0-9a-f]+$/.test(token) ? 'apns' : 'fcm';
    return services.registration({ kind, token, accountId, publicKey: newDeviceKeys().publicKey });
  };
  const sealed = (registration: unknown) => ({
    encrypted_push_registration: sealBox(
      typeof registration === 'string' ? registration : JSON.stringify(registration),
      services.boxKeys.publicKey,
    ),
  });

  async function becomes(member: Member, parameters: Record<string, string>): Promise<unknown> {
    const queue = await EventQueue.register(member.api, { event_types: ['push_device'] });
    expect((await member.api.post(REGISTER, parameters)).body).toEqual(DONE);
    let end: Record<string, unknown> | undefined;
    await eventually(async () => {
      end = (await queue.drain()).at(-1) ?? end;
      expect(end?.status).not.toBe('pending');
      expect(end).toBeDefined();
    });
    return end?.error_code ?? end?.status;
  }

  it.each([
    ['token_kind', 'APNS', 'token_kind must be one of fcm, apns'],
    ['push_account_id', '', 'push_account_id is not an integer of 64 bits'],
    ['push_account_id', '1.5', 'push_account_id is not an integer of 64 bits'],
    ['push_account_id', '9223372036854775808', 'push_account_id is not an integer of 64 bits'],
    ['push_public_key', 'c2hvcnQ=', 'push_public_key is not a public X25519 key in standard base64'],
    ['push_public_key', ZERO, 'push_public_key is not a public X25519 key in standard base64'],
    ['bouncer_public_key', 'x'.repeat(1001), 'bouncer_public_key is too long (limit: 1000 characters)'],
    ['encrypted_push_registration', 'x'.repeat(16_385), /^encrypted_push_registration is too long/],
  ])('are refused in words for the %s %j', async (name, value, msg) => {
    const { api } = await user();
    await expectRefusal(annals, () => api.post(REGISTER, { ...device(), [name]: value }), {
      msg: typeof msg === 'string' ? msg : expect.stringMatching(msg),
    });
  });

  it("fail with the service's code for a key that is not its own, and for a box that it cannot open", async () => {
    const member = await user();
    const now = Math.floor(Date.now() / 1000);
    const apple = { token: 'c0de', token_kind: 'apns', timestamp: now, ios_app_id: 'org.example.App' };
    for (const key of ['', 'no base64!', 'c2hvcnQ=', ZERO, base64(newDeviceKeys().publicKey)])
      expect(await becomes(member, { ...device(), bouncer_public_key: key })).toBe('INVALID_BOUNCER_PUBLIC_KEY');
    for (const wrong of [
      { encrypted_push_registration: '' },
      { encrypted_push_registration: 'no base64!' },
      sealed('no JSON'),
      sealed('null'),
      sealed({ ...apple, token: 'no hex' }),
      sealed({ ...apple, token: 'ab'.repeat(2049) }),
      sealed({ ...apple, ios_app_id: null }),
      sealed({ ...apple, ios_app_id: 'a\r\nb' }),
      sealed({ ...apple, ios_app_id: 'a'.repeat(256) }),
      sealed({ ...apple, token_kind: 'fcm' }),
    ])
      expect(await becomes(member, { ...device(), ...wrong })).toBe('INVALID_ENCRYPTED_PUSH_REGISTRATION');
    const google = { ...device(ACCOUNT, 'a:b'), ...sealed({ token: 'a b', token_kind: 'fcm', timestamp: now }) };
    expect(await becomes(member, google)).toBe('INVALID_ENCRYPTED_PUSH_REGISTRATION');
    expect(await becomes(member, { ...device(), ...sealed(apple) })).toBe('active');
  });

  it('whose stored key takes no box are removed, and hold no other device up', async () => {
    const member = await user();
    const { api, id } = member;
    expect(await becomes(member, device('2', 'beef'))).toBe('active');
    const bad = device('1');
    const registration = {
      publicKey: ZERO,
      sealedUnder: bad.bouncer_public_key ?? '',
      sealed: bad.encrypted_push_registration ?? '',
    };
    await annals.execute(
      new RegisterPushDevice({
        userId: id,
        device: { pushAccountId: '1', kind: 'apns' },
        registration,
        apiKeyId: null,
        by,
      }),
    );
    const devices = async () => (await api.post('/register', { fetch_event_types: ['push_device'] })).body.push_devices;
    const active = { status: 'active', error_code: null };
    await eventually(async () => expect(await devices()).toEqual({ '1': active, '2': active }));
    expect((await api.post(ENCRYPTED)).body).toEqual(DONE);
    expect(services.apple.taken.map(({ token }) => token)).toEqual(['beef']);
    expect(await devices()).toEqual({ '2': active });
    expect((await api.post(ENCRYPTED, { push_account_id: '1' })).body.code).toBe('NO_ACTIVE_PUSH_DEVICE');
  });

  it('are told in words that the id of a test notification is wrong', async () => {
    const { api } = await user();
    const { status, body } = await api.post(ENCRYPTED, { push_account_id: 'x' });
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', 'push_account_id is not an integer of 64 bits']);
  });

  it.each(['form', 'json'] as const)('are all tested if the id is null, as %s', async (encoding) => {
    const { api } = await user();
    const { body } = await api.ask('POST', ENCRYPTED, { push_account_id: null }, { encoding });
    expect(body.code).toBe('NO_ACTIVE_PUSH_DEVICE');
  });

  it('get ten test notifications a minute in all', () =>
    inOneMinute(async () => {
      const [mila, noor] = [await user(), await user()];
      for (let n = 0; n < 5; n++) {
        expect((await mila.api.post(TEST)).status).toBe(200);
        expect((await mila.api.post(ENCRYPTED)).body.code).toBe('NO_ACTIVE_PUSH_DEVICE');
      }
      for (const path of [TEST, ENCRYPTED]) {
        const { status, body, headers } = await mila.api.post(path);
        expect([status, body.code]).toEqual([429, 'RATE_LIMIT_HIT']);
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
        expect(body['retry-after']).toBe(Number(headers['retry-after']));
      }
      expect((await noor.api.post(TEST)).status).toBe(200);
    }));
});
