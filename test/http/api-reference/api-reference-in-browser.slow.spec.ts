import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, whyNoBrowser } from '../../support/outside/browser.js';
import { Annals, type Member } from '../../support/servers/annals.js';

/** The page shows all operations at once: seconds of a processor, half a minute on a busy machine. */
const SHOWN_WITHIN_MS = 180_000;

const missing = await whyNoBrowser();
if (missing !== null) process.stdout.write(`the page of the API is not tried in a browser: ${missing}\n`);

(missing === null ? describe : describe.skip)('the page of the API, in a browser', () => {
  let annals: Annals;
  let owner: Member;
  let browser: Browser;
  let page: Page;
  /** What the browser complains of, breaches of the policy among it, and requests to other servers. */
  const amiss: string[] = [];

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    browser = await launchBrowser();
    page = await browser.newPage();
    page.setDefaultTimeout(SHOWN_WITHIN_MS);
    page.on('console', (message) => {
      if (message.type() === 'error') amiss.push(message.text());
    });
    page.on('pageerror', (error) => amiss.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(annals.url) && !request.url().startsWith('data:')) amiss.push(request.url());
    });
    await page.goto(`${annals.url}/api/docs#/users/get-own-user`);
  });
  afterAll(async () => {
    await browser?.close();
    await annals?.stop();
  });

  it(
    'reads operations, and tries one with an address and a key',
    async () => {
      await page.getByRole('button', { name: 'Authorize' }).click();
      await page.getByLabel('auth-basic-username').fill(owner.email);
      await page.getByLabel('auth-basic-password').fill(owner.apiKey);
      const basic = page.locator('form').filter({ has: page.getByLabel('auth-basic-username') });
      await basic.getByRole('button', { name: 'Apply credentials' }).click();
      await page.getByRole('button', { name: 'Close' }).first().click();

      const operation = page.locator('#operations-users-get-own-user');
      await operation.getByRole('button', { name: 'Try it out' }).click();
      const [answer] = await Promise.all([
        page.waitForResponse(`${annals.url}/api/v1/users/me`),
        operation.getByRole('button', { name: 'Execute' }).click(),
      ]);
      expect([answer.status(), (await answer.json()).email]).toEqual([200, owner.email]);
      await operation.locator('.live-responses-table').getByText('"user_id"').first().waitFor();
      expect(amiss).toEqual([]);
    },
    SHOWN_WITHIN_MS * 2,
  );
});
