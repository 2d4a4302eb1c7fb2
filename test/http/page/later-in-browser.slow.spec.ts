import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import {
  BeginScheduledSend,
  FailScheduledSend,
} from '../../../src/features/scheduled-messages/domain/scheduled-messages.js';
import { buildPage } from '../../support/built-page.js';
import { launchBrowser, whyNoBrowser } from '../../support/outside/browser.js';
import { signInAt, visit } from '../../support/outside/page-visitor.js';
import { Annals, by } from '../../support/servers/annals.js';

const EMAIL = 'ann@example.com';
const PASSWORD = 'an honest secret';

const missing = await whyNoBrowser();
if (missing !== null) process.stdout.write(`what is done later is not tried in a browser: ${missing}\n`);

(missing === null ? describe : describe.skip)('what the server does later, in a browser', () => {
  let annals: Annals;
  let browser: Browser;
  let annId: number;
  /** At a topic. */
  let page: Page;
  /** Another browser of hers, at the list. */
  let list: Page;
  const amiss: (readonly string[])[] = [];

  beforeAll(async () => {
    await buildPage();
    annals = await Annals.start();
    const { api } = await annals.owner();
    annId = (await api.post('/users', { email: EMAIL, password: PASSWORD, full_name: 'Ann' })).body.user_id;
    await api.post('/messages', { type: 'channel', to: 'general', topic: 'stars', content: 'a comet at four' });
    browser = await launchBrowser();
    page = await opened('channels/1/topics/stars');
    list = await opened('scheduled');
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

  const waiting = () => list.getByRole('region', { name: 'Scheduled messages' }).getByRole('listitem');
  const reminders = () => list.getByRole('region', { name: 'Reminders' }).getByRole('listitem');

  async function schedule(words: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill(words);
    await page.getByRole('button', { name: 'Send later' }).press('Enter');
    await page.getByRole('button', { name: 'Tomorrow morning' }).press('Enter');
    await page.getByRole('button', { name: 'Schedule' }).press('Enter');
    await page.getByRole('status').getByText('It is sent at').waitFor();
  }

  it('schedules a message by keys alone, which every browser lists with its place and time', async () => {
    await schedule('a comet, *again*');
    expect(await page.getByRole('textbox', { name: 'Message', exact: true }).inputValue()).toBe('');
    await waiting().locator('em').getByText('again').waitFor();
    await waiting().getByRole('link', { name: '#general > stars' }).waitFor();
    await waiting().getByText('9:00').waitFor();
  });

  it('changes words and time of it', async () => {
    await waiting().getByRole('button', { name: 'Edit' }).press('Enter');
    // Whoever has only a keyboard is at the words.
    await list.locator('textarea:focus').fill('a comet at last');
    await list.getByLabel('Time').fill('2100-01-02T03:04');
    await list.getByRole('button', { name: 'Save' }).press('Enter');
    await waiting().getByText('a comet at last').waitFor();
    await waiting().getByText('2100').waitFor();
  });

  it('says why the server refuses a change', async () => {
    await waiting().getByRole('button', { name: 'Edit' }).press('Enter');
    await list.getByRole('textbox', { name: 'Scheduled message' }).fill(' ');
    await list.getByRole('button', { name: 'Save' }).press('Enter');
    await list.getByRole('alert').getByText('empty').waitFor();
    await list.getByRole('button', { name: 'Cancel' }).press('Enter');
    await list.locator('button:focus', { hasText: 'Edit' }).waitFor();
  });

  it('deletes it, and who has only a keyboard goes on at the next, or at what says that there is none', async () => {
    await schedule('another comet');
    const another = waiting().filter({ hasText: 'another comet' });
    await another.getByRole('button', { name: 'Delete' }).press('Enter');
    await another.waitFor({ state: 'detached' });
    await waiting().locator('a:focus').waitFor();
    await waiting().getByRole('button', { name: 'Delete' }).press('Enter');
    await waiting().waitFor({ state: 'detached' });
    await list.getByText('No message waits to be sent').waitFor();
    await list.locator('h2:focus', { hasText: 'Scheduled messages' }).waitFor();
  });

  it('keeps a message that could not be sent, says so, and sends it with another time', async () => {
    await schedule('a comet too late');
    await waiting().getByText('a comet too late').waitFor();
    const events = await annals.events(`user-${annId}`);
    const { data } = events.findLast(({ type }) => type === 'MessageScheduled') ?? {};
    const [scheduleId, keyId] = [
      Number(Reflect.get(data ?? {}, 'scheduleId')),
      String(Reflect.get(data ?? {}, 'keyId')),
    ];
    const version = { userId: annId, scheduleId, keyId, by };
    await annals.execute(new BeginScheduledSend(version));
    await annals.execute(new FailScheduledSend({ ...version, reason: 'The channel is archived.' }));
    await waiting().getByText('It could not be sent').waitFor();
    await waiting().getByRole('button', { name: 'Edit' }).press('Enter');
    await list.getByRole('button', { name: 'In an hour' }).press('Enter');
    await list.getByRole('button', { name: 'Save' }).press('Enter');
    await waiting().getByText('It could not be sent').waitFor({ state: 'detached' });
    await waiting().getByText('a comet too late').waitFor();
  });

  it('reminds of a message by keys alone, and no more once the reminder is deleted', async () => {
    await page.getByRole('button', { name: 'Remind me' }).press('Enter');
    await page.getByRole('button', { name: 'In an hour' }).press('Enter');
    await page.getByLabel('Note').fill('look up');
    await page.getByLabel('Note').press('Enter');
    await page.getByRole('status').getByText('You are reminded at').waitFor();
    await reminders().getByText('look up').waitFor();
    await reminders().getByText('a comet at four').waitFor();
    await reminders().getByRole('button', { name: 'Delete' }).press('Enter');
    await list.getByText('You are reminded of no message').waitFor();
  });
});
