import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { buildPage } from '../../support/built-page.js';
import { eventually } from '../../support/eventually.js';
import { launchBrowser, whyNoBrowser } from '../../support/outside/browser.js';
import { signInAt, visit } from '../../support/outside/page-visitor.js';
import { Annals } from '../../support/servers/annals.js';

const EMAIL = 'ann@example.com';
const PASSWORD = 'an honest secret';

const missing = await whyNoBrowser();
if (missing !== null) process.stdout.write(`drafts are not tried in a browser: ${missing}\n`);

(missing === null ? describe : describe.skip)('drafts in two browsers of one person', () => {
  let annals: Annals;
  let browser: Browser;
  let page: Page;
  let other: Page;
  const amiss: (readonly string[])[] = [];

  beforeAll(async () => {
    await buildPage();
    annals = await Annals.start();
    const { api } = await annals.owner();
    await api.post('/users', { email: EMAIL, password: PASSWORD, full_name: 'Ann' });
    browser = await launchBrowser();
    page = await opened('channels/1/topics/stars');
    other = await opened('drafts');
  });
  afterAll(async () => {
    await browser?.close();
    await annals?.stop();
    expect(amiss.flat()).toEqual([]);
  });

  async function opened(place: string): Promise<Page> {
    const visitor = await visit(browser, `${annals.url}/#/${place}`);
    amiss.push(visitor.amiss);
    await signInAt(visitor.page, { email: EMAIL, password: PASSWORD });
    await visitor.page.locator('.messages').waitFor();
    return visitor.page;
  }

  const go = (who: Page, place: string) => who.goto(`${annals.url}/#/${place}`);
  const box = (who: Page) => who.getByRole('textbox', { name: 'Message', exact: true });
  const listed = (who: Page) => who.getByRole('list', { name: 'Drafts' }).getByRole('listitem');
  const expectBox = (who: Page, words: string) =>
    eventually(async () => expect(await box(who).inputValue()).toBe(words));

  it('are listed in the other one, by the place that they are written at', async () => {
    await box(page).fill('a comet');
    await listed(other).getByText('a comet', { exact: true }).waitFor();
    await listed(other).getByText('#general > stars').waitFor();
  });

  it('are gone on with by keys alone, and follow in the first', async () => {
    await listed(other).getByRole('button', { name: 'Go on writing' }).press('Enter');
    await other.getByRole('heading', { level: 1, name: '#general > stars' }).waitFor();
    await expectBox(other, 'a comet');
    await box(other).pressSequentially(' at four');
    await expectBox(page, 'a comet at four');
  });

  it('end when they are sent', async () => {
    await go(other, 'drafts');
    await box(page).press('Control+Enter');
    await page.locator('.messages').getByText('a comet at four').waitFor();
    await other.getByText('There are no drafts').waitFor();
  });

  it('are stored as one leaves the place, and come back with a reload', async () => {
    await box(page).fill('a reload');
    await go(page, 'channels/1');
    await listed(other).getByText('a reload').waitFor();
    await page.reload();
    await go(page, 'channels/1/topics/stars');
    await expectBox(page, 'a reload');
  });

  it('are deleted in both', async () => {
    await listed(other).getByRole('button', { name: 'Delete' }).press('Enter');
    await other.getByText('There are no drafts').waitFor();
    await expectBox(page, '');
  });

  it('remain both where two are written at once', async () => {
    await page.route('**/api/v1/drafts', (route) => route.abort());
    await box(page).fill('mine');
    await page.getByRole('status').getByText('is kept on this page alone').waitFor();
    await go(other, 'channels/1/topics/stars');
    await box(other).fill('yours');
    await go(other, 'drafts');
    await listed(other).getByText('yours').waitFor();
    await page.unroute('**/api/v1/drafts');
    await box(page).pressSequentially('!');
    await listed(other).getByText('mine!').waitFor();
    expect(await listed(other).count()).toBe(2);
    await expectBox(page, 'mine!');
  });

  it('keep the topic that is named at a channel', async () => {
    await go(page, 'channels/1');
    await page.getByRole('combobox', { name: 'Topic' }).fill('moons');
    await box(page).fill('two moons');
    await listed(other).filter({ hasText: 'two moons' }).getByText('#general > moons').waitFor();
    await go(page, 'drafts');
    await go(page, 'channels/1');
    expect(await page.getByRole('combobox', { name: 'Topic' }).inputValue()).toBe('moons');
  });

  it('stay on the page alone by a setting', async () => {
    const set = (isOn: boolean) =>
      other.evaluate(
        `fetch('/api/v1/settings', { method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: '{"enable_drafts_synchronization":${isOn}}' })`,
      );
    await set(false);
    await other.getByText('By your settings').waitFor();
    await eventually(async () => expect(await listed(other).getByText('mine!').count()).toBe(0));
    await expectBox(page, 'two moons');
    await set(true);
    await listed(other).getByText('two moons').waitFor();
  });
});
