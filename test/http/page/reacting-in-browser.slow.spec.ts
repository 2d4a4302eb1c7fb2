import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { buildPage } from '../../support/built-page.js';
import { launchBrowser, whyNoBrowser } from '../../support/outside/browser.js';
import { signInAt, type Visitor, visit } from '../../support/outside/page-visitor.js';
import { flatPng } from '../../support/pictures.js';
import { addEmoji } from '../../support/requests/custom-emoji.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const ANN = { email: 'ann@example.com', password: 'an honest secret' };

const missing = await whyNoBrowser();
if (missing !== null) process.stdout.write(`reacting and editing are not tried in a browser: ${missing}\n`);

/** On a phone's width, by keys alone. */
(missing === null ? describe : describe.skip)('reacting to messages and editing them in a browser', () => {
  let annals: Annals;
  let browser: Browser;
  let bob: Member;
  let visitor: Visitor;
  let page: Page;
  let topics = 0;

  beforeAll(async () => {
    await buildPage();
    annals = await Annals.start();
    const owner = await annals.owner();
    await owner.api.post('/users', { ...ANN, full_name: 'Ann' });
    bob = await annals.user('bob');
    await addEmoji(annals.url, owner, 'logo', await flatPng(30, 10));
    browser = await launchBrowser();
    visitor = await visit(browser, annals.url);
    page = visitor.page;
    await signInAt(page, ANN);
    await page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'attached' });
  });
  afterAll(async () => {
    await browser?.close();
    await annals?.stop();
  });

  /** Each spec has a topic of its own. */
  beforeEach(async () => {
    topics += 1;
    await page.goto(`${annals.url}/#/channels/1/topics/topic%20${topics}`);
    await page.getByText('There are no messages here').waitFor();
  });
  afterEach(async () => {
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(visitor.amiss).toEqual([]);
  });

  const say = async (content: string): Promise<number> =>
    (await bob.api.post('/messages', { type: 'channel', to: 'general', topic: `topic ${topics}`, content })).body.id;
  const reaction = (name: string) =>
    page.getByRole('list', { name: 'Reactions' }).getByRole('button', { name, exact: true });
  const reactionsOf = async (id: number) => (await bob.api.get(`/messages/${id}`)).body.message.reactions;
  const offered = () => page.getByRole('option');
  const edited = () => page.getByRole('textbox', { name: 'Edited message' });

  async function press(button: string): Promise<void> {
    await page.getByRole('button', { name: button, exact: true }).first().focus();
    await page.keyboard.press('Enter');
  }

  it('joins and leaves the reactions of others', async () => {
    const id = await say('Cake!');
    await bob.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
    await reaction('tada 1').waitFor();
    expect(await reaction('tada 1').getAttribute('aria-pressed')).toBe('false');
    await press('tada 1');
    await reaction('tada 2').waitFor();
    expect(await reaction('tada 2').getAttribute('aria-pressed')).toBe('true');
    expect(await reaction('tada 2').getAttribute('title')).toBe('bob and Ann');
    // The focus stays: what was done can be undone.
    await page.keyboard.press('Enter');
    await reaction('tada 1').waitFor();
    expect(await reactionsOf(id)).toHaveLength(1);
  });

  it('reacts with any emoji by its name, the own ones of the organization among them', async () => {
    const id = await say('What do you think?');
    await page.locator('.messages').getByText('What do you think?').waitFor();
    await press('React');
    await offered().getByText(':tada:').waitFor();
    await page.keyboard.type('octo');
    await offered().getByText(':octopus:').waitFor();
    await page.keyboard.press('Enter');
    await reaction('octopus 1').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('logo');
    await offered().getByText(':logo:').waitFor();
    await page.keyboard.press('Enter');
    await reaction('logo 1').getByRole('img', { name: 'logo' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('searchbox', { name: 'Emoji by name' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox', { name: 'Emoji by name' }).waitFor({ state: 'detached' });
    // Whoever goes on by Tab does not react.
    await page.keyboard.press('Enter');
    await offered().first().waitFor();
    await page.keyboard.type('no such emoji');
    await page.getByRole('status').getByText('No emoji has such a name').waitFor();
    await page.getByRole('searchbox', { name: 'Emoji by name' }).fill('');
    await offered().first().waitFor();
    await page.keyboard.press('Tab');
    await page.getByRole('searchbox', { name: 'Emoji by name' }).waitFor({ state: 'detached' });
    expect(await reactionsOf(id)).toMatchObject([
      { emoji_name: 'octopus', reaction_type: 'unicode_emoji' },
      { emoji_name: 'logo', reaction_type: 'realm_emoji', emoji_code: '1' },
    ]);
  });

  it('edits with the names, the files and the preview that a new message has', async () => {
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('First');
    await page.keyboard.press('Control+Enter');
    await page.locator('.messages').getByText('First', { exact: true }).waitFor();
    await press('Edit');
    await edited().waitFor();
    await page.keyboard.type(' @bo');
    await offered().getByText('bob').waitFor();
    await page.keyboard.press('Enter');
    expect(await edited().inputValue()).toBe('First @**bob** ');
    await page.keyboard.type('#gen');
    await offered().getByText('#general').waitFor();
    await page.keyboard.press('Escape');
    await page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File(['notes'], 'notes.txt', { type: 'text/plain' }));
      const about = { bubbles: true, cancelable: true, clipboardData };
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', about));
    }`);
    await page.getByRole('list', { name: 'Files on their way' }).waitFor({ state: 'detached' });
    await press('Preview');
    await page.getByRole('region', { name: 'Preview' }).getByText('@bob').waitFor();
    await edited().press('Control+Enter');
    await page.locator('.messages .content').getByRole('link', { name: 'notes.txt' }).waitFor();
    await page.locator('.messages .user-mention').waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    // One is where the edit began.
    await page.keyboard.press('Enter');
    await edited().waitFor();
    // Why nothing happens is told at the field.
    await edited().fill(' ');
    await press('Save');
    expect(await edited().evaluate((box: { validationMessage: string }) => box.validationMessage)).toMatch(/^Nothing/);
    await press('Cancel');
    await edited().waitFor({ state: 'detached' });
  });
});
