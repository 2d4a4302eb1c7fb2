import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { buildPage } from '../../support/built-page.js';
import { launchBrowser, whyNoBrowser } from '../../support/outside/browser.js';
import { signInAt, visit } from '../../support/outside/page-visitor.js';
import { Annals } from '../../support/servers/annals.js';

const EMAIL = 'ann@example.com';
const PASSWORD = 'an honest secret';

const missing = await whyNoBrowser();
if (missing !== null) process.stdout.write(`lives of messages are not tried in a browser: ${missing}\n`);

(missing === null ? describe : describe.skip)('the past of a topic in a browser', () => {
  let annals: Annals;
  let browser: Browser;
  let page: Page;
  let edited = 0;
  let amiss: readonly string[];

  beforeAll(async () => {
    await buildPage();
    annals = await Annals.start({ ANNALS_ACCESS_DAYS: '1' });
    const { api } = await annals.owner();
    const { body } = await api.post('/users', { email: EMAIL, password: PASSWORD, full_name: 'Ann' });
    const auditors = JSON.stringify({ new: { direct_members: [body.user_id], direct_subgroups: [] } });
    await api.patch('/realm', { can_audit_group: auditors });
    const send = async (content: string): Promise<number> =>
      (await api.post('/messages', { type: 'channel', to: 'general', topic: 'stars', content })).body.id;
    edited = await send('a comet at four');
    await api.patch(`/messages/${edited}`, { content: 'a comet at five' });
    await api.patch(`/messages/${edited}`, { topic: 'comets', propagate_mode: 'change_one' });
    const gone = await send('nobody shall read this');
    await api.delete(`/messages/${gone}`);
    browser = await launchBrowser();
    ({ page, amiss } = await visit(browser, `${annals.url}/#/history?message=${edited}`));
    await signInAt(page, { email: EMAIL, password: PASSWORD });
    await page.getByRole('heading', { name: `The life of message ${edited}` }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await annals?.stop();
  });

  it('shows the life of a message: words that differ, and where it went', async () => {
    await page.locator('.life ins').waitFor();
    expect(await page.locator('.life del').textContent()).toBe('four');
    expect(await page.locator('.life ins').textContent()).toBe('five');
    await page.getByText('stars → comets').waitFor();
    expect(await page.getByText('127.0.0.1').count()).toBe(0);
  });

  it('shows auditors from where, too', async () => {
    await page.getByRole('button', { name: 'As auditors see it' }).press('Enter');
    await page.getByText('127.0.0.1').first().waitFor();
    await page.getByText('#general > stars → #general > comets').waitFor();
    expect(await page.locator('.life ins').textContent()).toBe('five');
  });

  it('shows a topic at each time of its past, by keyboard, and where a message was deleted', async () => {
    await page.goto(`${annals.url}/#/history?channel=1&topic=stars`);
    await page.getByRole('button', { name: 'With words', exact: true }).click();
    await page.getByText('Deleted by Owner').waitFor();
    expect(await page.getByText('a comet').count()).toBe(0);
    const slider = page.getByLabel('Then');
    await slider.press('Home');
    await page.getByRole('status').getByText('Before the first message').waitFor();
    await slider.press('ArrowRight');
    await page.getByText('a comet at four').waitFor();
    await slider.press('ArrowRight');
    await page.getByText('a comet at five').waitFor();
    await page.getByRole('link', { name: 'its life' }).click();
    await page.getByRole('heading', { name: `The life of message ${edited}` }).waitFor();
  });

  it('needs no moving sideways on a phone, and breaks no rule of the policy', async () => {
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(amiss).toEqual([]);
  });
});
