import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  PUSH_TOKENS,
  type PushTokenDocument,
  pushDevices,
} from '../../../projections/push-devices/push-devices.projection.js';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { PushPermissions } from '../../../src/features/push/reactors/push-permission.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import { Deferred } from '../../../src/platform/kernel/deferred.js';
import { PUSH_SENDER, type PushSender } from '../../../src/platform/push/push-sender.js';
import { READ_MODELS, type ReadModels } from '../../../src/platform/read-models/read-models.js';
import { ownEngines } from '../../support/engines/own-engines.js';
import { eventually } from '../../support/eventually.js';
import { BouncerServer } from '../../support/outside/push/bouncer-server.js';
import { base64, newDeviceKeys } from '../../support/outside/push/open-sealed-box.js';
import { PushServices } from '../../support/outside/push/push-services.js';
import { override } from '../../support/override.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const DONE = { result: 'success', msg: '' };
const APPLE = '/users/me/apns_device_token';
const GOOGLE = '/users/me/android_gcm_reg_id';
const TEST = '/mobile_push/test_notification';
const ENCRYPTED = '/mobile_push/e2ee/test_notification';
const appid = 'org.example.App';

describe('a bouncer', () => {
  let bouncer: BouncerServer;
  let annals: Annals;
  let mila: Member;

  beforeEach(async () => {
    bouncer = await BouncerServer.start();
    annals = await Annals.start(bouncer.settings);
    mila = await annals.user('mila');
  });
  afterEach(async () => {
    await annals.stop();
    await bouncer.stop();
  });

  const tokensHere = async () => {
    const documents = annals.app.get<ReadModels>(READ_MODELS).collection<PushTokenDocument>(pushDevices, PUSH_TOKENS);
    return (await documents.find({ userId: mila.id })).map(({ token }) => token);
  };
  const dm = async (content: string) =>
    (await annals.owner()).api.post('/messages', { type: 'direct', to: [mila.id], content });
  const known = (tokens: readonly string[]) =>
    eventually(() => expect([...bouncer.knownTokens].sort()).toEqual([...tokens].sort()));
  const realm = async () => {
    const { body } = await mila.api.post('/register', { fetch_event_types: ['realm'] });
    return [body.realm_push_notifications_enabled, body.realm_push_notifications_enabled_end_timestamp];
  };
  const rightChanges = async () =>
    (await annals.events('organization')).flatMap(({ type, data }) =>
      type === 'RealmSettingChanged' && 'setting' in data ? [[data.setting, 'to' in data && data.to]] : [],
    );

  it('is told of tokens when they are added and when they are removed, by hand or with the API key', async () => {
    await mila.api.post(APPLE, { token: 'C0FFEE', appid });
    await mila.api.post(GOOGLE, { token: 'a:b' });
    await mila.api.post(GOOGLE, { token: 'c:d' });
    await known(['c0ffee', 'a:b', 'c:d']);
    await mila.api.delete(APPLE, { token: 'c0ffee' });
    await known(['a:b', 'c:d']);
    const { api_key: apiKey } = (await mila.api.post('/users/me/api_key/regenerate')).body;
    await known([]);
    const again = annals.api.as({ email: mila.email, apiKey });
    await again.post(GOOGLE, { token: 'a:b' });
    await known(['a:b']);
    expect((await again.post(TEST, { token: 'a:b' })).body).toEqual(DONE);
  });

  it('is told of a removal later if it is away, also after a restart and a rebuild', async () => {
    await mila.api.post(GOOGLE, { token: 'a:b' });
    await mila.api.post(GOOGLE, { token: 'c:d' });
    await known(['a:b', 'c:d']);
    bouncer.isAway = true;
    await mila.api.delete(GOOGLE, { token: 'a:b' });
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['push-devices'], () => {});
    await annals.restart();
    expect(bouncer.knownTokens).toHaveLength(2);
    bouncer.isAway = false;
    await known(['c:d']);
    // A token that is added again before the bouncer is back stays there.
    bouncer.isAway = true;
    await mila.api.delete(GOOGLE, { token: 'c:d' });
    await mila.api.post(GOOGLE, { token: 'c:d' });
    bouncer.isAway = false;
    await dm('Hello');
    await eventually(() => expect(bouncer.taken.map(({ token }) => token)).toEqual(['c:d']));
    expect(bouncer.knownTokens).toEqual(['c:d']);
  });

  it('forgets all tokens of an account that is deactivated', async () => {
    await mila.api.post(GOOGLE, { token: 'a:b' });
    await known(['a:b']);
    expect((await (await annals.owner()).api.delete(`/users/${mila.id}`)).body).toEqual(DONE);
    await known([]);
    expect(bouncer.paths).toContain('push/unregister/all');
  });

  it('names devices that are gone, which are removed here', async () => {
    await mila.api.post(GOOGLE, { token: 'a:b' });
    await known(['a:b']);
    bouncer.forget('a:b');
    await dm('Hello');
    await eventually(async () => expect(await tokensHere()).toEqual([]));
    const events = await annals.events(`user-${mila.id}`);
    expect(events.at(-1)).toMatchObject({ type: 'PushTokenRemoved', data: { because: 'gone' } });
  });

  it('sends tests on its own path for them, and says what goes wrong', async () => {
    await mila.api.post(GOOGLE, { token: 'a:b' });
    await known(['a:b']);
    expect((await mila.api.post(TEST)).body).toEqual(DONE);
    const base = { realm_url: annals.url, realm_uri: annals.url, realm_name: 'Annals', user_id: mila.id };
    expect(bouncer.taken).toEqual([{ token: 'a:b', payload: base }]);
    expect(bouncer.paths).not.toContain('push/notify');

    bouncer.isAway = true;
    const away = await mila.api.post(TEST);
    expect([away.status, away.body.code]).toEqual([502, 'BAD_REQUEST']);
    bouncer.isAway = false;
    bouncer.forget('a:b');
    bouncer.instead.set('push/register', { status: 200, body: { result: 'success', msg: '' } });
    const unknown = await mila.api.post(TEST, { token: 'a:b' });
    expect([unknown.status, unknown.body.code]).toEqual([400, 'INVALID_REMOTE_PUSH_DEVICE_TOKEN']);
    expect(await tokensHere()).toEqual([]);
  });

  it('does not make an encrypted test a success that went to no device', async () => {
    const queue = await EventQueue.register(mila.api, { event_types: ['push_device'] });
    const key = base64(newDeviceKeys().publicKey);
    await mila.api.post('/mobile_push/register', {
      token_kind: 'fcm',
      push_account_id: '7',
      push_public_key: key,
      bouncer_public_key: key,
      encrypted_push_registration: 'c2VhbGVk',
    });
    await eventually(async () => expect((await queue.drain()).at(-1)).toMatchObject({ status: 'active' }));
    expect((await mila.api.post(ENCRYPTED)).body).toEqual(DONE);
    const [device = 0] = bouncer.devices;
    bouncer.unsent.add(device);
    const unsent = await mila.api.post(ENCRYPTED);
    expect([unsent.status, unsent.body.code]).toEqual([502, 'INTERNAL_SERVER_ERROR_ON_BOUNCER']);
    bouncer.isAway = true;
    const away = await mila.api.post(ENCRYPTED);
    expect([away.status, away.body.code]).toEqual([502, 'FAILED_TO_CONNECT_BOUNCER']);
    bouncer.isAway = false;
    bouncer.permission = { can_push: false, expected_end_timestamp: null };
    const disallowed = await mila.api.post(ENCRYPTED);
    expect([disallowed.status, disallowed.body.code]).toEqual([403, 'ADMIN_ACTION_REQUIRED']);
    expect(await realm()).toEqual([false, null]);
    bouncer.permission = { can_push: true, expected_end_timestamp: null };
    bouncer.devices.clear();
    const gone = await mila.api.post(ENCRYPTED);
    expect([gone.status, gone.body.code]).toEqual([400, 'NO_ACTIVE_PUSH_DEVICE']);
  });

  it('denies the right to push and gives it back, of which clients are told, and which outlives a restart', async () => {
    await mila.api.post(GOOGLE, { token: 'a:b' });
    await known(['a:b']);
    expect(await realm()).toEqual([true, null]);
    const queue = await EventQueue.register(mila.api, { event_types: ['realm'] });
    const told = async () => (await queue.drain()).map(({ type, op, data }) => ({ type, op, data }));
    const change = (data: object) => ({ type: 'realm', op: 'update_dict', data });

    bouncer.permission = { can_push: false, expected_end_timestamp: null };
    await dm('not yet');
    await eventually(async () => expect(await realm()).toEqual([false, null]));
    expect(await told()).toEqual([change({ push_notifications_enabled: false })]);
    bouncer.isAway = true;
    await annals.restart();
    expect(await realm()).toEqual([false, null]);
    bouncer.permission = { can_push: true, expected_end_timestamp: 2_000_000_000 };
    bouncer.isAway = false;
    // The message waits for the right.
    await eventually(() => expect(bouncer.taken.map(({ token }) => token)).toEqual(['a:b']));
    await eventually(async () => expect(await realm()).toEqual([true, 2_000_000_000]));
    expect(await rightChanges()).toEqual([
      ['push_notifications_enabled', false],
      ['push_notifications_enabled', true],
      ['push_notifications_enabled_end_timestamp', 2_000_000_000],
    ]);
  });

  it('that does not answer holds the end of the server up for a moment only', async () => {
    // No time ends this question: an end that waits for it hangs.
    const asked = new Deferred<void>();
    const askPermission = () => {
      asked.resolve();
      return new Promise<void>(() => {});
    };
    const asking = new PushPermissions({
      sender: override<PushSender>(annals.app.get(PUSH_SENDER), { askPermission }),
      runner: annals.app.get(CommandRunner),
      warn: () => {},
      hasOrganization: () => true,
    });
    asking.start();
    await asked.promise;
    await asking.close();
  });

  it('alone decides about the right: nobody can set it', async () => {
    const { api } = await annals.owner();
    const { body } = await api.patch('/realm', { push_notifications_enabled: false });
    expect(body).toMatchObject({ ignored_parameters_unsupported: ['push_notifications_enabled'] });
    expect(await realm()).toEqual([true, null]);
  });

  it('that is replaced by credentials of Apple and Google denies nothing any more', async () => {
    bouncer.permission = { can_push: false, expected_end_timestamp: null };
    const services = await PushServices.start();
    const engines = await ownEngines();
    const allowed = async (server: Annals) =>
      (await (await server.owner()).api.post('/register', { fetch_event_types: ['realm'] })).body
        .realm_push_notifications_enabled;
    const before = await Annals.on(engines, bouncer.settings);
    await eventually(async () => expect(await allowed(before)).toBe(false));
    await before.close();
    const after = await Annals.on(engines, services.settings);
    await eventually(async () => expect(await allowed(after)).toBe(true));
    await after.stop();
    await services.stop();
  });
});
