import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { buildPage } from '../../support/built-page.js';
import { eventually } from '../../support/eventually.js';
import { launchBrowser, whyNoBrowser } from '../../support/outside/browser.js';
import { expectUsable } from '../../support/outside/page-checks.js';
import { signInAt, type Visitor, visit } from '../../support/outside/page-visitor.js';
import { Annals } from '../../support/servers/annals.js';

const PASSWORD = 'an honest secret';

const missing = await whyNoBrowser();
if (missing !== null) process.stdout.write(`groups are not tried in a browser: ${missing}\n`);

(missing === null ? describe : describe.skip)('groups in a browser', () => {
  let annals: Annals;
  let browser: Browser;
  let ann: Visitor;
  let bob: Visitor;

  beforeAll(async () => {
    await buildPage();
    annals = await Annals.start({ ANNALS_ORGANIZATION: 'Observatory' });
    const { api } = await annals.owner();
    for (const name of ['Ann', 'Bob'])
      await api.post('/users', { email: `${name}@example.com`, password: PASSWORD, full_name: name });
    browser = await launchBrowser();
    [ann, bob] = await Promise.all([opened('Ann'), opened('Bob')]);
  });
  afterAll(async () => {
    await browser?.close();
    await annals?.stop();
  });

  async function opened(name: string): Promise<Visitor> {
    const visitor = await visit(browser, `${annals.url}/#/groups`);
    await signInAt(visitor.page, { email: `${name}@example.com`, password: PASSWORD });
    await visitor.page.getByText('There is no group yet: make the first one below.').waitFor();
    return visitor;
  }

  const row = (page: Page, name: string) =>
    page.locator('section > .rows > li').filter({ has: page.getByText(name, { exact: true }) });

  it('are made, joined, left and changed, and the server tells others why not', async () => {
    await ann.page.getByLabel('Name of the new group').fill('night');
    await ann.page.getByLabel('Who is in it').fill('Those who are awake');
    await ann.page.getByRole('button', { name: 'Make it' }).press('Enter');
    await row(bob.page, 'night').getByText('1 person · Those who are awake').waitFor();
    await bob.page.getByRole('button', { name: 'Join night' }).press('Enter');
    await row(bob.page, 'night')
      .getByRole('alert')
      .getByText(/permission/)
      .waitFor();

    await ann.page.getByRole('button', { name: 'More of night' }).press('Enter');
    const people = row(ann.page, 'night').getByRole('region', { name: 'People in night' });
    await people.getByLabel('Add a person to night').fill('bo');
    await people.getByRole('button', { name: 'Bob', exact: true }).press('Enter');
    await row(bob.page, 'night').getByText('2 people').waitFor();
    await bob.page.getByRole('button', { name: 'Leave night' }).press('Enter');
    await row(ann.page, 'night').getByText('1 person').waitFor();

    await row(ann.page, 'night').getByLabel('Name').fill('late night');
    await row(ann.page, 'night').getByRole('button', { name: 'Save' }).press('Enter');
    await row(bob.page, 'late night').waitFor();
  });

  it('may be joined by whom it is given to', async () => {
    const rights = row(ann.page, 'late night').getByRole('region', { name: 'Who may do what in late night' });
    await rights.getByLabel('Join it').selectOption('Everybody but guests');
    await eventually(async () => {
      const { body } = await (await annals.owner()).api.get('/user_groups');
      expect(body.user_groups).toContainEqual(expect.objectContaining({ name: 'late night', can_join_group: 3 }));
    });
    await bob.page.getByRole('button', { name: 'Join late night' }).press('Enter');
    await bob.page.getByRole('button', { name: 'Leave late night' }).waitFor();
  });

  it('are deactivated and come back', async () => {
    await ann.page.getByRole('button', { name: 'Deactivate late night' }).press('Enter');
    await bob.page.getByRole('heading', { name: 'Deactivated' }).waitFor();
    await ann.page.getByText('There is no group yet').waitFor();
    await ann.page.locator('h2:focus', { hasText: 'No group' }).waitFor();
    await ann.page.getByRole('button', { name: 'Reactivate late night' }).press('Enter');
    await bob.page.getByRole('heading', { name: 'Deactivated' }).waitFor({ state: 'detached' });
  });

  it('are usable by all, and break no rule of the policy', async () => {
    await bob.page.getByRole('button', { name: 'More of late night' }).press('Enter');
    await row(bob.page, 'late night').getByRole('region', { name: 'People in late night' }).waitFor();
    await expectUsable(bob.page);
    expect([...ann.amiss, ...bob.amiss]).toEqual([]);
  });
});
