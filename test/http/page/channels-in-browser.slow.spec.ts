import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { buildPage } from '../../support/built-page.js';
import { eventually } from '../../support/eventually.js';
import { launchBrowser, whyNoBrowser } from '../../support/outside/browser.js';
import { expectUsable } from '../../support/outside/page-checks.js';
import { signInAt, type Visitor, visit } from '../../support/outside/page-visitor.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const PASSWORD = 'an honest secret';

const missing = await whyNoBrowser();
if (missing !== null) process.stdout.write(`channels are not tried in a browser: ${missing}\n`);

(missing === null ? describe : describe.skip)('channels in a browser', () => {
  let annals: Annals;
  let owner: Member;
  let browser: Browser;
  let ann: Visitor;
  let bob: Visitor;

  beforeAll(async () => {
    await buildPage();
    annals = await Annals.start({ ANNALS_ORGANIZATION: 'Observatory' });
    owner = await annals.owner();
    for (const name of ['Ann', 'Bob'])
      await owner.api.post('/users', { email: `${name}@example.com`, password: PASSWORD, full_name: name });
    browser = await launchBrowser();
    [ann, bob] = await Promise.all([opened('Ann'), opened('Bob')]);
  });
  afterAll(async () => {
    await browser?.close();
    await annals?.stop();
  });

  async function opened(name: string): Promise<Visitor> {
    const visitor = await visit(browser, `${annals.url}/#/channels`);
    await signInAt(visitor.page, { email: `${name}@example.com`, password: PASSWORD });
    await visitor.page.getByRole('link', { name: '#general' }).waitFor();
    return visitor;
  }

  const row = (page: Page, name: string) =>
    page.locator('.rows > li').filter({ has: page.getByRole('link', { name: `#${name}`, exact: true }) });
  const more = (page: Page, name: string) => page.getByRole('button', { name: `More of ${name}`, exact: true });
  const add = async (page: Page, name: string, description: string): Promise<void> => {
    await page.getByLabel('Name of the new channel').fill(name);
    await page.getByLabel('What it is about').fill(description);
    await page.getByRole('button', { name: 'Make it' }).press('Enter');
  };

  it('are made, and are joined and left by others who see them at once', async () => {
    await add(ann.page, 'mirrors', 'Glass and silver');
    await row(bob.page, 'mirrors').getByText('1 person · Glass and silver').waitFor();
    await bob.page.getByRole('button', { name: 'Join mirrors' }).press('Enter');
    await row(ann.page, 'mirrors').getByText('2 people').waitFor();
    await bob.page.getByRole('button', { name: 'Leave mirrors' }).press('Enter');
    await row(ann.page, 'mirrors').getByText('1 person').waitFor();
    await bob.page.getByRole('button', { name: 'Join mirrors' }).waitFor();
  });

  it('are changed by those who keep them, and others are not offered it', async () => {
    await add(ann.page, 'lenses', '');
    await more(ann.page, 'lenses').press('Enter');
    await row(ann.page, 'lenses').getByLabel('Description').fill('To see far');
    await row(ann.page, 'lenses').getByRole('button', { name: 'Save' }).press('Enter');
    await row(bob.page, 'lenses').getByText('To see far').waitFor();

    await more(bob.page, 'lenses').press('Enter');
    await row(bob.page, 'lenses').getByRole('region', { name: 'People in lenses' }).getByText('Ann').waitFor();
    for (const name of ['Save', 'Archive lenses', 'Remove Ann'])
      expect(await row(bob.page, 'lenses').getByRole('button', { name }).count()).toBe(0);

    // Whoever has only a keyboard goes on at the next channel, and then at the list that it came back to.
    await ann.page.getByRole('button', { name: 'Archive lenses' }).press('Enter');
    for (const { page } of [ann, bob]) await page.getByRole('heading', { name: 'Archived' }).waitFor();
    await ann.page.locator('a:focus', { hasText: '#mirrors' }).waitFor();
    expect(await bob.page.getByRole('button', { name: 'Open again lenses' }).count()).toBe(0);
    await ann.page.getByRole('button', { name: 'Open again lenses' }).press('Enter');
    await eventually(async () => expect(await bob.page.getByRole('heading', { name: 'Archived' }).count()).toBe(0));
    await ann.page.locator('h2:focus').waitFor();
  });

  it('say what to do where there is none', async () => {
    await bob.page.getByLabel('Find a channel').fill('no such words');
    await bob.page.getByText('No channel has these words in its name or description: try others.').waitFor();
    await bob.page.getByLabel('Find a channel').fill('');
  });

  it('ask before the last one leaves a private one', async () => {
    await ann.page.getByLabel('Private: only').last().press('Space');
    // What others do meanwhile renders the list anew, and leaves what is filled in.
    await bob.page.getByRole('button', { name: 'Join mirrors' }).press('Enter');
    await row(ann.page, 'mirrors').getByText('2 people').waitFor();
    await add(ann.page, 'secrets', '');
    await ann.page.getByRole('button', { name: 'Leave secrets' }).press('Enter');
    await row(ann.page, 'secrets').getByRole('alert').getByText('You are the last one in it').waitFor();
    // A second press of the key leaves nothing.
    await ann.page.keyboard.press('Enter');
    await ann.page.locator('button:focus', { hasText: 'Leave secrets' }).press('Enter');
    await row(ann.page, 'secrets').getByRole('button', { name: 'Leave all the same' }).press('Enter');
    await eventually(async () => {
      const api = annals.api.as({ email: 'Ann@example.com', apiKey: await keyOf('Ann') });
      const { subscriptions } = (await api.get('/users/me/subscriptions')).body;
      expect(subscriptions).not.toContainEqual(expect.objectContaining({ name: 'secrets' }));
    });
  });

  it('get people and lose them, and are muted by each for oneself', async () => {
    await add(ann.page, 'gratings', '');
    await more(ann.page, 'gratings').press('Enter');
    const people = row(ann.page, 'gratings').getByRole('region', { name: 'People in gratings' });
    await people.getByLabel('Add a person to gratings').fill('bo');
    await people.getByRole('button', { name: 'Bob', exact: true }).press('Enter');
    await people.getByRole('button', { name: 'Remove Bob' }).waitFor();
    await bob.page.getByRole('button', { name: 'Leave gratings' }).waitFor();
    await people.getByRole('button', { name: 'Remove Bob' }).press('Enter');
    await bob.page.getByRole('button', { name: 'Join gratings' }).waitFor();

    await row(ann.page, 'gratings').getByLabel('Muted').press('Space');
    await eventually(async () => {
      const api = annals.api.as({ email: 'Ann@example.com', apiKey: await keyOf('Ann') });
      const { subscriptions } = (await api.get('/users/me/subscriptions')).body;
      expect(subscriptions).toContainEqual(expect.objectContaining({ name: 'gratings', is_muted: true }));
    });
  });

  it('are written to by whom it is given to, and others are told it', async () => {
    const label = 'Write to it';
    const rights = ({ page }: Visitor) =>
      row(page, 'gratings').getByRole('region', { name: 'Who may do what in gratings' });
    await more(bob.page, 'gratings').press('Enter');
    await rights(ann).getByLabel(label).selectOption('Moderators');
    await rights(bob).locator('p', { hasText: label }).getByText('Moderators').waitFor();
    expect(await rights(bob).getByRole('combobox').count()).toBe(0);
  });

  it('are told apart from places that there are not, by the title', async () => {
    await bob.page.goto(`${annals.url}/#/channels/abc`);
    await eventually(async () => expect(await bob.page.title()).toBe('There is no such place here'));
    await bob.page.goto(`${annals.url}/#/channels`);
    await eventually(async () => expect(await bob.page.title()).toBe('Channels'));
  });

  it('are usable by all, and break no rule of the policy', async () => {
    await more(bob.page, 'general').press('Enter');
    await row(bob.page, 'general').getByRole('region', { name: 'People in general' }).waitFor();
    await expectUsable(bob.page);
    expect([...ann.amiss, ...bob.amiss]).toEqual([]);
  });

  async function keyOf(name: string): Promise<string> {
    const login = { username: `${name}@example.com`, password: PASSWORD };
    return (await annals.api.post('/fetch_api_key', login)).body.api_key;
  }
});
