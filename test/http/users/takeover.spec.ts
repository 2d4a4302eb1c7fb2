import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { eventually } from '../../support/eventually.js';
import { MailServer } from '../../support/outside/mail-server.js';
import { newDeviceKeys } from '../../support/outside/push/open-sealed-box.js';
import { PushServices } from '../../support/outside/push/push-services.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const PASSWORD = 'lenses and mirrors';
const NEW_PASSWORD = 'a better one';
const APPLE = '/users/me/apns_device_token';
const GOOGLE = '/users/me/android_gcm_reg_id';

/** Devices of each kind, under which services know them. */
interface Devices {
  readonly apple: string;
  readonly google: string;
  readonly accountId: string;
  readonly sealed: string;
}

/** An account with a login that was stolen, and what the thief has made with it. */
interface Stolen {
  readonly id: number;
  readonly email: string;
  thiefsKey: string;
  ownersKey: string;
  readonly queueId: string;
  readonly thiefs: Devices;
  readonly owners: Devices;
  /** Links that change the account. */
  readonly links: readonly string[];
}

describe('a thief with a stolen API key', () => {
  let services: PushServices;
  let mails: MailServer;
  let annals: Annals;
  let admin: Member;
  let made = 0;
  /** Each visit of a page comes from another address: dead links count as guesses. */
  let visits = 0;
  /** Accounts whose owners have got rid of the thief. */
  const rescued: Stolen[] = [];

  beforeAll(async () => {
    [services, mails] = [await PushServices.start(), await MailServer.start()];
    const settings = { ANNALS_SMTP_URL: mails.url, ANNALS_TRUSTED_PROXIES: 'loopback' };
    annals = await Annals.start({ ...services.settings, ...settings });
    admin = await annals.owner();
  });
  afterAll(async () => {
    await annals.stop();
    await mails.stop();
    await services.stop();
  });

  const as = (email: string, apiKey: string) => annals.api.as({ email, apiKey });
  const owner = ({ email, ownersKey }: Stolen) => as(email, ownersKey);
  const thief = ({ email, thiefsKey }: Stolen) => as(email, thiefsKey);
  async function logIn(email: string, password = PASSWORD): Promise<string> {
    const { body } = await annals.api.post('/fetch_api_key', { username: email, password });
    expect(body.result).toBe('success');
    return body.api_key;
  }
  async function browse(link: string, fields?: Readonly<Record<string, string>>): Promise<number> {
    const form = fields && { method: 'POST', body: new URLSearchParams(fields) };
    const headers = { 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': `10.1.${++visits >> 8}.${visits & 255}` };
    return (await fetch(new URL(new URL(link).pathname, annals.url), { ...form, headers })).status;
  }
  const linkTo = async (address: string, atLeast = 1): Promise<string> =>
    (await mails.mailTo(address, atLeast)).links[0] ?? '';
  const say = (to: { readonly id: number }, content: string) =>
    admin.api.post('/messages', { type: 'direct', to: [to.id], content });

  /** Contents of the messages that were pushed to devices, by kind; encrypted ones are counted. */
  const pushedTo = ({ apple, google, sealed }: Devices) => ({
    apple: services.apple.taken
      .filter(({ token }) => token === apple)
      .map(({ body }) => (body as { aps: { alert: { body: string } } }).aps.alert.body),
    google: services.google.taken.filter(({ token }) => token === google).map(({ data }) => data.content),
    sealed: services.google.taken.filter(({ token }) => token === sealed).length,
  });
  async function add(api: Member['api'], { apple, google, accountId, sealed }: Devices): Promise<void> {
    const device = { kind: 'fcm', token: sealed, accountId, publicKey: newDeviceKeys().publicKey } as const;
    for (const answer of [
      await api.post(APPLE, { token: apple, appid: 'org.example.App' }),
      await api.post(GOOGLE, { token: google }),
      await api.post('/mobile_push/register', services.registration(device)),
    ])
      expect(answer.body).toEqual({ result: 'success', msg: '' });
    await eventually(async () => expect((await registrations(api))[accountId]?.status).toBe('active'));
  }
  const registrations = async (api: Member['api']): Promise<Record<string, { status: string }>> =>
    (await api.post('/register', { fetch_event_types: ['push_device'] })).body.push_devices;
  const devices = (name: string): Devices => ({
    apple: Buffer.from(name).toString('hex'),
    google: name,
    accountId: `${Buffer.from(name).readUIntBE(0, 5)}${made}`,
    sealed: `sealed-${name}`,
  });

  async function stolen(): Promise<Stolen> {
    const email = `person${++made}@example.org`;
    const account = { email, password: PASSWORD, full_name: `Person ${made}` };
    const { body } = await admin.api.post('/users', account);
    const [thiefsKey, ownersKey] = [await logIn(email), await logIn(email)];
    const [thiefs, owners] = [devices(`thief${made}`), devices(`owner${made}`)];
    await add(as(email, thiefsKey), thiefs);
    await add(as(email, ownersKey), owners);
    const queue = await EventQueue.register(as(email, thiefsKey), { event_types: ['message'] });
    const loot = `loot${made}@example.com`;
    expect((await as(email, thiefsKey).patch('/settings', { email: loot })).status).toBe(200);
    const links = [await linkTo(loot), await linkTo(email)];
    expect([await browse(links[0] ?? ''), await browse(links[1] ?? '')]).toEqual([200, 200]);
    const person = { id: body.user_id, email, thiefsKey, ownersKey, queueId: queue.id, thiefs, owners, links };
    await say(person, 'before');
    const before = { apple: ['before'], google: ['before'], sealed: 1 };
    await eventually(() => expect(pushedTo(thiefs)).toEqual(before));
    await eventually(() => expect(pushedTo(owners)).toEqual(before));
    return person;
  }

  /** Nothing of the thief's works, except the key if it has come back. */
  async function expectThiefIsOut(person: Stolen, hasKey = false): Promise<void> {
    if (!hasKey) {
      expect((await thief(person).get('/users/me')).body.code).toBe('INVALID_API_KEY');
      const poll = { queue_id: person.queueId, last_event_id: -1, dont_block: true };
      expect((await thief(person).get('/events', poll)).body.code).toBe('INVALID_API_KEY');
    }
    for (const link of person.links)
      for (const fields of [undefined, {}]) expect([link, await browse(link, fields)]).toEqual([link, 404]);
    expect((await owner(person).get('/users/me')).body.delivery_email).toBe(person.email);
    expect((await registrations(owner(person)))[person.thiefs.accountId]?.status).toBe('failed');
  }

  /** What the owner adds gets messages; what the thief has added gets none. */
  async function expectPushed(person: Stolen, after: Devices): Promise<void> {
    const before = pushedTo(person.thiefs);
    const earlier = pushedTo(after);
    for (const content of ['after', 'last']) {
      await say(person, content);
      await eventually(() => expect(pushedTo(after).google.at(-1)).toBe(content));
    }
    const plain = (contents: readonly unknown[]) => [...contents, 'after', 'last'];
    await eventually(() =>
      expect(pushedTo(after)).toEqual({
        apple: plain(earlier.apple),
        google: plain(earlier.google),
        sealed: earlier.sealed + 2,
      }),
    );
    expect(pushedTo(person.thiefs)).toEqual(before);
  }

  async function expectRescued(person: Stolen, hasKey = false): Promise<void> {
    await expectThiefIsOut(person, hasKey);
    const after = devices(`again${made}`);
    await add(owner(person), after);
    await expectPushed(person, after);
    rescued.push({ ...person, owners: after });
  }

  it('is out when the owner changes the password', async () => {
    const person = await stolen();
    const changed = await owner(person).patch('/settings', { old_password: PASSWORD, new_password: NEW_PASSWORD });
    expect(changed.status).toBe(200);
    expect((await registrations(owner(person)))[person.owners.accountId]?.status).toBe('failed');
    await expectRescued(person);
  });

  it('is out when the owner resets the password, even if the thief has replaced all keys', async () => {
    const person = await stolen();
    person.thiefsKey = (await thief(person).post('/users/me/api_key/regenerate')).body.api_key;
    await add(thief(person), person.thiefs);
    expect((await owner(person).get('/users/me')).body.code).toBe('INVALID_API_KEY');
    await browse(`${annals.url}/accounts/password/reset/`, { email: person.email });
    const link = await linkTo(person.email, 2);
    expect(await browse(link, { new_password: NEW_PASSWORD })).toBe(200);
    person.ownersKey = await logIn(person.email, NEW_PASSWORD);
    await expectRescued({ ...person, links: [...person.links, link] });
  });

  it('is out when the owner regenerates the keys', async () => {
    const person = await stolen();
    person.ownersKey = (await owner(person).post('/users/me/api_key/regenerate')).body.api_key;
    await expectRescued(person);
  });

  it('is out when the owner ends the key, and the devices of the owner stay', async () => {
    const person = await stolen();
    const fails = { status: 503, errorCode: 'UNAVAILABLE' };
    for (const { google } of [person.thiefs, person.owners]) services.google.answers.set(google, [fails]);
    await say(person, 'waiting');
    await eventually(() => expect(services.google.answers.get(person.thiefs.google)).toEqual([]));
    const { api_keys: keys } = (await owner(person).get('/users/me/api_keys')).body;
    const others = keys.filter(({ is_current }: { is_current: boolean }) => !is_current);
    expect(others).toHaveLength(1);
    expect((await owner(person).delete(`/users/me/api_keys/${others[0].id}`)).status).toBe(200);
    expect((await registrations(owner(person)))[person.owners.accountId]?.status).toBe('active');
    await eventually(() => expect(pushedTo(person.owners).google).toContain('waiting'));
    expect(pushedTo(person.thiefs).google).toEqual(['before']);
    await expectPushed(person, person.owners);
    await expectRescued(person);
  });

  it('has the key again, and nothing else, when an administrator deactivates and reactivates the account', async () => {
    const person = await stolen();
    expect((await admin.api.delete(`/users/${person.id}`)).status).toBe(200);
    expect((await thief(person).get('/users/me')).body.code).toBe('USER_DEACTIVATED');
    const poll = { queue_id: person.queueId, last_event_id: -1, dont_block: true };
    expect((await thief(person).get('/events', poll)).body.code).toBe('USER_DEACTIVATED');
    for (const link of person.links) expect(await browse(link)).toBe(404);
    expect((await admin.api.post(`/users/${person.id}/reactivate`)).status).toBe(200);
    expect((await registrations(owner(person)))[person.owners.accountId]?.status).toBe('failed');
    await expectRescued(person, true);
    const key = await owner(person).post('/users/me/api_key/regenerate');
    person.ownersKey = key.body.api_key;
    rescued.pop();
    await expectRescued(person);
  });

  it('stays out after a rebuild and a restart', async () => {
    expect(rescued).toHaveLength(5);
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(undefined, () => {});
    await annals.restart();
    admin = await annals.owner();
    for (const person of rescued) {
      await expectThiefIsOut(person);
      await expectPushed(person, person.owners);
    }
  });
});
