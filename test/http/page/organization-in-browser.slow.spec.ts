import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { buildPage } from '../../support/built-page.js';
import { eventually } from '../../support/eventually.js';
import { launchBrowser, whyNoBrowser } from '../../support/outside/browser.js';
import { expectUsable } from '../../support/outside/page-checks.js';
import { signInAt, type Visitor, visit } from '../../support/outside/page-visitor.js';
import { Annals } from '../../support/servers/annals.js';

const PASSWORD = 'an honest secret';

const missing = await whyNoBrowser();
if (missing !== null) process.stdout.write(`the organization is not tried in a browser: ${missing}\n`);

(missing === null ? describe : describe.skip)('the organization in a browser', () => {
  let annals: Annals;
  let browser: Browser;
  let owner: Visitor;
  let bob: Visitor;

  beforeAll(async () => {
    await buildPage();
    annals = await Annals.start({ ANNALS_ORGANIZATION: 'Observatory', ANNALS_OWNER_PASSWORD: PASSWORD });
    const { api, email } = await annals.owner();
    await api.post('/users', { email: 'bob@example.com', password: PASSWORD, full_name: 'Bob' });
    browser = await launchBrowser();
    [owner, bob] = await Promise.all([opened(email), opened('bob@example.com')]);
  });
  afterAll(async () => {
    await browser?.close();
    await annals?.stop();
  });

  async function opened(email: string): Promise<Visitor> {
    const visitor = await visit(browser, `${annals.url}/#/organization`);
    await signInAt(visitor.page, { email, password: PASSWORD });
    await visitor.page.getByRole('heading', { name: 'Who may do what with channels' }).waitFor();
    return visitor;
  }

  /** What somebody reads who cannot change it. */
  const told = (words: string) => bob.page.locator('p.setting', { hasText: words }).locator('strong');

  const setting = async (name: string): Promise<unknown> =>
    (await (await annals.owner()).api.post('/register', { fetch_event_types: ['realm'] })).body[`realm_${name}`];

  const chosenIn = (page: Page, label: string) => page.getByLabel(label).locator('option:checked');

  it('has settings that administrators change by the keyboard, and that everybody sees at once', async () => {
    const name = owner.page.getByLabel('Name of the organization');
    await name.fill('Observatory of the North');
    await name.press('Enter');
    await told('Name of the organization').getByText('Observatory of the North').waitFor();

    await owner.page.getByLabel('People may edit their messages').press('Space');
    await told('People may edit their messages').getByText('no', { exact: true }).waitFor();

    const limit = owner.page.getByLabel('For how long people may delete their messages');
    await limit.fill('1.5');
    await limit.press('Enter');
    await told('For how long people may delete their messages').getByText('1.5 minutes').waitFor();
    expect(await setting('message_content_delete_limit_seconds')).toBe(90);
    await limit.fill('');
    await limit.press('Enter');
    await told('For how long people may delete their messages').getByText('without limit').waitFor();

    await owner.page.getByLabel('What people see of earlier versions').selectOption('nothing');
    await told('What people see of earlier versions').getByText('nothing').waitFor();
    await owner.page.getByLabel('Channel that reports of messages go to').selectOption('#general');
    await told('Channel that reports of messages go to').getByText('#general').waitFor();
    await owner.page.getByLabel('Administrators alone change pictures').press('Space');
    await told('Administrators alone change pictures').getByText('yes').waitFor();
    expect(await bob.page.locator('main :is(input, select, textarea, button)').count()).toBe(0);
  });

  it('tells in the words of the server what is refused, beside what was typed', async () => {
    const language = owner.page.getByLabel('Language of new accounts');
    await language.fill('tlh');
    await language.press('Enter');
    const row = owner.page.locator('.setting').filter({ has: language });
    await row
      .getByRole('alert')
      .getByText(/^“Language of new accounts/)
      .waitFor();
    expect(await language.inputValue()).toBe('tlh');
    expect(await setting('default_language')).toBe('en');
  });

  it('has an icon', async () => {
    const picture = { create: { width: 8, height: 8, channels: 3, background: '#c00' } } as const;
    const buffer = await sharp(picture).png().toBuffer();
    const file = { name: 'icon.png', mimeType: 'image/png', buffer };
    await owner.page.getByLabel(/^Another icon/).setInputFiles(file);
    for (const { page } of [owner, bob]) await page.getByRole('img', { name: 'As others see it' }).waitFor();
    await owner.page.getByRole('button', { name: 'Remove the icon' }).press('Enter');
    await bob.page.getByText('There is none.').waitFor();
  });

  it('gives permissions to groups by their names, and keeps others until another is chosen', async () => {
    const { api } = await annals.owner();
    const { body } = await api.get('/users');
    const bobsId = body.members.find(({ full_name }: { full_name: string }) => full_name === 'Bob').user_id;
    const channels = 'Make public channels';
    const administrators = 6;
    const named = { direct_members: [bobsId], direct_subgroups: [administrators] };
    await api.patch('/realm', { can_create_public_channel_group: { new: named } });
    await told(channels).getByText('Administrators, Bob').waitFor();
    expect(await chosenIn(owner.page, channels).textContent()).toBe('Administrators, Bob');

    const { body: made } = await api.post('/user_groups/create', { name: 'night', description: '', members: [bobsId] });
    expect(made.result).toBe('success');
    await owner.page.getByLabel(channels).locator('option', { hasText: 'night' }).waitFor({ state: 'attached' });
    await owner.page.getByLabel(channels).selectOption('night');
    await told(channels).getByText('night').waitFor();
    await eventually(async () => expect(await setting('can_create_public_channel_group')).toBe(made.group_id));
    expect(await owner.page.getByLabel(channels).locator('option').allTextContents()).not.toContain('Nobody');
    await owner.page.getByLabel(channels).selectOption('Moderators');
    await told(channels).getByText('Moderators').waitFor();
  });

  it('does not undo what somebody else has chosen meanwhile', async () => {
    const label = 'Make invitation links';
    await owner.page.route('**/api/v1/realm', async (route) => {
      await (await annals.owner()).api.patch('/realm', { create_multiuse_invite_group: { new: 5 } });
      await route.continue();
    });
    await owner.page.getByLabel(label).selectOption('Owners');
    const row = owner.page.locator('.setting').filter({ has: owner.page.getByLabel(label) });
    await row.getByRole('alert').getByText(/./).waitFor();
    await owner.page.unroute('**/api/v1/realm');
    await told(label).getByText('Moderators').waitFor();
    await eventually(async () => expect(await chosenIn(owner.page, label).textContent()).toBe('Moderators'));
  });

  it('is usable by all, and breaks no rule of the policy', async () => {
    for (const { page } of [owner, bob]) await expectUsable(page);
    expect([...owner.amiss, ...bob.amiss]).toEqual([]);
  });
});
