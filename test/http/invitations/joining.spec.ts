import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import type { InvitationEvent } from '../../../src/events/invitations/invitations.events.js';
import { CONTENT_KEYS, type ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { eventually } from '../../support/eventually.js';
import { MailServer } from '../../support/outside/mail-server.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import { inOneMinute } from '../../support/requests/in-one-minute.js';
import { openPage, sendForm } from '../../support/requests/pages.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const PASSWORD = 'a good password';

describe('joining by an invitation', () => {
  let mail: MailServer;
  let annals: Annals;
  let owner: Member;
  let made = 0;

  beforeAll(async () => {
    mail = await MailServer.start();
    annals = await Annals.start({
      ANNALS_SMTP_URL: mail.url,
      ANNALS_INVITATION_PAUSE_SECONDS: '0',
      ANNALS_WELCOME_MESSAGES: 'true',
    });
    owner = await annals.owner();
  });
  afterAll(async () => {
    await annals?.stop();
    await mail.stop();
  });
  afterEach(() => {
    mail.answer = () => undefined;
  });

  const newAddress = (): string => `joiner${++made}@example.org`;
  const invite = (to: string, more: Record<string, unknown> = {}, member = owner) =>
    member.api.post('/invites', { invitee_emails: to, stream_ids: [], ...more });
  const invitedBy = async (more: Record<string, unknown> = {}, member = owner) => {
    const email = newAddress();
    expect((await invite(email, more, member)).body).toEqual({ result: 'success', msg: '' });
    const { links } = await mail.mailTo(email);
    return { email, url: links[0] ?? '' };
  };
  const keyOf = (url: string): string => /[a-z2-7]{24}/.exec(url)?.[0] ?? '';
  const register = (url: string, form: Record<string, string> = {}) =>
    sendForm(`${annals.url}/accounts/register/`, {
      key: keyOf(url),
      full_name: `Joiner ${made}`,
      password: PASSWORD,
      ...form,
    });
  const join = (url: string, email: string) => sendForm(url, { email });
  const logIn = (email: string, password = PASSWORD) =>
    annals.api.post('/fetch_api_key', { username: email, password });
  const loggedIn = async (email: string): Promise<Member['api']> => {
    const { body } = await logIn(email);
    expect(body.result).toBe('success');
    return annals.api.as({ email, apiKey: body.api_key });
  };
  const events = async (): Promise<Recorded<InvitationEvent>[]> =>
    (await annals.events('invitations')) as Recorded<InvitationEvent>[];

  it('whose mail is refused for good shows its inviter the problem, until it is mailed again', async () => {
    const email = newAddress();
    const queue = await EventQueue.register(owner.api, { event_types: ['invites_changed'] });
    mail.answer = (to) => (to === email ? 550 : undefined);
    expect((await invite(email)).body.result).toBe('success');
    const listed = async () =>
      (await owner.api.get('/invites')).body.invites.find((one: { email?: string }) => one.email === email);
    await eventually(async () => expect(await listed()).toMatchObject({ problem: 'mail_refused' }));
    expect((await queue.drain()).map(({ type }) => type)).toEqual(['invites_changed', 'invites_changed']);
    const refusals = async () => (await events()).filter(({ type }) => type === 'InvitationMailRefused');
    const { id, invited_by_user_id: inviterId } = await listed();
    const [sent] = (await events()).filter(({ type, data }) => type === 'InvitationSent' && data.invitationId === id);
    const data = { invitationId: id, inviterId, mailedAt: sent?.metadata.at, reason: 'refused', code: 550 };
    expect((await refusals()).map((one) => one.data)).toEqual([data]);
    expect(JSON.stringify(await refusals())).not.toContain(email);

    mail.answer = () => undefined;
    expect((await owner.api.post(`/invites/${id}/resend`)).body).toEqual({ result: 'success', msg: '' });
    expect(await listed()).not.toHaveProperty('problem');
    const { links } = await mail.mailTo(email);
    expect((await openPage(links[0] ?? '')).status).toBe(200);
    expect(await refusals()).toHaveLength(1);
    await annals.restart();
    owner = await annals.owner();
    expect(await listed()).not.toHaveProperty('problem');
  });

  it('gets a mail without the inviter’s or the organization’s name if these hold the address of a page', async () => {
    const rename = (full_name: string) => owner.api.patch('/settings', { full_name });
    const { full_name: before } = (await owner.api.get('/users/me')).body;
    const { realm_name: organization } = (await owner.api.post('/register', { fetch_event_types: ['realm'] })).body;
    const bad = 'Claim at https://evil.example/';
    expect((await rename(bad)).body.result).toBe('success');
    const first = newAddress();
    await invite(first);
    const named = (await mail.mailTo(first)).raw;
    expect(named).toContain(`Subject: Somebody has invited you to join ${organization}`);
    expect(named).toContain(`From: ${organization} <`);
    expect(named).not.toContain('evil.example');
    expect((await owner.api.patch('/realm', { name: bad })).body.result).toBe('success');
    const second = newAddress();
    await invite(second);
    const { raw, text } = await mail.mailTo(second);
    const { host } = new URL(text.match(/https?:\/\/\S+/)?.[0] ?? '');
    expect(text).toContain(`Somebody wants you to join ${host}.`);
    expect(raw).not.toContain('evil.example');
    await owner.api.patch('/realm', { name: organization });
    await rename(before);
  });

  it('by mail makes an account with role, channels and groups, and tells the inviter', async () => {
    const [{ stream_id: general }] = (await owner.api.get('/streams')).body.streams;
    const { group_id: group } = (
      await owner.api.post('/user_groups/create', { name: 'crew', description: '', members: [] })
    ).body;
    const welcome_message_custom_text = 'Read **this** first.';
    const { email, url } = await invitedBy({
      invite_as: 300,
      stream_ids: [general],
      group_ids: [group],
      welcome_message_custom_text,
    });
    const received = await mail.mailTo(email);
    expect(url).toMatch(new RegExp(`^${annals.url}/accounts/do_confirm/[a-z2-7]{24}$`));
    expect(received.raw).toMatch(/Subject: .* has invited you to join/);
    expect(received.raw).toContain('text/html');
    expect(received.text).toMatch(/valid until \d+ \w+ 20\d\d, \d\d:\d\d UTC/);

    // Programs that look through mails open links.
    await openPage(url);
    const page = await openPage(url);
    expect([page.status, page.type]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.html).toContain(email);

    const done = await register(url, { full_name: 'Mira Lang' });
    expect([done.status, done.html.includes('Your account is ready')]).toEqual([200, true]);
    expect(done.html).toContain('Zulip Terminal');
    expect(done.html).toContain(annals.url);
    expect(done.html).toContain('<a href="/">Sign in here');
    const api = await loggedIn(email);
    const me = (await api.get('/users/me')).body;
    expect(me).toMatchObject({ full_name: 'Mira Lang', role: 300, delivery_email: email });
    expect((await api.get('/users/me/subscriptions')).body.subscriptions).toMatchObject([{ stream_id: general }]);
    expect((await api.get(`/user_groups/${group}/members`)).body.members).toEqual([me.user_id]);

    const newest = async (reader: Member['api']) =>
      (await reader.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false })).body
        .messages[0];
    expect(await newest(api)).toMatchObject({
      content: expect.stringMatching(/^Hello, and welcome to Annals!\n\n.*\n\nRead \*\*this\*\* first\.$/),
      sender_full_name: 'Welcome Bot',
    });
    expect(await newest(owner.api)).toMatchObject({
      content: `@_**Mira Lang|${me.user_id}** accepted your invitation to join!`,
      sender_full_name: 'Notification Bot',
    });
  });

  it('greets who joins, also when nobody has written a welcome', async () => {
    const { email, url } = await invitedBy({ welcome_message_custom_text: '' });
    await register(url);
    const asked = { anchor: 'newest', num_before: 5, num_after: 0, apply_markdown: false };
    const { messages } = (await (await loggedIn(email)).get('/messages', asked)).body;
    const greetings = messages.filter(({ content }: { content: string }) => content.startsWith('Hello, and welcome'));
    expect(greetings).toMatchObject([{ type: 'private', content: expect.stringMatching(/own\.$/) }]);
  });

  it('can be previewed by administrators, who get the welcome themselves', async () => {
    const preview = (who: Member, text: string) =>
      who.api.post('/realm/test_welcome_bot_custom_message', { welcome_message_custom_text: text });
    const first = (await preview(owner, 'Hello *there*\n')).body.message_id;
    const again = (await preview(owner, 'Hello *there*\n')).body.message_id;
    expect(again).toBeGreaterThan(first);
    for (const id of [first, again]) {
      const { message } = (await owner.api.get(`/messages/${id}`, { apply_markdown: false })).body;
      expect(message).toMatchObject({
        content: 'Hello *there*',
        sender_full_name: 'Welcome Bot',
        type: 'private',
      });
    }
    await expectRefusal(annals, () => preview(owner, ' \n'), 'Message must not be empty');
    const member = await annals.user('member');
    await expectRefusal(annals, () => preview(member, 'Hello'), {
      code: 'UNAUTHORIZED_PRINCIPAL',
      msg: 'Must be an organization administrator',
    });
  });

  it('destroys the key of the invitation, and so the invited address in it', async () => {
    const { email, url } = await invitedBy();
    await register(url);
    await loggedIn(email);
    const [sent] = (await events()).filter(({ type }) => type === 'InvitationSent').slice(-1);
    const keyId = sent && 'keyId' in sent.data ? sent.data.keyId : '';
    await eventually(async () => {
      expect((await annals.app.get<ContentKeys>(CONTENT_KEYS).getMany([keyId])).size).toBe(0);
    });
    const log = (await events()).filter(({ data }) => 'applicant' in data || 'invitee' in data).slice(-2);
    expect(JSON.stringify(log)).not.toContain(email);
  });

  it('uses a link once, also if two forms come at the same moment', async () => {
    const { email, url } = await invitedBy();
    const answers = await Promise.all([register(url), register(url)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    await loggedIn(email);
    const again = await register(url);
    expect([again.status, again.type]).toEqual([404, 'text/html; charset=utf-8']);
    expect((await openPage(url)).status).toBe(404);
    const accepted = (await events()).filter(({ type }) => type === 'InvitationAccepted');
    const completed = (await events()).filter(({ type }) => type === 'InvitationCompleted');
    expect(completed.length).toBe(accepted.length);
  });

  it('shows what was wrong in the form, and leaves the link usable', async () => {
    const { email, url } = await invitedBy();
    const wrong: [Record<string, string>, string][] = [
      [{ password: 'seven c' }, 'The password is too short'],
      [{ password: '' }, 'The password is too short'],
      [{ full_name: ' ' }, 'Enter your name'],
      [{ full_name: 'a"b' }, 'characters that are not allowed'],
      [{ full_name: 'x'.repeat(101) }, 'The name is too long'],
    ];
    for (const [form, problem] of wrong) {
      const { status, html } = await register(url, form);
      expect([status, html.includes(problem), html.includes('name="password"')]).toEqual([400, true, true]);
      expect(html).not.toContain(PASSWORD);
    }
    await register(url, { full_name: 'Bold & <Co' });
    expect((await register(url)).status).toBe(404);
    expect((await (await loggedIn(email)).get('/users/me')).body.full_name).toBe('Bold & <Co');
  });

  it('by a link that is revoked, replaced, unknown or malformed is a 404 page', async () => {
    const { email, url } = await invitedBy();
    await invite(email);
    expect((await openPage(url)).status).toBe(404);
    const { links } = await mail.mailTo(email, 2);
    const [current = ''] = links;
    expect((await openPage(current)).status).toBe(200);
    const { id } = (await owner.api.get('/invites')).body.invites.find(
      (one: { email?: string }) => one.email === email,
    );
    await owner.api.delete(`/invites/${id}`);
    for (const dead of [current, `${annals.url}/accounts/do_confirm/${'a'.repeat(24)}`, `${annals.url}/join/short/`]) {
      const { status, type, html } = await openPage(dead);
      expect([status, type]).toEqual([404, 'text/html; charset=utf-8']);
      expect(html).toContain('This link cannot be used');
    }
    expect((await register(current)).status).toBe(404);
  });

  it('by a repeated mail has the same link', async () => {
    const { email, url } = await invitedBy();
    const { id } = (await owner.api.get('/invites')).body.invites.find(
      (one: { email?: string }) => one.email === email,
    );
    await owner.api.post(`/invites/${id}/resend`);
    expect((await mail.mailTo(email, 2)).links).toEqual([url]);
  });

  it('takes no form of another site', async () => {
    const { url } = await invitedBy();
    const form = { key: keyOf(url), full_name: 'Eve', password: PASSWORD };
    const action = `${annals.url}/accounts/register/`;
    expect((await sendForm(action, form, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await sendForm(action, form, { origin: 'null' })).status).toBe(403);
    expect((await sendForm(action, form, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await sendForm(action, form, { 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  it('by a link for many confirms the address first, and the link stays usable', async () => {
    const [{ stream_id: general }] = (await owner.api.get('/streams')).body.streams;
    const terms = { invite_as: 600, stream_ids: [general] };
    const { invite_link: shared } = (await owner.api.post('/invites/multiuse', terms)).body;
    expect((await openPage(shared)).status).toBe(200);
    for (const email of [newAddress(), newAddress()]) {
      const { status, html } = await join(shared, email);
      expect([status, html.includes(email)]).toEqual([200, true]);
      const [url = ''] = (await mail.mailTo(email)).links;
      expect((await register(url)).status).toBe(200);
      const api = await loggedIn(email);
      expect((await api.get('/users/me')).body.role).toBe(600);
      expect((await api.get('/users/me/subscriptions')).body.subscriptions).toHaveLength(1);
    }
    expect((await register(shared)).status).toBe(404);
    expect((await join(shared, owner.email)).status).toBe(400);
    expect((await join(shared, 'nobody')).html).toContain('This is not a mail address');

    const email = newAddress();
    await join(shared, email);
    const [url = ''] = (await mail.mailTo(email)).links;
    const { id } = (await owner.api.get('/invites')).body.invites.find(
      (one: { link_url?: string }) => one.link_url === shared,
    );
    await owner.api.delete(`/invites/multiuse/${id}`);
    expect([(await openPage(shared)).status, (await openPage(url)).status]).toEqual([404, 404]);
  });

  it('with default channels, subscribes to those of the moment', async () => {
    const { url, email } = await invitedBy({ include_realm_default_subscriptions: true });
    const [{ stream_id: general }] = (await owner.api.get('/streams')).body.streams;
    await owner.api.post('/default_streams', { stream_id: general });
    await register(url);
    const { subscriptions } = (await (await loggedIn(email)).get('/users/me/subscriptions')).body;
    expect(subscriptions).toMatchObject([{ stream_id: general }]);
  });

  it('gives its role only while the inviter may invite to it, and ends with the inviter', async () => {
    const admin = await annals.user(`admin${++made}`, 200);
    const { email, url } = await invitedBy({ invite_as: 200 }, admin);
    const { invite_link: shared } = (await admin.api.post('/invites/multiuse', { invite_as: 200 })).body;
    const guest = newAddress();
    await join(shared, guest);
    const [own = ''] = (await mail.mailTo(guest)).links;
    await owner.api.patch(`/users/${admin.id}`, { role: 400 });
    for (const page of [openPage(url), register(url), openPage(own), register(own), openPage(shared)]) {
      const { status, html } = await page;
      expect([status, html.includes('may no longer invite people to the role of this link')]).toEqual([400, true]);
    }
    expect((await join(shared, newAddress())).status).toBe(400);
    expect((await logIn(email)).status).toBe(401);
    for (const reader of [owner, admin]) {
      const { invites } = (await reader.api.get('/invites')).body;
      const problems = invites.flatMap((one: { invited_by_user_id: number; problem?: string }) =>
        one.invited_by_user_id === admin.id ? [one.problem] : [],
      );
      expect(problems).toEqual(['inviter_may_not_invite', 'inviter_may_not_invite']);
    }

    await owner.api.patch(`/users/${admin.id}`, { role: 200 });
    expect((await (await admin.api.get('/invites')).body.invites[0]).problem).toBeUndefined();
    await register(url);
    expect((await (await loggedIn(email)).get('/users/me')).body.role).toBe(200);
    await owner.api.delete(`/users/${admin.id}`);
    expect((await register(own)).status).toBe(404);
  });

  it('goes on from an address that has opened a hundred dead links, which are refused then', async () => {
    const { email, url } = await invitedBy();
    const dead = () => openPage(`${annals.url}/join/${'b'.repeat(24)}/`);
    await inOneMinute(async () => {
      const statuses = await Promise.all(Array.from({ length: 110 }, async () => (await dead()).status));
      expect(statuses).toContain(429);
      expect(statuses.filter((status) => status === 404).length).toBeLessThanOrEqual(100);
      expect((await dead()).html).toContain('Wait a minute, then try again.');
    });
    expect((await openPage(url)).status).toBe(200);
    expect((await register(url)).status).toBe(200);
    await loggedIn(email);
  });

  it('lets an office of thirty join by a link for many in one day, from one address', async () => {
    const { invite_link: shared } = (await owner.api.post('/invites/multiuse', { stream_ids: [] })).body;
    const answers = await Promise.all(Array.from({ length: 30 }, () => join(shared, newAddress())));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  it('mails the same address five times a day at most, and says where the mail is', async () => {
    const { invite_link: shared } = (await owner.api.post('/invites/multiuse', { stream_ids: [] })).body;
    const email = newAddress();
    for (let mails = 0; mails < 5; mails++) expect((await join(shared, email)).status).toBe(200);
    const refused = await join(shared, email.toUpperCase());
    expect([refused.status, refused.html.includes('look into your mailbox first')]).toEqual([429, true]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000);
    // A mail whose link was replaced meanwhile is not sent any more.
    await eventually(async () => {
      const [url = ''] = (await mail.mailTo(email)).links;
      expect((await openPage(url)).status).toBe(200);
      expect((await register(url)).status).toBe(200);
    });
  });

  it('by a path that is too long gets a page', async () => {
    const { status, type, html } = await openPage(`${annals.url}/join/${'a'.repeat(2000)}/`);
    expect([status, type]).toEqual([414, 'text/html; charset=utf-8']);
    expect(html).toContain('Path is too long');
  });

  it('mails again after a restart and a rebuild nothing that was mailed', async () => {
    const { email } = await invitedBy();
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['invitations', 'client-events'], () => {});
    await annals.restart();
    owner = await annals.owner();
    const last = await invitedBy();
    expect(mail.mails.filter(({ to }) => to === email)).toHaveLength(1);
    // The link of before the restart still holds.
    expect((await register(last.url)).status).toBe(200);
  });
});
