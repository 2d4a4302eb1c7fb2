import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_PASSWORD, MIN_PASSWORD } from '../../../src/events/users/users.settings.js';
import { hashPassword } from '../../../src/features/users/commands/passwords.js';
import { MailServer } from '../../support/outside/mail-server.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import { sendForm } from '../../support/requests/pages.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const LONGEST = 'x'.repeat(MAX_PASSWORD);

describe.each([
  ['unless set otherwise', MIN_PASSWORD, {}],
  ['with ANNALS_PASSWORD_MIN_LENGTH', 12, { ANNALS_PASSWORD_MIN_LENGTH: '12' }],
])('a password, wherever it is set, %s,', (_setting, least, settings) => {
  /** Characters outside the Basic Multilingual Plane count once. */
  const SHORTEST = '🔑'.repeat(least);
  const BAD = [
    ['', 'short'],
    ['🔑'.repeat(least - 1), 'short'],
    ['x'.repeat(MAX_PASSWORD + 1), 'long'],
  ] as const;
  let mail: MailServer;
  let annals: Annals;
  let owner: Member;
  let made = 0;

  beforeAll(async () => {
    mail = await MailServer.start();
    const mails = { ANNALS_SMTP_URL: mail.url, ANNALS_INVITATION_PAUSE_SECONDS: '0' };
    annals = await Annals.start({ ...mails, ...settings });
    owner = await annals.owner();
  });
  afterAll(async () => {
    await annals?.stop();
    await mail.stop();
  });

  const newAddress = (): string => `made${++made}@example.org`;
  const create = (password: string, account: object = {}) =>
    owner.api.post('/users', { email: newAddress(), full_name: `Made ${made}`, password, ...account });
  const logIn = (email: string, password: string) => annals.api.post('/fetch_api_key', { username: email, password });
  const invited = async () => {
    const email = newAddress();
    await owner.api.post('/invites', { invitee_emails: email, stream_ids: [] });
    const { links } = await mail.mailTo(email);
    return { email, key: links[0]?.match(/[a-z2-7]{24}/)?.[0] ?? '' };
  };
  const register = (key: string, form: Record<string, string>) =>
    sendForm(`${annals.url}/accounts/register/`, { key, full_name: `Joiner ${made}`, ...form });

  it('has the limits that register names', async () => {
    const { state } = await EventQueue.register(owner.api, { fetch_event_types: ['realm'] });
    expect(state).toMatchObject({ password_min_length: least, password_max_length: MAX_PASSWORD });
  });

  it('is refused by POST /users if an administrator sends a bad one', async () => {
    const head = await annals.head();
    for (const [password, fault] of BAD) {
      const { status, body } = await create(password);
      const msg =
        fault === 'short'
          ? 'The password is too weak.'
          : `The password is too long (limit: ${MAX_PASSWORD} characters).`;
      expect([status, body]).toEqual([400, { result: 'error', code: 'BAD_REQUEST', msg }]);
    }
    expect(await annals.head()).toBe(head);
    for (const password of [SHORTEST, LONGEST]) {
      expect((await create(password)).status).toBe(200);
      expect((await logIn(`made${made}@example.org`, password)).status).toBe(200);
    }
  });

  it('is refused by PATCH /settings, where an empty one counts as none', async () => {
    await create(SHORTEST);
    const email = `made${made}@example.org`;
    const { body } = await logIn(email, SHORTEST);
    const api = annals.api.as({ email, apiKey: body.api_key });
    const head = await annals.head();
    for (const [password, fault] of BAD.slice(1)) {
      const answer = await api.patch('/settings', { old_password: SHORTEST, new_password: password });
      const msg = fault === 'short' ? 'New password is too weak!' : expect.stringContaining('too long');
      expect([answer.status, answer.body.msg]).toEqual([400, msg]);
    }
    expect((await api.patch('/settings', { old_password: SHORTEST, new_password: '' })).status).toBe(200);
    expect(await annals.head()).toBe(head);
    expect((await api.patch('/settings', { old_password: SHORTEST, new_password: LONGEST })).status).toBe(200);
    expect((await logIn(email, LONGEST)).status).toBe(200);
  });

  it('is refused by the page of an invitation', async () => {
    const { email, key } = await invited();
    const head = await annals.head();
    for (const [password, fault] of BAD) {
      const { status, html } = await register(key, { password });
      expect([status, html.includes(`The password is too ${fault}`)]).toEqual([400, true]);
      expect(html).toContain(`minlength="${least}"`);
      expect(html).toContain(`At least ${least} characters.`);
    }
    expect(await annals.head()).toBe(head);
    expect((await register(key, { password: SHORTEST })).status).toBe(200);
    expect((await logIn(email, SHORTEST)).status).toBe(200);
  });

  it('is refused by the page of a reset', async () => {
    await create(SHORTEST);
    const email = `made${made}@example.org`;
    await sendForm(`${annals.url}/accounts/password/reset/`, { email });
    const { links } = await mail.mailTo(email);
    const head = await annals.head();
    for (const [password] of BAD) {
      const { status, html } = await sendForm(links[0] ?? '', { new_password: password });
      expect([status, html.includes(`A password has ${least} to ${MAX_PASSWORD} characters.`)]).toEqual([400, true]);
      expect(html).toContain(`minlength="${least}"`);
      expect(html).toContain(`${least} characters or more`);
    }
    expect(await annals.head()).toBe(head);
    expect((await sendForm(links[0] ?? '', { new_password: LONGEST })).status).toBe(200);
    expect((await logIn(email, LONGEST)).status).toBe(200);
  });

  describe('is hashed only if nothing else is refused:', () => {
    const TIMES = 20;

    /** The least processor time that it took, of the whole process, threads that hash included: others may be busy, too. */
    const costOf = async (work: () => Promise<unknown>): Promise<number> => {
      let least = Number.POSITIVE_INFINITY;
      for (let time = 0; time < TIMES; time++) {
        const begun = process.cpuUsage();
        await work();
        const { user, system } = process.cpuUsage(begun);
        least = Math.min(least, user + system);
      }
      return least;
    };
    const expectCheap = async (ask: () => Promise<{ readonly status: number }>): Promise<void> => {
      await ask();
      const hashing = await costOf(() => hashPassword(LONGEST));
      const refusing = await costOf(async () => expect((await ask()).status).toBe(400));
      expect(refusing).toBeLessThan(hashing / 2);
    };

    it.each([
      ['an empty name', { full_name: ' ' }, 'Enter your name'],
      ['a name with forbidden characters', { full_name: 'a@b' }, 'characters that are not allowed'],
      ['a name that is too long', { full_name: 'x'.repeat(101) }, 'The name is too long'],
    ])('not for %s of somebody who joins', async (_, form, words) => {
      const { key } = await invited();
      expect((await register(key, { password: '', ...form })).html).toContain(words);
      await expectCheap(() => register(key, { password: LONGEST, ...form }));
    });

    it('not for a taken name of somebody who joins', async () => {
      await owner.api.patch('/realm', { require_unique_names: true });
      const { key } = await invited();
      await expectCheap(() => register(key, { password: LONGEST, full_name: 'OWNER' }));
      await owner.api.patch('/realm', { require_unique_names: false });
    });

    it.each([
      ['an empty name', { full_name: '' }, 'full_name cannot be blank'],
      ['an address with an account', { email: 'owner@example.com' }, expect.stringContaining('owner@example.com')],
      ['what is no address', { email: 'nobody' }, expect.any(String)],
    ])('not for %s in POST /users', async (_, account, msg) => {
      expect((await create('', account)).body.msg).toEqual(msg);
      await expectCheap(() => create(LONGEST, account));
    });

    it('not for a name that PATCH /settings refuses', async () => {
      await create(SHORTEST);
      const email = `made${made}@example.org`;
      const { body } = await logIn(email, SHORTEST);
      const api = annals.api.as({ email, apiKey: body.api_key });
      const change = { old_password: SHORTEST, new_password: LONGEST, full_name: ' ' };
      const head = await annals.head();
      expect((await api.patch('/settings', change)).body.msg).toBe('full_name cannot be blank');
      expect(await annals.head()).toBe(head);
    });
  });
});
