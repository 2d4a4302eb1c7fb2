import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiKeySweeper } from '../../../src/features/users/services/api-key-sweeper.js';
import type { Client } from '../../support/requests/http.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const DAY_MS = 86_400_000;
const PASSWORD = 'lenses and mirrors';

interface ListedKey {
  readonly id: string;
  readonly client: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly is_current: boolean;
}

describe('API keys of one account', () => {
  let annals: Annals;
  let owner: Member;
  /** Of the last login. */
  let apiKey = '';

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
  });
  afterAll(() => annals.stop());

  async function person(name: string): Promise<string> {
    const email = `${name}@example.org`;
    const { body } = await owner.api.post('/users', { email, password: PASSWORD, full_name: name });
    expect(body).toMatchObject({ result: 'success' });
    return email;
  }

  async function logIn(email: string, client: string): Promise<Client> {
    const headers = { 'user-agent': `${client}/1.0` };
    const params = { username: email, password: PASSWORD };
    const { body } = await annals.api.post('/fetch_api_key', params, { headers });
    apiKey = body.api_key;
    return annals.api.as({ email, apiKey });
  }

  const keysOf = async (api: Client): Promise<ListedKey[]> => (await api.get('/users/me/api_keys')).body.api_keys;

  it('lists each login: which client, made when, last used when', async () => {
    const email = await person('iris');
    const before = Math.floor(Date.now() / 1000);
    const phone = await logIn(email, 'ZulipMobile');
    const ofPhone = apiKey;
    const desk = await logIn(email, 'ZulipElectron');
    const keys = await keysOf(phone);
    expect(keys).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
        client: 'ZulipMobile',
        created_at: expect.any(Number),
        last_used_at: expect.any(Number),
        is_current: true,
      },
      {
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
        client: 'ZulipElectron',
        created_at: expect.any(Number),
        last_used_at: null,
        is_current: false,
      },
    ]);
    for (const at of [keys[0]?.created_at, keys[1]?.created_at, keys[0]?.last_used_at])
      expect(at).toBeGreaterThanOrEqual(before);
    await desk.get('/users/me');
    const [, used] = await keysOf(phone);
    expect(used?.last_used_at).toBeGreaterThanOrEqual(before);
    await annals.restart();
    const [, later] = await keysOf(annals.api.as({ email, apiKey: ofPhone }));
    expect(later).toEqual(used);
  });

  it('ends a login by the id of its key, and no other', async () => {
    const email = await person('noor');
    const [phone, desk] = [await logIn(email, 'ZulipMobile'), await logIn(email, 'ZulipElectron')];
    const [, other] = await keysOf(phone);
    const end = (api: Client, id = '') => api.delete(`/users/me/api_keys/${id}`);
    expect((await end(phone, other?.id)).body).toEqual({ result: 'success', msg: '' });
    expect((await desk.get('/users/me')).body).toMatchObject({ code: 'INVALID_API_KEY' });
    expect((await keysOf(phone)).map(({ client }) => client)).toEqual(['ZulipMobile']);

    const head = await annals.head();
    const unknown = { result: 'error', code: 'BAD_REQUEST', msg: 'No such API key' };
    expect((await end(phone, other?.id)).body).toEqual(unknown);
    const [foreign] = await keysOf(owner.api);
    expect((await end(phone, foreign?.id)).body).toEqual(unknown);
    expect(await annals.head()).toBe(head);

    const [own] = await keysOf(phone);
    expect((await end(phone, own?.id)).body).toMatchObject({ result: 'success' });
    expect((await phone.get('/users/me')).status).toBe(401);
  });

  it('ends keys of people that nobody has used for the configured days', async () => {
    const email = await person('tess');
    const phone = await logIn(email, 'ZulipMobile');
    const { body: bot } = await phone.post('/bots', { full_name: 'robot', short_name: 'robot' });
    const robot = annals.api.as({ email: 'robot-bot@127.0.0.1', apiKey: bot.api_key });
    for (const api of [phone, robot]) expect((await api.get('/users/me')).status).toBe(200);
    const sweepIn = (days: number) => annals.app.get(ApiKeySweeper).sweep(Date.now() + days * DAY_MS);
    await sweepIn(364);
    expect((await phone.get('/users/me')).status).toBe(200);
    await phone.post('/users/me/android_gcm_reg_id', { token: 'phone' });
    await sweepIn(366);
    expect((await annals.events()).at(-1)).toMatchObject({ type: 'PushTokenRemoved', data: { because: 'key ended' } });
    expect((await phone.get('/users/me')).body).toMatchObject({ code: 'INVALID_API_KEY' });
    expect((await robot.get('/users/me')).status).toBe(200);
    const again = await logIn(email, 'ZulipMobile');
    expect(await keysOf(again)).toMatchObject([{ is_current: true }]);
  });
});
