import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { PublishedTree } from '../../../src/platform/transparency/published-tree.js';
import { buildPage } from '../../support/built-page.js';
import { launchBrowser, whyNoBrowser } from '../../support/outside/browser.js';
import { signInAt, visit } from '../../support/outside/page-visitor.js';
import { Annals } from '../../support/servers/annals.js';

const EMAIL = 'ann@example.com';
const PASSWORD = 'an honest secret';

const missing = await whyNoBrowser();
if (missing !== null) process.stdout.write(`history is not tried in a browser: ${missing}\n`);

(missing === null ? describe : describe.skip)('history in a browser', () => {
  let annals: Annals;
  let browser: Browser;
  let page: Page;
  let amiss: readonly string[];

  beforeAll(async () => {
    await buildPage();
    annals = await Annals.start({});
    const { api } = await annals.owner();
    const { body } = await api.post('/users', { email: EMAIL, password: PASSWORD, full_name: 'Ann' });
    await api.patch('/realm', {
      can_audit_group: JSON.stringify({ new: { direct_members: [body.user_id], direct_subgroups: [] } }),
    });
    await api.post('/messages', { type: 'channel', to: 'general', topic: 'stars', content: 'a comet' });
    await api.patch('/realm', { name: 'Observatory' });
    browser = await launchBrowser();
    ({ page, amiss } = await visit(browser, `${annals.url}/#/audit?kind=RealmSettingChanged`));
    await signInAt(page, { email: EMAIL, password: PASSWORD });
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await annals?.stop();
  });

  it('answers the question of the address, with old and new values', async () => {
    const named = page.getByRole('button', { name: 'RealmSettingChanged' }).first();
    await named.press('Enter');
    const change = page.getByRole('table').locator('dd', { hasText: '→' }).first();
    await change.waitFor();
    expect(await change.textContent()).toBe('Annals → Observatory');
    expect(await page.getByRole('button', { name: 'MessageSent' }).count()).toBe(0);
  });

  it('proves in the browser that the log has the event', async () => {
    await page.getByRole('button', { name: 'Check its proof here' }).click();
    await page.getByText('The proof holds as far as it was checked.').waitFor();
    await page.getByText('The key of the log').click();
    const key = (await annals.app.get(PublishedTree).head())?.verifier ?? '';
    await page.getByLabel('Verifier key').fill(key);
    await page.getByRole('button', { name: 'Use it for proofs' }).click();
    await page.getByText('The key is known in this browser.').waitFor();
    await page.getByRole('button', { name: 'Check its proof here' }).click();
    await page.getByText('The proof holds: the log has this event.').waitFor();
    expect(await page.getByText('is signed with the key of').textContent()).toContain('✓');
  });

  it('puts what is asked into the address, and its chart leads on', async () => {
    await page.getByLabel('Kinds, with commas').fill('MessageSent, UserCreated');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('button', { name: 'MessageSent' }).waitFor();
    expect(new URLSearchParams(new URL(page.url()).hash.slice('#/audit?'.length)).get('kind')).toBe(
      'MessageSent, UserCreated',
    );
    await page.goBack();
    await page.getByRole('button', { name: 'RealmSettingChanged' }).first().waitFor();
    await page.goto(`${annals.url}/#/audit?since=2020-01-01`);
    await page.getByRole('button', { name: 'UserCreated' }).first().waitFor();
    const bar = page.getByRole('link', { name: /^\d+ events? from / }).first();
    const wanted = await bar.getAttribute('href');
    await bar.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.hash === wanted);
  });

  it('counts all events in its chart, those too that are not shown', async () => {
    const { api } = await annals.owner();
    for (let count = 0; count < 210; count += 1)
      await api.post('/messages', { type: 'channel', to: 'general', topic: 'stars', content: `${count}` });
    await page.goto(`${annals.url}/#/audit?kind=MessageSent&topic=stars&channel_id=1`);
    await page.getByText(/^211 events, from .* on\. A bar/).waitFor();
    expect(await page.getByRole('button', { name: 'MessageSent' }).count()).toBe(200);
  });

  it('saves what is found as CSV', async () => {
    await page.goto(`${annals.url}/#/audit?kind=RealmSettingChanged`);
    await page.getByRole('button', { name: 'RealmSettingChanged' }).first().waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const text = await readFile(await (await saved).path(), 'utf8');
    expect(text.split('\n').filter((line) => line.includes('RealmSettingChanged')).length).toBeGreaterThan(0);
    expect(text).toContain('Observatory');
  });

  it('says what cannot be asked: in the words of the server, and what the address has for nothing', async () => {
    await page.goto(`${annals.url}/#/audit?since=never&colour=red`);
    await page.getByRole('alert').getByText('since').waitFor();
    await page.getByText('The address also has colour, which asks nothing here.').waitFor();
  });

  it('needs no moving sideways on a phone, and breaks no rule of the policy', async () => {
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(amiss).toEqual([]);
  });
});
