import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WaitingPolls } from '../../../src/features/event-queues/services/waiting-polls.js';
import { eventually } from '../../support/eventually.js';
import type { Answer } from '../../support/requests/http.js';
import { inOneMinute } from '../../support/requests/in-one-minute.js';
import { ask, fileOf } from '../../support/requests/uploads.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const PASSWORD = 'lenses and mirrors';
const ELSEWHERE = 'https://elsewhere.example.org';
/** What a browser says of a request of the server's own page. */
const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' };
const COOKIE = /^annals_session=(\w{32}); Path=\/; HttpOnly; SameSite=Strict; Max-Age=(\d+)(; Secure)?$/;
const FORGOTTEN = ['annals_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0'];

const NOT_LOGGED_IN = {
  result: 'error',
  code: 'UNAUTHORIZED',
  msg: 'Not logged in: API authentication or user session required',
};
const ENDED = { result: 'error', code: 'UNAUTHORIZED', msg: 'Not logged in: this session has ended' };

const cookiesOf = ({ headers }: Pick<Answer, 'headers'>): unknown => headers['set-cookie'];

interface Person {
  readonly id: number;
  readonly email: string;
  /** That a browser sends. */
  readonly cookie: string;
  readonly key: string;
}

describe('a session of a page', () => {
  let annals: Annals;
  let owner: Member;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
  });
  afterAll(() => annals.stop());

  const logIn = (email: string, password = PASSWORD, headers: Readonly<Record<string, string>> = OWN_PAGE) =>
    annals.api.post('/session', { username: email, password }, { headers });

  async function account(): Promise<{ id: number; email: string }> {
    const email = `person${++made}@example.org`;
    const { body } = await owner.api.post('/users', { email, password: PASSWORD, full_name: `Person ${made}` });
    return { id: body.user_id, email };
  }

  async function person(): Promise<Person> {
    const one = await account();
    const [, key = ''] = COOKIE.exec(String(cookiesOf(await logIn(one.email)))) ?? [];
    return { ...one, cookie: `annals_session=${key}`, key };
  }

  const get = (
    path: string,
    { cookie }: Pick<Person, 'cookie'>,
    headers: Readonly<Record<string, string>> = OWN_PAGE,
  ) => annals.api.get(path, {}, { headers: { ...headers, Cookie: cookie } });
  const apiOf = async ({ email }: Person) => {
    const { body } = await annals.api.post('/fetch_api_key', { username: email, password: PASSWORD });
    return annals.api.as({ email, apiKey: body.api_key });
  };

  it('is a login of its own, whose key is in a cookie, and in no answer or event', async () => {
    const { id, email } = await account();
    const head = await annals.head();
    const answer = await logIn(email, PASSWORD, { ...OWN_PAGE, 'User-Agent': 'Annals/1.0' });
    expect(answer.body).toEqual({ result: 'success', msg: '', user_id: id, email });
    const [, key = '', age, secure] = COOKIE.exec(String(cookiesOf(answer))) ?? [];
    expect([key.length, age, secure]).toEqual([32, String(365 * 86_400), undefined]);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    const events = await annals.events(undefined, head);
    expect(events.map(({ type }) => type)).toEqual(['ApiKeyIssued']);
    expect(JSON.stringify(events)).not.toContain(key);

    const cookie = `annals_session=${key}`;
    const { body } = await get('/users/me/api_keys', { cookie });
    expect(body.api_keys).toMatchObject([{ client: 'Annals', is_current: true }]);
    expect((await get('/users/me', { cookie })).body).toMatchObject({ user_id: id });
    await annals.restart();
    expect((await get('/users/me', { cookie })).status).toBe(200);
  });

  it('has the page’s name among the keys, and with what it does, in a browser', async () => {
    const { email } = await account();
    const browser = { ...OWN_PAGE, 'User-Agent': 'Mozilla/5.0 (X11) Firefox/140.0' };
    const [, key = ''] = COOKIE.exec(String(cookiesOf(await logIn(email, PASSWORD, browser)))) ?? [];
    const headers = { ...browser, Cookie: `annals_session=${key}` };
    const { body } = await annals.api.get('/users/me/api_keys', {}, { headers });
    expect(body.api_keys).toMatchObject([{ client: 'Annals page', is_current: true }]);
    const head = await annals.head();
    await annals.api.post('/saved_snippets', { title: 'a', content: 'b' }, { headers });
    await annals.api.delete('/session', {}, { headers });
    expect((await annals.events(undefined, head)).map(({ type, metadata }) => [type, metadata.client])).toEqual([
      ['SavedSnippetCreated', 'Annals page'],
      ['ApiKeysEnded', 'Annals page'],
    ]);
  });

  it('is refused as an API key is: wrong passwords, bots, deactivated accounts, too many failures', () =>
    inOneMinute(async () => {
      const { id, email } = await account();
      const refused = await logIn(email, 'wrong');
      expect([refused.status, refused.body.code, cookiesOf(refused)]).toEqual([
        401,
        'AUTHENTICATION_FAILED',
        undefined,
      ]);
      const bot = { full_name: `robot${made}`, short_name: `robot${made}` };
      expect((await owner.api.post('/bots', bot)).status).toBe(200);
      expect((await logIn(`robot${made}-bot@127.0.0.1`)).body.code).toBe('AUTHENTICATION_FAILED');
      await owner.api.delete(`/users/${id}`);
      expect((await logIn(email)).body.code).toBe('USER_DEACTIVATED');
      for (let n = 0; n < 8; n += 1) await logIn(email, 'wrong');
      expect((await logIn(email)).body.code).toBe('RATE_LIMIT_HIT');
      expect((await annals.api.post('/fetch_api_key', { username: email, password: PASSWORD })).status).toBe(429);
    }));

  it('reads, changes, uploads and gets files and pictures', async () => {
    const { cookie, id } = await person();
    const headers = { ...OWN_PAGE, Cookie: cookie };
    const { body } = await annals.api.post('/saved_snippets', { title: 'a', content: 'b' }, { headers });
    expect(body).toMatchObject({ result: 'success' });
    const form = new FormData();
    form.append('file', fileOf('words', 'notes.txt', 'text/plain'));
    const up = await ask(annals.url, '/api/v1/user_uploads', null, { method: 'POST', body: form, headers });
    expect(up.status).toBe(200);
    const picture = { ...headers, 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' };
    const file = await ask(annals.url, up.body.url, null, { headers: picture });
    expect([file.status, file.bytes.toString()]).toEqual([200, 'words']);
    const without = await ask(annals.url, up.body.url, null, { headers: { ...picture, Cookie: '' } });
    expect([without.status, without.headers.get('www-authenticate')]).toEqual([401, null]);
    expect((await ask(annals.url, `/avatar/${id}`, null, { headers: picture })).status).toBe(302);
  });

  it('outlives a change of the address, with a poll that waits', async () => {
    const one = await person();
    const headers = { ...OWN_PAGE, Cookie: one.cookie };
    const { body } = await annals.api.post('/register', { event_types: ['saved_snippets'] }, { headers });
    const poll = annals.api.get('/events', { queue_id: body.queue_id, last_event_id: -1 }, { headers });
    await eventually(() => expect(annals.app.get(WaitingPolls).size).toBe(1));
    const renamed = { full_name: 'Somebody else' };
    expect((await owner.api.patch(`/users/${one.id}`, renamed)).status).toBe(200);
    await annals.api.post('/saved_snippets', { title: 'a', content: 'b' }, { headers });
    expect((await poll).body.events).toMatchObject([{ type: 'saved_snippets' }]);
  });

  it.each<[string, (one: Person) => Promise<unknown>]>([
    [
      'its key ends',
      async (one) => {
        const { api_keys } = (await get('/users/me/api_keys', one)).body;
        return (await apiOf(one)).delete(`/users/me/api_keys/${api_keys[0].id}`);
      },
    ],
    ['all keys are replaced', async (one) => (await apiOf(one)).post('/users/me/api_key/regenerate')],
    [
      'the password changes',
      async (one) => (await apiOf(one)).patch('/settings', { old_password: PASSWORD, new_password: 'another secret' }),
    ],
    ['the account is deactivated', (one) => owner.api.delete(`/users/${one.id}`)],
    ['it logs out', (one) => annals.api.delete('/session', {}, { headers: { ...OWN_PAGE, Cookie: one.cookie } })],
  ])('ends when %s, a waiting poll too, and the cookie is removed', async (_, end) => {
    const one = await person();
    const headers = { ...OWN_PAGE, Cookie: one.cookie };
    const { body } = await annals.api.post('/register', { event_types: ['message'] }, { headers });
    const poll = annals.api.get('/events', { queue_id: body.queue_id, last_event_id: -1 }, { headers });
    await eventually(() => expect(annals.app.get(WaitingPolls).size).toBe(1));
    expect(await end(one)).toMatchObject({ status: 200 });
    // So does the heartbeat, after 45 s at the earliest.
    annals.app.get(WaitingPolls).release(body.queue_id);
    for (const answer of [await poll, await get('/users/me', one)]) {
      expect([answer.status, answer.body]).toEqual([401, ENDED]);
      expect(cookiesOf(answer)).toEqual(FORGOTTEN);
      expect(answer.headers['www-authenticate']).toBeUndefined();
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('ends once, and to end it again changes nothing', async () => {
    const one = await person();
    const head = await annals.head();
    const end = (cookie: string) => annals.api.delete('/session', {}, { headers: { ...OWN_PAGE, Cookie: cookie } });
    const answers = await Promise.all([end(one.cookie), end(one.cookie), end(one.cookie), end(''), end('a=b')]);
    for (const answer of answers) {
      expect([answer.status, answer.body]).toEqual([200, { result: 'success', msg: '' }]);
      expect(cookiesOf(answer)).toEqual(FORGOTTEN);
    }
    expect((await annals.events(undefined, head)).map(({ type, metadata }) => [type, metadata.actorId])).toEqual([
      ['ApiKeysEnded', one.id],
    ]);
  });

  it.each([
    ['a script of another site', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors', Origin: ELSEWHERE }],
    ['a script of a neighbouring site', { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'cors', Origin: ELSEWHERE }],
    ['a script that only Origin names', { Origin: ELSEWHERE, Accept: '*/*' }],
    ['a page that hides its origin', { Origin: 'null', Accept: '*/*' }],
  ])('does not count for %s, which neither begins nor ends one', async (_, from) => {
    const one = await person();
    const headers = { ...from, Cookie: one.cookie };
    const snippet = { title: 'a', content: 'b' };
    const [head, read, sent, begun, ended] = [
      await annals.head(),
      await annals.api.get('/users/me', {}, { headers }),
      await annals.api.post('/saved_snippets', snippet, { headers }),
      await logIn(one.email, PASSWORD, from),
      await annals.api.delete('/session', {}, { headers }),
    ];
    for (const answer of [read, sent]) expect([answer.status, answer.body]).toEqual([401, NOT_LOGGED_IN]);
    for (const answer of [begun, ended]) expect([answer.status, answer.body.code]).toEqual([403, 'CROSS_SITE']);
    for (const answer of [read, sent, begun, ended]) expect(cookiesOf(answer)).toBeUndefined();
    for (const answer of [read, sent, ended]) expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(await annals.head()).toBe(head);
    expect((await get('/users/me', one)).status).toBe(200);
  });

  it.each([
    ['a form', 'post', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', Origin: ELSEWHERE }, 403],
    ['a neighbouring form', 'post', { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'navigate' }, 403],
    ['a form that only Origin names', 'post', { Origin: ELSEWHERE, Accept: 'text/html' }, 403],
    ['a link', 'get', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' }, 401],
    ['a picture', 'get', { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'no-cors' }, 401],
  ] as const)('does not count for %s of another site', async (_, method, from, status) => {
    const { cookie } = await person();
    const headers = { ...from, Cookie: cookie };
    expect((await annals.api[method]('/saved_snippets', { title: 'a', content: 'b' }, { headers })).status).toBe(
      status,
    );
  });

  it.each<[string, (one: Person) => string]>([
    ['named twice', ({ cookie }) => `${cookie}; ${cookie}`],
    ['named twice, once empty', ({ cookie }) => `annals_session=;${cookie}`],
    ['too short', () => 'annals_session=abc'],
    ['quoted', ({ key }) => `annals_session="${key}"`],
    ['of another name', ({ key }) => `other_annals_session=${key}`],
    ['huge', () => `annals_session=${'x'.repeat(12_000)}`],
    ['of many parts', () => '; annals_session'.repeat(700)],
    ['malformed', () => ';;=;annals_session;%%%'],
  ])('is as absent with a cookie that is %s', async (_, cookie) => {
    const answer = await get('/users/me', { cookie: cookie(await person()) });
    expect([answer.status, answer.body, cookiesOf(answer)]).toEqual([401, NOT_LOGGED_IN, undefined]);
  });

  it('is found among other cookies, and gives way to credentials in the header', async () => {
    const one = await person();
    for (const cookie of [`a=b; ${one.cookie}; c=d`, `a=b;${one.cookie}`])
      expect((await get('/users/me', { cookie })).body.user_id).toBe(one.id);
    const headers = { ...OWN_PAGE, Cookie: one.cookie };
    expect((await owner.api.get('/users/me', {}, { headers })).body.user_id).toBe(owner.id);
    const wrong = annals.api.as({ email: one.email, apiKey: 'x'.repeat(32) });
    const refused = await wrong.get('/users/me', {}, { headers });
    expect([refused.body.code, cookiesOf(refused)]).toEqual(['INVALID_API_KEY', undefined]);
  });

  it('does not lock an account out when many requests come with a dead one', async () => {
    const one = await person();
    const api = await apiOf(one);
    await api.post('/users/me/api_key/regenerate');
    for (let n = 0; n < 120; n += 1) expect((await get('/users/me', one)).status).toBe(401);
    const { body } = await annals.api.post('/fetch_api_key', { username: one.email, password: PASSWORD });
    expect(body).toMatchObject({ result: 'success' });
  });
});

describe('a session of a page behind https', () => {
  let annals: Annals;
  let owner: Member;
  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_SITE: 'https://chat.example.com', ANNALS_API_KEY_IDLE_DAYS: '7' });
    owner = await annals.owner();
    await owner.api.post('/users', { email: 'iris@example.org', password: PASSWORD, full_name: 'Iris' });
  });
  afterAll(() => annals.stop());

  it('is sent over https alone, lives as long as an unused key, and counts for pages of the public address', async () => {
    const headers = { Origin: 'https://chat.example.com' };
    const params = { username: 'iris@example.org', password: PASSWORD };
    const answer = await annals.api.post('/session', params, { headers });
    const [, key, age, secure] = COOKIE.exec(String(cookiesOf(answer))) ?? [];
    expect([age, secure]).toEqual([String(7 * 86_400), '; Secure']);
    const asked = (more: Readonly<Record<string, string>>) =>
      annals.api.get('/users/me', {}, { headers: { ...more, Cookie: `annals_session=${key}` } });
    expect((await asked(headers)).status).toBe(200);
    expect((await asked({ Origin: 'http://chat.example.com' })).status).toBe(401);
  });
});
