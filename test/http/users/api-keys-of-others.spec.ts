import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../../support/requests/http.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const VICTIM = { email: 'iris@example.org', password: 'lenses and mirrors', full_name: 'Iris' };

interface ListedKey {
  readonly id: string;
  readonly client: string;
  readonly is_current: boolean;
}

describe('API keys of somebody else', () => {
  let annals: Annals;
  let owner: Member;
  let id = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    id = (await owner.api.post('/users', VICTIM)).body.user_id;
  });
  afterAll(() => annals.stop());

  async function logIn(client: string): Promise<Client> {
    const { email, password } = VICTIM;
    const headers = { 'user-agent': `${client}/1.0` };
    const { body } = await annals.api.post('/fetch_api_key', { username: email, password }, { headers });
    return annals.api.as({ email, apiKey: body.api_key });
  }

  const listed = (by: Client, of = id) => by.get(`/users/${of}/api_keys`);

  it('are listed and ended by administrators, one by one', async () => {
    const phone = await logIn('ZulipMobile');
    const desk = await logIn('ZulipElectron');
    const admin = await annals.user('admin', 200);
    const { api_keys: keys } = (await listed(admin.api)).body;
    expect(keys.map(({ client, is_current }: ListedKey) => [client, is_current])).toEqual([
      ['ZulipMobile', false],
      ['ZulipElectron', false],
    ]);
    const path = `/users/${id}/api_keys/${keys[0].id}`;
    expect((await admin.api.delete(path)).body).toEqual({ result: 'success', msg: '' });
    expect((await phone.get('/users/me')).status).toBe(401);
    expect((await desk.get('/users/me')).status).toBe(200);
    await expectRefusal(annals, () => admin.api.delete(path), 'No such API key');
  });

  it.each([
    ['of a member by another', 400, 'victim', 'Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL'],
    ['of an owner by an administrator', 200, 'owner', 'Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL'],
    ['of nobody', 200, 'nobody', 'No such user', 'BAD_REQUEST'],
  ] as const)('are neither shown nor ended: %s', async (title, role, whose, msg, code) => {
    const caller = await annals.user(title.replaceAll(' ', '-'), role);
    const of = { victim: id, owner: owner.id, nobody: 4_000_000 }[whose];
    const [key] = (await owner.api.get('/users/me/api_keys')).body.api_keys;
    await expectRefusal(annals, () => listed(caller.api, of), { msg, code });
    await expectRefusal(annals, () => caller.api.delete(`/users/${of}/api_keys/${key?.id}`), { msg, code });
  });
});
