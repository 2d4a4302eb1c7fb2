import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { buildPage } from '../../support/built-page.js';
import { eventually } from '../../support/eventually.js';
import { launchBrowser, whyNoBrowser } from '../../support/outside/browser.js';
import { expectUsable } from '../../support/outside/page-checks.js';
import { signInAt, visit } from '../../support/outside/page-visitor.js';
import type { Client } from '../../support/requests/http.js';
import { Annals } from '../../support/servers/annals.js';

const PASSWORD = 'an honest secret';
const NEW_PASSWORD = 'a secret of another kind';

const missing = await whyNoBrowser();
if (missing !== null) process.stdout.write(`one's settings are not tried in a browser: ${missing}\n`);

(missing === null ? describe : describe.skip)("one's settings in a browser", () => {
  let annals: Annals;
  let browser: Browser;
  let page: Page;
  /** What the browser complains of, breaches of the policy among it. */
  let amiss: string[];
  let email: string;
  let people = 0;

  beforeAll(async () => {
    await buildPage();
    annals = await Annals.start({ ANNALS_RATE_LIMIT: '0' });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await annals?.stop();
  });

  /** Somebody new is at their settings. */
  beforeEach(async () => {
    people += 1;
    email = `ann${people}@example.com`;
    await (await annals.owner()).api.post('/users', { email, password: PASSWORD, full_name: `Ann ${people}` });
    ({ page, amiss } = await visit(browser, `${annals.url}/#/settings`));
    await signInAt(page, { email, password: PASSWORD });
    await page.getByRole('heading', { name: 'Logins' }).waitFor();
  });
  afterEach(async () => {
    await page.close();
    expect(amiss).toEqual([]);
  });

  /** Another login of the same person. */
  async function login(password = PASSWORD): Promise<Client> {
    const { body } = await annals.api.post('/fetch_api_key', { username: email, password });
    return annals.api.as({ email, apiKey: body.api_key });
  }

  const button = (name: string) => page.getByRole('button', { name });

  it('are changed by the keyboard, at every page at once, and the page obeys them', async () => {
    const words = 'Times with 24 hours: 15:00 instead of 3:00 PM';
    await (await login()).post('/messages', { type: 'direct', to: [email], content: 'a note' });
    const { page: other, amiss: amissThere } = await visit(browser, `${annals.url}/#/direct/`);
    await signInAt(other, { email, password: PASSWORD });
    await other.locator('article time', { hasText: /[AP]M$/ }).waitFor();
    await page.getByLabel(words).press('Space');
    await other.locator('article time', { hasText: /\d$/ }).waitFor();
    await page.getByLabel('Colours').selectOption('dark');
    await eventually(async () =>
      expect(await other.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark'),
    );
    await other.close();
    expect(amissThere).toEqual([]);
    await page.reload();
    await page.getByLabel(words).and(page.locator(':checked')).waitFor();
    await expectUsable(page);
  });

  it('keep what is refused as it was, in the words of the server', async () => {
    const box = page.getByLabel('Others see when you are online');
    await page.route('**/api/v1/settings', (route) =>
      route.fulfill({ status: 400, json: { result: 'error', msg: 'Not on Sundays', code: 'BAD_REQUEST' } }),
    );
    await box.press('Space');
    await page.getByText('Not on Sundays').waitFor();
    expect(await box.isChecked()).toBe(true);
  });

  it('have a name and a picture, which others see', async () => {
    await page.getByLabel('New name').fill(' ');
    await button('Change the name').press('Enter');
    await page.getByText('“New name” cannot be blank').waitFor();
    await page.getByLabel('New name').fill(`Anna ${people}`);
    await button('Change the name').press('Enter');
    await page.getByText(`Now: Anna ${people}`).waitFor();
    const picture = { create: { width: 8, height: 8, channels: 3, background: '#c00' } } as const;
    const buffer = await sharp(picture).png().toBuffer();
    const shown = page.getByRole('img', { name: 'As others see it' });
    await page.getByLabel(/^Another picture/).setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
    await shown.waitFor();
    const { body } = await (await annals.owner()).api.get(`/users/${email}`);
    expect(body.user).toMatchObject({ full_name: `Anna ${people}`, avatar_url: expect.stringContaining('/') });
    expect(await shown.getAttribute('src')).toBe(body.user.avatar_url);
    await button('Remove the picture').press('Enter');
    await eventually(async () => expect(await shown.all()).toHaveLength(0));
  });

  it('change the password, which ends other logins, and tell why they do not', async () => {
    const elsewhere = await login();
    await page.getByLabel('Password until now').fill('none of mine');
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await button('Change the password').press('Enter');
    await page.getByText('Wrong password!').waitFor();
    await page.getByLabel('Password until now').fill(PASSWORD);
    await button('Change the password').press('Enter');
    await page.getByText('All other logins have ended.').waitFor();
    expect((await elsewhere.get('/users/me')).status).toBe(401);
    expect((await (await login(NEW_PASSWORD)).get('/users/me')).status).toBe(200);
  });

  it('list logins, and end one and all of them', async () => {
    const [first, second] = [await login(), await login()];
    await page.reload();
    const rows = page.locator('.rows > li');
    await rows.nth(2).waitFor();
    await rows.filter({ hasNotText: '(this one)' }).first().getByRole('button').press('Enter');
    await eventually(async () => expect(await rows.count()).toBe(2));
    const [cookie] = await page.context().cookies();
    await button('End all logins').press('Enter');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    for (const client of [first, second]) expect((await client.get('/users/me')).status).toBe(401);
    // Whoever has stolen the cookie has nothing.
    const headers = { Cookie: `${cookie?.name}=${cookie?.value}`, 'Sec-Fetch-Site': 'same-origin' };
    expect((await fetch(`${annals.url}/api/v1/users/me`, { headers })).status).toBe(401);
  });
});
