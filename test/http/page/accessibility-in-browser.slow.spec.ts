import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { buildPage } from '../../support/built-page.js';
import { launchBrowser, whyNoBrowser } from '../../support/outside/browser.js';
import { signInAt, visit } from '../../support/outside/page-visitor.js';
import { Annals } from '../../support/servers/annals.js';

const PASSWORD = 'an honest secret';
const WIDTHS = [360, 768, 1440];
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];

const missing = await whyNoBrowser();
if (missing !== null) process.stdout.write(`the page is not checked by axe: ${missing}\n`);

(missing === null ? describe : describe.skip).each(['light', 'dark'] as const)(
  'every place of the page, %s',
  (scheme) => {
    let annals: Annals;
    let browser: Browser;
    let page: Page;
    let axe: string;
    let edited = 0;

    beforeAll(async () => {
      await buildPage();
      axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
      annals = await Annals.start({ ANNALS_OWNER_PASSWORD: PASSWORD, ANNALS_ACCESS_DAYS: '1' });
      const { api, email } = await annals.owner();
      await api.post('/users', { email: 'ann@example.com', password: PASSWORD, full_name: 'Ann' });
      const send = async (content: string): Promise<number> =>
        (await api.post('/messages', { type: 'channel', to: 'general', topic: 'stars', content })).body.id;
      edited = await send('a comet at four, :tada: and [a link](https://example.org)');
      await send('> said\n\n```js\nconst a = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n@**Ann**');
      await api.patch(`/messages/${edited}`, { content: 'a comet at five' });
      await api.post(`/messages/${edited}/reactions`, { emoji_name: 'tada' });
      const scheduled_delivery_timestamp = Math.floor(Date.now() / 1000) + 86_400;
      const later = { type: 'channel', to: 1, topic: 'stars', content: 'a comet at six', scheduled_delivery_timestamp };
      await api.post('/scheduled_messages', later);
      const draft = { type: 'stream', to: [1], topic: 'stars', content: 'a comet, perhaps' };
      await api.post('/drafts', { drafts: [draft] });
      await api.post('/reminders', { message_id: edited, scheduled_delivery_timestamp });
      browser = await launchBrowser();
      ({ page } = await visit(browser, annals.url, { colorScheme: scheme }));
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await accessible();
      await signInAt(page, { email, password: PASSWORD });
      await page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'attached' });
    });
    afterAll(async () => {
      await browser?.close();
      await annals?.stop();
    });

    it.each([
      ['recent conversations', '#/recent', 'stars'],
      ['a topic', '#/channels/1/topics/stars', 'a comet at five'],
      ['a search', '#/search/comet', 'a comet at five'],
      ['drafts', '#/drafts', 'a comet, perhaps'],
      ['what is sent later', '#/scheduled', 'a comet at six'],
      ['history', '#/audit', 'MessageSent'],
      ['the life of a message', '#/history?message=1', 'sent'],
      ['a topic as it was', '#/history?channel=1&topic=stars', 'With words'],
      ['people', '#/people', 'Ann'],
      ['channels', '#/channels', '1 channel'],
      ['groups', '#/groups', 'There is no group yet'],
      ['the organization', '#/organization', 'Who may do what with channels'],
      ["one's settings", '#/settings', 'End all logins'],
      ['permissions', '#/why', 'Permissions'],
      ['the server', '#/operate', 'The log ends at'],
      ['no place', '#/nowhere', 'There is no such place here'],
    ])('has what people need who see little, or use no mouse: %s', async (_, place, words) => {
      await page.goto(`${annals.url}/${place.replace('message=1', `message=${edited}`)}`);
      await page.getByText(words).first().waitFor({ state: 'attached' });
      await accessible();
    });

    it('has it where names are offered: at a message, in its edit, at the search', async () => {
      await page.setViewportSize({ width: 1440, height: 800 });
      await page.goto(`${annals.url}/#/channels/1/topics/stars`);
      await page.getByRole('button', { name: 'React', exact: true }).first().click();
      await page.getByRole('option').first().waitFor();
      await accessible();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Edit', exact: true }).first().click();
      await page.getByRole('textbox', { name: 'Edited message' }).waitFor();
      await page.keyboard.type(' @an');
      await page.getByRole('option').first().waitFor();
      await accessible();
      await page.setViewportSize({ width: 1440, height: 800 });
      await page.getByRole('searchbox', { name: 'Search messages' }).focus();
      await page.getByRole('option').first().waitFor();
      await accessible();
    });

    /** Compares the page at each width with the rules of WCAG 2.1 AA. */
    const accessible = async (): Promise<void> => {
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        await page.evaluate(axe);
        const options = JSON.stringify({ runOnly: { type: 'tag', values: RULES } });
        const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${options})`);
        const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${width} px, ${id}: ${html}`));
        expect(found).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      }
    };
  },
);
