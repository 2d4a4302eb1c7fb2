import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, whyNoBrowser } from '../../support/outside/browser.js';
import { MailServer } from '../../support/outside/mail-server.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const PASSWORD = 'lenses and mirrors';

/** A name of the server that is not localhost: to it, browsers send no `Sec-Fetch-Site` over plain HTTP. */
const HOST = 'chat.lan';

const missing = await whyNoBrowser();
if (missing !== null) process.stdout.write(`pages are not tried in a browser: ${missing}\n`);

const inBrowser = missing === null ? describe : describe.skip;

inBrowser.each([
  ['an address', '127.0.0.1'],
  ['a host name over plain HTTP', HOST],
])('pages at %s, in a browser without scripts, as wide as a phone', (_, host) => {
  let annals: Annals;
  let mails: MailServer;
  let owner: Member;
  let browser: Browser;
  let page: Page;
  /** What the browser complains of, and requests to other servers. */
  let amiss: string[];

  beforeAll(async () => {
    mails = await MailServer.start();
    annals = await Annals.start({ ANNALS_SMTP_URL: mails.url });
    owner = await annals.owner();
    browser = await launchBrowser(HOST);
  });
  afterAll(async () => {
    await browser?.close();
    await mails.stop();
    await annals?.stop();
  });

  beforeEach(async () => {
    amiss = [];
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 640 } });
    page = await context.newPage();
    page.on('console', (message) => {
      // Over plain HTTP, a browser passes over this header, and says so.
      if (message.type() === 'error' && !message.text().startsWith('The Cross-Origin-Opener-Policy header'))
        amiss.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(there(annals.url))) amiss.push(request.url());
    });
  });

  /** The same URL under the host of the test. */
  const there = (url: string): string => url.replace('127.0.0.1', host);
  const linkTo = async (address: string): Promise<string> => there((await mails.mailTo(address)).links[0] ?? '');
  const heading = (): Promise<string | null> => page.getByRole('heading', { level: 1 }).textContent();
  /** Sends the form, and resolves when the page that answers is there. */
  const press = async (name: string): Promise<void> => {
    const answered = page.waitForEvent('domcontentloaded');
    await page.getByRole('button', { name }).click();
    await answered;
  };
  const logIn = async (username: string, password: string): Promise<number> =>
    (await annals.api.post('/fetch_api_key', { username, password })).status;

  async function person(email: string): Promise<Member['api']> {
    await owner.api.post('/users', { email, password: PASSWORD, full_name: 'Iris' });
    const { body } = await annals.api.post('/fetch_api_key', { username: email, password: PASSWORD });
    return annals.api.as({ email, apiKey: body.api_key });
  }

  /** Readable without moving the page sideways, and nothing amiss. */
  async function expectSound(): Promise<void> {
    const { width = 0 } = (await page.getByRole('main').boundingBox()) ?? {};
    expect(width).toBeGreaterThan(300);
    expect(width).toBeLessThanOrEqual(360);
    expect(amiss).toEqual([]);
  }

  async function expectWayIn(): Promise<void> {
    const link = page.getByRole('link', { name: 'Sign in here, in this browser' });
    expect(await link.getAttribute('href')).toBe('/');
  }

  it('join: a name and a password make the account', async () => {
    await owner.api.post('/invites', { invitee_emails: 'mira@example.org', stream_ids: [] });
    await page.goto(await linkTo('mira@example.org'));
    await expectSound();
    await page.getByLabel('Your name').fill('Mira Lang');
    await page.getByLabel('Password').fill(PASSWORD);
    await press('Join');
    expect(await page.getByText('Your account is ready').count()).toBe(1);
    await expectWayIn();
    await expectSound();
    expect(await logIn('mira@example.org', PASSWORD)).toBe(200);
  });

  it('join by a link for many: the link of one’s own comes by mail', async () => {
    const { body } = await owner.api.post('/invites/multiuse', { stream_ids: [] });
    await page.goto(there(body.invite_link));
    await page.getByLabel('Your mail address').fill('tess@example.org');
    await press('Send me the link');
    await expectSound();
    await page.goto(await linkTo('tess@example.org'));
    await page.getByLabel('Your name').fill('Tess');
    await page.getByLabel('Password').fill(PASSWORD);
    await press('Join');
    expect(await logIn('tess@example.org', PASSWORD)).toBe(200);
  });

  it('confirm a new address', async () => {
    const api = await person('iris@example.org');
    await api.patch('/settings', { email: 'iris.b@example.org' });
    await page.goto(await linkTo('iris.b@example.org'));
    await expectSound();
    await press('Confirm');
    expect(await heading()).toBe('Your address has changed');
    expect(await logIn('iris.b@example.org', PASSWORD)).toBe(200);
  });

  it('choose a new password', async () => {
    await person('noor@example.org');
    await page.goto(`${there(annals.url)}/accounts/password/reset/`);
    await page.getByLabel('Address of your account').fill('noor@example.org');
    await press('Send me a link');
    expect(await heading()).toBe('Look into your mailbox');
    await page.goto(await linkTo('noor@example.org'));
    await expectSound();
    expect(await page.getByLabel('New password').getAttribute('autocomplete')).toBe('new-password');
    expect(await page.getByLabel('Account').getAttribute('autocomplete')).toBe('username');
    await page.getByLabel('New password').fill('another password');
    await press('Save');
    expect(await heading()).toBe('Your password has changed');
    await expectWayIn();
    expect(await logIn('noor@example.org', 'another password')).toBe(200);
  });

  it('say so if a link cannot be used', async () => {
    await page.goto(`${there(annals.url)}/accounts/do_confirm/aaaaaaaaaaaaaaaaaaaaaaaa`);
    expect(await heading()).toBe('This link cannot be used');
  });
});
