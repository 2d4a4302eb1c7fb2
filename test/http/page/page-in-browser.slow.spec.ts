import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { buildPage } from '../../support/built-page.js';
import { launchBrowser, whyNoBrowser } from '../../support/outside/browser.js';
import { flatPng } from '../../support/pictures.js';
import { sendPictures } from '../../support/requests/picture-uploads.js';
import { Annals } from '../../support/servers/annals.js';

const EMAIL = 'ann@example.com';
const PASSWORD = 'an honest secret';

const missing = await whyNoBrowser();
if (missing !== null) process.stdout.write(`the page is not tried in a browser: ${missing}\n`);

(missing === null ? describe : describe.skip).each(['light', 'dark'] as const)(
  'the page, %s, in a browser',
  (scheme) => {
    let annals: Annals;
    let browser: Browser;
    let page: Page;
    /** What the browser complains of, breaches of the policy among it, and requests to other servers. */
    let amiss: string[];

    beforeAll(async () => {
      await buildPage();
      annals = await Annals.start({ ANNALS_ORGANIZATION: 'Observatory' });
      const { api } = await annals.owner();
      await api.patch('/realm', { description: 'We look at **stars**.' });
      await api.post('/users', { email: EMAIL, password: PASSWORD, full_name: 'Ann' });
      browser = await launchBrowser();
    });
    afterAll(async () => {
      await browser?.close();
      await annals?.stop();
    });

    beforeEach(async () => {
      amiss = [];
      page = await browser.newPage({ colorScheme: scheme, viewport: { width: 360, height: 640 } });
      page.on('console', (message) => {
        // A browser says of each refusal that a resource was not loaded.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
          amiss.push(message.text());
      });
      page.on('pageerror', (error) => amiss.push(String(error)));
      page.on('request', (request) => {
        if (!request.url().startsWith(annals.url)) amiss.push(request.url());
      });
      await page.goto(annals.url);
    });
    afterEach(() => page.close());

    it('says which organization this is, and what it can be used with', async () => {
      await page.getByRole('heading', { level: 1, name: 'Observatory' }).waitFor();
      expect(await page.title()).toBe('Observatory');
      await page.getByText('We look at stars.').waitFor();
      for (const name of ['Zulip Terminal', 'zulip', 'zulip-js', 'the API itself'])
        expect(await page.getByRole('link', { name, exact: true }).count()).toBe(1);
      // The icon that the server makes up is a picture of another site.
      expect(await page.locator('header img').count()).toBe(0);
      expect(amiss).toEqual([]);
    });

    it('is there at once', async () => {
      const [, ...words] = (await page.getByRole('heading').allTextContents()) as string[];
      expect(words).toEqual(['Sign in', 'Clients of this server']);
      const painted = await page.evaluate("performance.getEntriesByName('first-contentful-paint').length");
      expect(painted).toBe(1);
    });

    it('needs no moving sideways on a phone', async () => {
      await page.getByRole('heading', { level: 1, name: 'Observatory' }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    });

    it('is signed in to with a keyboard alone, and says in the words of the server why not', async () => {
      await typed('not the password');
      await page.getByRole('alert').getByText('Your username or password is incorrect').waitFor();
      expect(await page.context().cookies()).toEqual([]);
      await typed(PASSWORD);
      await page.getByRole('heading', { name: 'You are signed in as Ann' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: 'You are signed in as Ann' }).waitFor();
      const [session] = await page.context().cookies();
      expect(session).toMatchObject({ name: 'annals_session', httpOnly: true, sameSite: 'Strict' });
      expect(amiss).toEqual([]);

      await page.getByRole('button', { name: 'Sign out' }).press('Enter');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await page.context().cookies()).toEqual([]);
      const Cookie = `annals_session=${session?.value}`;
      expect((await fetch(`${annals.url}/api/v1/users/me`, { headers: { Cookie } })).status).toBe(401);
    });

    it('is signed out of where somebody has ended all logins', async () => {
      await typed(PASSWORD);
      await page.getByRole('heading', { name: 'You are signed in as Ann' }).waitFor();
      const { body } = await annals.api.post('/fetch_api_key', { username: EMAIL, password: PASSWORD });
      await annals.api.as({ email: EMAIL, apiKey: body.api_key }).post('/users/me/api_key/regenerate');
      await page.reload();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(amiss).toEqual([]);
    });

    const typed = async (password: string): Promise<void> => {
      await page.getByLabel('Your mail address').fill('');
      await page.keyboard.type(EMAIL);
      await page.keyboard.press('Tab');
      await page.getByLabel('Password').fill('');
      await page.keyboard.type(password);
      await page.keyboard.press('Enter');
    };

    it('says so at a place that it does not have', async () => {
      await page.goto(`${annals.url}/#/nowhere/%`);
      await page.getByRole('heading', { name: 'There is no such place here' }).waitFor();
      await page.getByRole('link', { name: 'To the beginning' }).click();
      await page.getByRole('heading', { level: 1, name: 'Observatory' }).waitFor();
      expect(amiss).toEqual([]);
    });

    it('has the icon of the organization', async () => {
      const uploaded = await sendPictures(annals.url, await annals.owner(), '/realm/icon', await flatPng(8, 8));
      expect(uploaded.status).toBe(200);
      await page.reload();
      await page.locator('header img').waitFor();
      await page.waitForLoadState('networkidle');
      const icon = await page
        .locator('header img')
        .evaluate((picture: { naturalWidth: number }) => picture.naturalWidth);
      expect(icon).toBeGreaterThan(0);
      expect(amiss).toEqual([]);
    });
  },
);
