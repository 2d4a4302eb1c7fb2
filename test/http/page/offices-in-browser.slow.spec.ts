import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { ROLES } from '../../../src/events/shared/role.js';
import { GrantPermission } from '../../../src/features/users/domain/grant-permission.js';
import { buildPage } from '../../support/built-page.js';
import { eventually } from '../../support/eventually.js';
import { launchBrowser, whyNoBrowser } from '../../support/outside/browser.js';
import { expectUsable } from '../../support/outside/page-checks.js';
import { Annals, by, type Member } from '../../support/servers/annals.js';

const PASSWORD = 'an honest secret';
const WIDTH = 360;
const MESSAGES = 500;

const missing = await whyNoBrowser();
if (missing !== null) process.stdout.write(`the page is not tried in a browser: ${missing}\n`);

(missing === null ? describe : describe.skip)('the page for those who keep the server', () => {
  let annals: Annals;
  let owner: Member;
  let browser: Browser;
  let page: Page;
  /** What the browser complains of, breaches of the policy among it. */
  let amiss: string[];

  beforeAll(async () => {
    await buildPage();
    annals = await Annals.start({ ANNALS_ORGANIZATION: 'Observatory', ANNALS_RATE_LIMIT: '0' });
    owner = await annals.owner();
    await person('Olga', ROLES.owner);
    await person('Mo', ROLES.member);
    const userId = await person('Grant', ROLES.administrator);
    await annals.execute(new GrantPermission({ permission: 'can_create_users', userId, by }));
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await annals?.stop();
  });

  beforeEach(async () => {
    amiss = [];
    page = await browser.newPage({ viewport: { width: WIDTH, height: 640 } });
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        amiss.push(message.text());
    });
    page.on('pageerror', (error) => amiss.push(String(error)));
  });
  afterEach(async () => {
    await page.close();
    expect(amiss).toEqual([]);
  });

  const addressOf = (name: string): string => `${name.toLowerCase()}@example.com`;

  async function person(name: string, role: number): Promise<number> {
    const account = { email: addressOf(name), password: PASSWORD, full_name: name };
    const { user_id: id } = (await owner.api.post('/users', account)).body;
    await owner.api.patch(`/users/${id}`, { role });
    return id;
  }

  /** Enough messages that somebody sees the rebuild. */
  async function sendMany(): Promise<void> {
    const text = { type: 'channel', to: 'general', topic: 'words' };
    for (let count = 0; count < MESSAGES; count += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => owner.api.post('/messages', { ...text, content: `${count + index}` })),
      );
  }

  /** Opens a place as somebody who is asked to sign in first. */
  async function openAs(name: string, place: string): Promise<void> {
    await page.goto(`${annals.url}/#/${place}`);
    await page.getByLabel('Your mail address').fill(addressOf(name));
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
  }

  describe('the server', () => {
    it('is shown as it moves: projections, engines, the end of the log', async () => {
      await openAs('Olga', 'operate');
      await page.getByText('The server can do its work').waitFor();
      for (const name of ['directory', 'messages']) await page.getByRole('rowheader', { name, exact: true }).waitFor();
      await page.getByText('All events were handled').waitFor();
      await page.getByText(/^The log can be reached/).waitFor();
      await expectUsable(page);
      await owner.api.post('/saved_snippets', { title: 'a', content: 'b' });
      await page
        .locator('.log-end')
        .getByText(String(await annals.head()), { exact: true })
        .waitFor();
      await page.getByText(/^Events of the log: .*a second/).waitFor();
      expect(await page.locator('polyline').first().getAttribute('points')).toMatch(/^[\d., ]+$/);
    });

    it('is shown by figures of its process, as charts that move', async () => {
      await openAs('Olga', 'operate');
      const chart = (title: string) => page.getByRole('figure').filter({ hasText: title });
      await chart('Messages sent')
        .getByText(/^0 a second$/)
        .waitFor();
      await owner.api.post('/messages', { type: 'channel', to: 'general', topic: 'words', content: 'counted' });
      await chart('Messages sent')
        .getByText(/at most (0\.)?[1-9]/)
        .waitFor();
      await chart('Requests')
        .getByText(/^[\d.]+ a second$/)
        .waitFor();
      for (const title of ['Time of requests', 'Delay of the event loop', 'Memory']) {
        await chart(title)
          .getByText('dashed: ')
          .getByText(/^[\d.,]+ (ms|MiB)$/)
          .waitFor();
        expect(await chart(title).locator('polyline').count()).toBe(2);
      }
      await chart('Event queues')
        .getByText(/^\d+ queues$/)
        .waitFor();
      const points = () => chart('Memory').locator('polyline').first().getAttribute('points');
      const before = await points();
      await eventually(async () => expect(await points()).not.toBe(before));
      await expectUsable(page);
    });

    it('tells how far a build is', async () => {
      await page.route('**/api/v1/health', async (route) => {
        const response = await route.fetch();
        const body = await response.json();
        body.projections[0].progress = { done: 40, total: 160, eventsPerSecond: 20.4, secondsLeft: 5.5 };
        await route.fulfill({ response, json: body });
      });
      await openAs('Olga', 'operate');
      const build = page.getByRole('progressbar', { name: 'is built anew' });
      expect(await build.evaluate(({ value, max }: { value: number; max: number }) => [value, max])).toEqual([40, 160]);
      await page.getByText('40 of 160 events, 20 a second 6 s are left').waitFor();
      await expectUsable(page);
    });

    it('rebuilds a projection for owners while it serves, and tells how far that is and when it is done', async () => {
      const statusOf = async () => (await annals.health()).projections.find(({ name }) => name === 'messages');
      await sendMany();
      const before = await statusOf();
      await openAs('Olga', 'operate');
      const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'messages', exact: true }) });
      await row.getByRole('button', { name: 'Rebuild messages' }).press('Enter');
      await row.getByRole('progressbar', { name: 'is built anew' }).waitFor();
      // A second press of the key asks for nothing.
      await row.getByRole('button', { name: 'Rebuild messages', disabled: true }).press('Enter');
      await page.getByRole('status').getByText('messages has been built anew').waitFor();
      await row.getByText('up to date').waitFor();
      expect(await page.getByRole('alert').allTextContents()).toEqual(['', '']);
      expect(await statusOf()).toMatchObject({ version: before?.version, upToDate: true });
      expect((await statusOf())?.database).not.toBe(before?.database);
    });

    it('is refused a rebuild in the words of the server', async () => {
      await openAs('Olga', 'operate');
      await page.route('**/rebuild', (route) =>
        route.continue({ url: route.request().url().replace('sends', 'wishes') }),
      );
      await page.getByRole('button', { name: 'Rebuild sends' }).press('Enter');
      await page.getByRole('alert').getByText('There is no projection wishes').waitFor();
    });

    it('rebuilds nothing for administrators, who see the same', async () => {
      await openAs('Grant', 'operate');
      await page.getByRole('rowheader', { name: 'messages', exact: true }).waitFor();
      expect(await page.getByRole('button').count()).toBe(0);
    });

    it('is not shown to others, in the words of the server', async () => {
      await openAs('Mo', 'operate');
      await page.getByRole('alert').getByText('You may not see how the server does').waitFor();
      expect(await page.getByRole('table').count()).toBe(0);
    });

    it('is found from the beginning by those who keep it alone', async () => {
      await openAs('Olga', '');
      await page.getByRole('link', { name: 'Server', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Server' }).waitFor();
      await page.getByRole('link', { name: 'To the beginning' }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await openAs('Mo', '');
      await page.getByRole('heading', { name: 'You are signed in as Mo' }).waitFor();
      expect(await page.getByRole('link', { name: 'Server', exact: true }).count()).toBe(0);
    });
  });

  describe('people', () => {
    const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });

    it('get a role, are deactivated and reactivated', async () => {
      const id = await person('Rita', ROLES.member);
      const rita = async () => (await owner.api.get(`/users/${id}`)).body.user;
      await openAs('Olga', 'people');
      await page.getByLabel('Role of Rita').selectOption('moderator');
      await eventually(async () => expect(await rita()).toMatchObject({ role: ROLES.moderator }));
      // The page does one thing after another.
      await page.getByRole('button', { name: 'Deactivate Rita', disabled: false }).press('Enter');
      await row('Rita').getByText('deactivated').waitFor();
      expect(await rita()).toMatchObject({ is_active: false });
      await page.getByRole('button', { name: 'Reactivate Rita' }).press('Enter');
      await page.getByRole('button', { name: 'Deactivate Rita' }).waitFor();
      expect(await rita()).toMatchObject({ is_active: true, role: ROLES.moderator });
      // Nobody locks themselves out from here.
      expect(await row('Olga').getByRole('button').count()).toBe(0);
      await expectUsable(page);
    });

    it('are added by those who were granted it, and the server says why not', async () => {
      await openAs('Olga', 'people');
      await page.getByRole('heading', { name: 'Invitations' }).waitFor();
      await page.getByLabel('Role of those who join').waitFor();
      expect(await page.getByRole('heading', { name: 'Add somebody' }).count()).toBe(0);

      await openAnew('Grant');
      await fill({ Name: 'Zoe', 'Mail address': 'zoe@example.com', 'First password': 'short' });
      await page.getByRole('button', { name: 'Add', exact: true }).press('Enter');
      await page
        .getByRole('alert')
        .getByText(/password/i)
        .waitFor();
      await page.getByLabel('First password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Add', exact: true }).press('Enter');
      await row('Zoe').getByText('zoe@example.com').waitFor();
      // Only owners change owners.
      expect(await row('Olga').getByRole('button').count()).toBe(0);
      await expectUsable(page);
    });

    it('have logins that administrators end', async () => {
      const login = { username: addressOf('Mo'), password: PASSWORD };
      const { api_key: apiKey } = (await annals.api.post('/fetch_api_key', login)).body;
      await openAs('Olga', 'people');
      await page.getByRole('button', { name: 'Logins of Mo' }).press('Enter');
      const logins = page.getByRole('region', { name: 'Logins of Mo' });
      await logins.getByRole('button').last().press('Enter');
      const mo = annals.api.as({ email: addressOf('Mo'), apiKey });
      await eventually(async () => expect((await mo.get('/users/me')).status).toBe(401));
      await expectUsable(page);
    });

    it('can join by a link until it is revoked', async () => {
      await openAs('Olga', 'people');
      await page.getByLabel('Role of those who join').selectOption('guest');
      await page.getByRole('button', { name: 'Make a link for many' }).press('Enter');
      await page.getByText(`${annals.url}/join/`).waitFor();
      expect((await owner.api.get('/invites')).body.invites).toMatchObject([{ is_multiuse: true, invited_as: 600 }]);
      await expectUsable(page);
      await page.getByRole('button', { name: 'Revoke A link for many' }).press('Enter');
      await page.getByText('Nobody is invited now.').waitFor();
      expect((await owner.api.get('/invites')).body.invites).toEqual([]);
    });

    it('are only shown to members', async () => {
      await openAs('Mo', 'people');
      await row('Olga').getByText('owner').waitFor();
      await page.getByText('Nobody is invited now.').waitFor();
      expect(await page.getByRole('button').count()).toBe(0);
      expect(await page.getByRole('combobox').count()).toBe(0);
    });

    it('are not led to what would refuse them', async () => {
      await openAs('Mo', 'people');
      const offices = page.getByRole('navigation', { name: 'Organization and server' });
      await offices.getByRole('link', { name: 'People' }).waitFor();
      expect(await offices.getByRole('link').allTextContents()).toEqual([
        ...['People', 'Channels', 'Groups', 'Organization'],
      ]);
      await openAnew('Grant');
      await offices.getByRole('link', { name: 'Server' }).waitFor();
      expect(await offices.getByRole('link', { name: 'History' }).count()).toBe(0);
      await openAnew('Olga');
      await offices.getByRole('link', { name: 'History' }).waitFor();
    });

    const fill = async (words: Readonly<Record<string, string>>): Promise<void> => {
      for (const [label, text] of Object.entries(words)) await page.getByLabel(label, { exact: true }).fill(text);
    };

    async function openAnew(name: string): Promise<void> {
      await page.context().clearCookies();
      await page.reload();
      await openAs(name, 'people');
    }
  });

  describe('permissions', () => {
    it('are explained by what the server asks for', async () => {
      await openAs('Olga', 'why');
      await page.getByLabel('Why may').selectOption('Mo');
      await page.getByLabel(/^do this/).fill('administer');
      await page.getByRole('button', { name: 'Ask' }).press('Enter');
      await page.getByRole('heading', { name: 'No', exact: true }).waitFor();
      await page.getByText('✗ not: account is an administrator – decides').waitFor();
      await expectUsable(page);
      await page.getByLabel(/^do this/).fill('can_create_public_channel_group');
      await page.getByRole('button', { name: 'Ask' }).press('Enter');
      await page.getByRole('heading', { name: 'Yes', exact: true }).waitFor();
      await page.getByText(/names Members \(is in it\)/).waitFor();
      await page.getByLabel(/^do this/).fill('fly');
      await page.getByRole('button', { name: 'Ask' }).press('Enter');
      await page.getByRole('alert').getByText(/fly/).waitFor();
      expect(await page.getByRole('heading', { name: 'Yes', exact: true }).count()).toBe(0);
    });
  });
});
