import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { buildPage } from '../../support/built-page.js';
import { launchBrowser, whyNoBrowser } from '../../support/outside/browser.js';
import { signInAt, visit } from '../../support/outside/page-visitor.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const PASSWORD = 'an honest secret';

const missing = await whyNoBrowser();
if (missing !== null) process.stdout.write(`presence is not tried in a browser: ${missing}\n`);

(missing === null ? describe : describe.skip)('presence and statuses in a browser', () => {
  let annals: Annals;
  let browser: Browser;
  let owner: Member;
  let ann: Page;
  /** What the browser complains of, breaches of the policy among it. */
  let amiss: string[];

  beforeAll(async () => {
    await buildPage();
    annals = await Annals.start({ ANNALS_RATE_LIMIT: '0' });
    owner = await annals.owner();
    for (const name of ['Ann', 'Bob', 'Cleo'])
      await owner.api.post('/users', { email: `${name}@example.com`, password: PASSWORD, full_name: name });
    const { body } = await annals.api.post('/fetch_api_key', { username: 'Bob@example.com', password: PASSWORD });
    const bob = annals.api.as({ email: 'Bob@example.com', apiKey: body.api_key });
    await bob.post('/messages', { type: 'direct', to: ['Ann@example.com'], content: 'Hello' });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await annals?.stop();
  });

  beforeEach(async () => {
    ({ page: ann, amiss } = await visit(browser, annals.url));
    await signInAt(ann, { email: 'Ann@example.com', password: PASSWORD });
  });
  afterEach(async () => {
    await ann.close();
    expect(amiss).toEqual([]);
  });

  /** Somebody else comes, is there for a while, and goes. */
  async function visitedBy(name: string, place: string, meanwhile: (page: Page) => Promise<void>): Promise<void> {
    const { page, amiss: amissThere } = await visit(browser, `${annals.url}/${place}`);
    await signInAt(page, { email: `${name}@example.com`, password: PASSWORD });
    await meanwhile(page);
    await page.close();
    expect(amissThere).toEqual([]);
  }

  it('are told in words beside names, and hidden by a setting', async () => {
    const link = ann.locator('nav').getByRole('link', { name: /^Bob/ });
    await link.waitFor();
    expect(await link.getByRole('img', { name: 'active' }).count()).toBe(0);
    await visitedBy('Bob', '#/settings', async (bob) => {
      await link.getByRole('img', { name: 'active' }).waitFor();
      await bob.getByLabel('Others see when you are online').press('Space');
      await link.getByRole('img', { name: 'active' }).waitFor({ state: 'detached' });
    });
  });

  it('are in the list of people, for those who come later, too', async () => {
    await ann.getByRole('link', { name: 'Settings' }).waitFor();
    await visitedBy('Cleo', '#/people', async (cleo) => {
      const row = cleo.locator('.rows > li').filter({ hasText: 'Ann' });
      await row.getByRole('img', { name: 'active' }).waitFor();
    });
  });

  it('are set and cleared by the keyboard, and seen by others at once', async () => {
    await visitedBy('Bob', '#/settings', async (bob) => {
      await bob.getByLabel('Words').fill('On the way');
      await bob.getByRole('button', { name: 'Emoji: 🚌 bus' }).waitFor();
      await bob.getByLabel('Words').press('Enter');
      await bob.getByText('Beside your name: 🚌 On the way').waitFor();
      await ann.locator('nav').getByRole('link', { name: /^Bob/ }).getByRole('img', { name: 'On the way' }).waitFor();
      await ann.goto(`${annals.url}/#/people`);
      await ann.locator('.rows').getByText('🚌 On the way').waitFor();
      await bob.getByRole('button', { name: 'Choose an emoji' }).press('Enter');
      await bob.locator('input:focus').fill('no such emoji');
      await bob.getByText('No emoji has such a name').waitFor();
      // The field stands in a form, which is not sent from here.
      await bob.keyboard.press('Enter');
      await bob.locator('input:focus').fill('tad');
      await bob.getByRole('option', { name: ':tada:' }).waitFor();
      await bob.keyboard.press('Enter');
      await bob.locator('button:focus', { hasText: 'Emoji: 🎉 tada' }).waitFor();
      await bob.getByRole('button', { name: 'Set the status' }).press('Enter');
      await ann.locator('.rows').getByText('🎉', { exact: true }).waitFor();
      // The page does one thing after another.
      await bob.getByRole('button', { name: 'Choose an emoji' }).waitFor();
      await bob.getByRole('button', { name: 'Clear the status' }).press('Enter');
      await ann.getByText('🎉', { exact: true }).waitFor({ state: 'detached' });
    });
  });
});
