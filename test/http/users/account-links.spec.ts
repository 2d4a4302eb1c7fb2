import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { MailServer } from '../../support/outside/mail-server.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const PASSWORD = 'lenses and mirrors';

describe('links that change an account', () => {
  let annals: Annals;
  let mails: MailServer;
  let owner: Member;
  /** The person of a test. */
  let email = '';
  let id = 0;
  let apiKey = '';
  let made = 0;

  beforeAll(async () => {
    mails = await MailServer.start();
    annals = await Annals.start({ ANNALS_SMTP_URL: mails.url, ANNALS_TRUSTED_PROXIES: 'loopback' });
    owner = await annals.owner();
  });
  afterAll(async () => {
    await mails.stop();
    await annals.stop();
  });

  beforeEach(async () => {
    email = `person${++made}@example.org`;
    const { body } = await owner.api.post('/users', { email, password: PASSWORD, full_name: `Person ${made}` });
    id = body.user_id;
    apiKey = (await logIn(email)).body.api_key;
  });

  const api = () => annals.api.as({ email, apiKey });
  const logIn = (username: string, password = PASSWORD) => annals.api.post('/fetch_api_key', { username, password });

  /** Opens a page as a browser does, or sends its form. */
  async function browse(
    url: string,
    fields?: Readonly<Record<string, string>>,
    origin: readonly [string, string] = ['Sec-Fetch-Site', 'same-origin'],
  ) {
    const form = fields && { method: 'POST', body: new URLSearchParams(fields) };
    // Each test comes from an address of its own.
    const headers = Object.fromEntries([origin, ['X-Forwarded-For', `10.0.0.${made}`]]);
    const response = await fetch(url, { ...form, headers, redirect: 'manual' });
    return { status: response.status, headers: response.headers, html: await response.text() };
  }

  /** The link in the newest mail to an address, once there are so many. */
  const linkTo = async (address: string, atLeast = 1): Promise<string> => {
    const [link = ''] = (await mails.mailTo(address, atLeast)).links;
    return link;
  };
  const askForReset = (address: string) => browse(`${annals.url}/accounts/password/reset/`, { email: address });

  describe('a new address', () => {
    const change = (to: string) => api().patch('/settings', { email: to });

    it('is the account’s once its link is confirmed, and the old address is told', async () => {
      const to = `new-${email}`;
      const queue = await EventQueue.register(owner.api, { event_types: ['realm_user'] });
      const head = await annals.head();
      expect((await change(to)).body).toEqual({ result: 'success', msg: '' });
      expect((await api().get('/users/me')).body.delivery_email).toBe(email);
      const link = await linkTo(to);
      expect(link).toMatch(new RegExp(`^${annals.url}/accounts/confirm_new_email/[a-z2-7]{24}$`));

      const shown = await browse(link);
      expect(shown.status).toBe(200);
      expect(shown.html).toContain(to);
      expect((await api().get('/users/me')).body.delivery_email).toBe(email);
      expect((await browse(link, {})).status).toBe(200);
      expect((await logIn(to)).status).toBe(200);
      expect((await logIn(email)).status).toBe(401);
      const [told] = await queue.drain();
      expect(told).toMatchObject({ op: 'update', person: { user_id: id, delivery_email: to } });
      expect((await mails.mailTo(email, 2)).text).toContain(`is ${to} now`);

      for (const fields of [undefined, {}]) expect((await browse(link, fields)).status).toBe(404);
      const stored = JSON.stringify(await annals.events('users', head));
      expect(stored).not.toContain(link.split('/').at(-1));
      expect(stored).toContain('"address":null');
    });

    it('is told to the present address at once, with a link that ends the request', async () => {
      const to = `new-${email}`;
      await change(to);
      const confirm = await linkTo(to);
      const told = await mails.mailTo(email);
      expect(told.text).toContain(`asked to change it to ${to}`);
      const [veto = ''] = told.links;
      expect(veto).toMatch(new RegExp(`^${annals.url}/accounts/stop_new_email/[a-z2-7]{24}$`));
      for (const [one, path] of [
        [veto, 'confirm_new_email'],
        [confirm, 'stop_new_email'],
      ] as const)
        expect((await browse(`${annals.url}/accounts/${path}/${one.split('/').at(-1)}`, {})).status).toBe(404);

      const shown = await browse(veto);
      expect([shown.status, shown.html.includes(to), shown.html.includes('<form')]).toEqual([200, true, true]);
      const head = await annals.head();
      expect((await browse(veto, {})).status).toBe(200);
      const [ended, ...others] = await annals.events('users', head);
      expect([ended?.data, others]).toMatchObject([{ userId: id, reason: 'vetoed' }, []]);
      expect(ended?.metadata.actorId).toBe(id);
      for (const link of [veto, confirm])
        for (const fields of [undefined, {}]) expect((await browse(link, fields)).status).toBe(404);
      expect((await api().get('/users/me')).body.delivery_email).toBe(email);
      expect(JSON.stringify(await annals.events('users'))).not.toContain(to);
    });

    it('asks for the right password if one is sent', async () => {
      const to = `new-${email}`;
      const ask = (old_password: string) => api().patch('/settings', { email: to, old_password });
      await expectRefusal(annals, () => ask('a guess'), 'Wrong password!');
      expect((await ask(PASSWORD)).body).toEqual({ result: 'success', msg: '' });
      // Guesses of another minute count anew.
      await eventually(async () => {
        const guesses = await Promise.all(Array.from({ length: 12 }, () => ask('a guess')));
        expect(guesses.map(({ status }) => status)).toContain(429);
      });
    });

    it('is not given any more once the password or the keys have changed', async () => {
      const ways: readonly (() => Promise<{ readonly status: number }>)[] = [
        () => api().patch('/settings', { old_password: PASSWORD, new_password: 'a better one' }),
        async () => {
          const answer = await api().post('/users/me/api_key/regenerate');
          apiKey = answer.body.api_key;
          return answer;
        },
      ];
      for (const [n, end] of ways.entries()) {
        await change(`new${n}-${email}`);
        const link = await linkTo(`new${n}-${email}`);
        expect((await browse(link)).status).toBe(200);
        expect((await end()).status).toBe(200);
        for (const fields of [undefined, {}]) expect((await browse(link, fields)).status).toBe(404);
      }
    });

    it('replaces an earlier request, and is given to one of two at once', async () => {
      const other = (await owner.api.post('/users', { email: `other-${email}`, password: PASSWORD, full_name: 'O' }))
        .body;
      expect(other.result).toBe('success');
      await change(`first-${email}`);
      // A mail whose link was replaced before it leaves is not sent.
      const first = await linkTo(`first-${email}`);
      await change(`second-${email}`);
      const second = await linkTo(`second-${email}`);
      expect((await browse(first, {})).status).toBe(404);
      const answers = await Promise.all([1, 2, 3].map(() => browse(second, {})));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    });

    it.each([
      ['nobody@', "Invalid email address 'nobody@'"],
      ['desdemona', "Invalid email address 'desdemona'"],
    ])('refuses %s', async (to, msg) => {
      await expectRefusal(annals, () => change(to), msg);
    });

    it('refuses an address that is taken, also if it is taken meanwhile', async () => {
      const taken = `taken-${email}`;
      expect((await change(owner.email)).body.msg).toBe(`Email '${owner.email}' already in use`);
      await change(taken);
      const link = await linkTo(taken);
      await owner.api.post('/users', { email: taken, password: PASSWORD, full_name: 'Quick' });
      const answer = await browse(link, {});
      expect(answer.status).toBe(400);
      expect(answer.html).toContain('already in use');
      expect((await api().get('/users/me')).body.delivery_email).toBe(email);
    });

    it('is refused together with everything else in the request', async () => {
      const { body } = await api().patch('/settings', { email: owner.email, full_name: 'Other', enter_sends: false });
      expect(body).toMatchObject({ result: 'error' });
      expect((await api().get('/users/me')).body.full_name).toBe(`Person ${made}`);
    });

    it('is refused if the organization disables it, except for administrators, and after two in an hour', async () => {
      await owner.api.patch('/realm', { email_changes_disabled: true });
      expect((await change(`new-${email}`)).body.msg).toBe('Email address changes are disabled in this organization.');
      await owner.api.patch('/realm', { email_changes_disabled: false });
      expect((await change(email)).body).toEqual({ result: 'success', msg: '' });
      for (const n of [1, 2]) expect((await change(`new${n}-${email}`)).status).toBe(200);
      const { status, body } = await change(`new3-${email}`);
      expect([status, body.code]).toEqual([429, 'RATE_LIMIT_HIT']);
      expect(body['retry-after']).toBeGreaterThan(3500);
    });
  });

  describe('a new password', () => {
    it('is chosen by a link, which ends every login and itself', async () => {
      const page = await askForReset(email);
      expect(page.status).toBe(200);
      const link = await linkTo(email);
      expect(link).toMatch(new RegExp(`^${annals.url}/accounts/password/reset/[a-z2-7]{24}/$`));
      expect((await browse(link)).html).toContain('autocomplete="new-password"');
      const short = await browse(link, { new_password: 'short' });
      expect([short.status, short.html.includes('role="alert"')]).toEqual([400, true]);
      expect((await browse(link, { new_password: 'a better one' })).status).toBe(200);
      expect((await api().get('/users/me')).body.code).toBe('INVALID_API_KEY');
      expect((await logIn(email)).status).toBe(401);
      expect((await logIn(email, 'a better one')).status).toBe(200);
      for (const fields of [undefined, { new_password: 'yet another' }])
        expect((await browse(link, fields)).status).toBe(404);
    });

    it('is answered alike for unknown addresses, bots and deactivated accounts, which get no mail', async () => {
      const gone = `gone-${email}`;
      const { body } = await owner.api.post('/users', { email: gone, password: PASSWORD, full_name: 'Gone' });
      await owner.api.delete(`/users/${body.user_id}`);
      const { body: bot } = await api().post('/bots', { full_name: `bot ${made}`, short_name: `bot${made}` });
      expect(bot.result).toBe('success');
      const known = await askForReset(email);
      for (const address of [gone, 'nobody@example.org', `bot${made}-bot@127.0.0.1`, '', 'x'.repeat(10_000)]) {
        const answer = await askForReset(address);
        expect([answer.status, answer.html]).toEqual([known.status, known.html]);
      }
      await mails.mailTo(email);
      expect(mails.mails.filter(({ to }) => to !== email && to.endsWith(email))).toEqual([]);
    });

    it('is not possible any more after a login, or a newer link', async () => {
      await askForReset(email);
      const first = await linkTo(email);
      await askForReset(email);
      const second = await linkTo(email, 2);
      expect((await browse(first)).status).toBe(404);
      expect((await browse(second)).status).toBe(200);
      await logIn(email);
      expect((await browse(second, { new_password: 'lenses and prisms' })).status).toBe(404);
      // A login does not wait for the page's documents.
      await eventually(async () => expect((await browse(second)).status).toBe(404));
    });

    it('is mailed twice an hour at most', async () => {
      for (let n = 0; n < 4; n++) {
        expect((await askForReset(email)).status).toBe(200);
        await mails.mailTo(email, Math.min(n + 1, 2));
      }
      const head = await annals.head();
      await askForReset(email);
      expect(await annals.head()).toBe(head);
      expect(mails.mails.filter(({ to }) => to === email)).toHaveLength(2);
    });

    it('survives a restart and lost documents; no mail comes twice', async () => {
      await askForReset(email);
      const link = await linkTo(email);
      await annals.restart(() => annals.removeDocuments());
      const path = new URL(link).pathname;
      expect((await browse(`${annals.url}${path}`)).status).toBe(200);
      expect((await browse(`${annals.url}${path}`, { new_password: 'a better one' })).status).toBe(200);
      expect(mails.mails.filter(({ to }) => to === email)).toHaveLength(1);
    });
  });

  it('are pages in every case, without scripts, frames and third parties', async () => {
    const reset = `${annals.url}/accounts/password/reset/`;
    for (const [url, status] of [
      [reset, 200],
      [`${reset}aaaaaaaaaaaaaaaaaaaaaaaa/`, 404],
      [`${reset}short/`, 404],
      [`${annals.url}/accounts/nothing`, 404],
    ] as const) {
      const answer = await browse(url);
      expect([url, answer.status]).toEqual([url, status]);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
      expect(answer.headers.get('referrer-policy')).toBe('same-origin');
      expect(answer.html).toMatch(/^<!doctype html>\n<html lang="en">/);
      expect(answer.html).not.toMatch(/<script|https?:/);
    }
  });

  it('take no form from another site', async () => {
    const url = `${annals.url}/accounts/password/reset/`;
    const head = await annals.head();
    for (const origin of [
      ['Sec-Fetch-Site', 'cross-site'],
      ['Sec-Fetch-Site', 'same-site'],
      ['Origin', 'https://evil.example'],
      ['Origin', 'null'],
    ] as const)
      expect((await browse(url, { email }, origin)).status).toBe(403);
    expect(await annals.head()).toBe(head);
    expect((await browse(url, { email }, ['Origin', annals.url])).status).toBe(200);
  });

  it('cannot be guessed for long', async () => {
    const guess = () => browse(`${annals.url}/accounts/password/reset/aaaaaaaaaaaaaaaaaaaaaaaa/`);
    // Guesses of another minute count anew.
    await eventually(async () => {
      const pages = await Promise.all(Array.from({ length: 110 }, guess));
      expect(pages.map(({ status }) => status)).toContain(429);
    });
    const { html, headers } = await guess();
    expect(headers.get('retry-after')).not.toBeNull();
    expect(html).toMatch(/^<!doctype html>/);
  });
});
