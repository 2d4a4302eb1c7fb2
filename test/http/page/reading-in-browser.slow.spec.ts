import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { freePort } from '../../../scripts/free-port.js';
import { buildPage } from '../../support/built-page.js';
import { launchBrowser, whyNoBrowser } from '../../support/outside/browser.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const PASSWORD = 'an honest secret';
const MESSAGES = 300;
/** What is rendered of a place at most. */
const ROWS = 80;

const missing = await whyNoBrowser();
if (missing !== null) process.stdout.write(`reading is not tried in a browser: ${missing}\n`);

(missing === null ? describe : describe.skip)('reading in a browser', () => {
  let annals: Annals;
  let browser: Browser;
  let bob: Member;
  let page: Page;
  /** The id of a message in the middle. */
  let middle = 0;
  /** What the browser complains of, breaches of the policy among it. */
  let amiss: string[];

  beforeAll(async () => {
    await buildPage();
    // A page goes on at the address that it knows.
    annals = await Annals.start({ ANNALS_PORT: String(await freePort()) });
    const { api } = await annals.owner();
    await api.post('/users', { email: 'ann@example.com', password: PASSWORD, full_name: 'Ann' });
    bob = await annals.user('bob');
    for (let number = 1; number <= MESSAGES; number += 1) {
      const { body } = await say(`Message ${number}.`, 'long');
      if (number === 150) middle = body.id;
    }
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await annals?.stop();
  });

  beforeEach(async () => {
    amiss = [];
    page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        amiss.push(message.text());
    });
    page.on('pageerror', (error) => amiss.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(annals.url)) amiss.push(request.url());
    });
    await page.goto(annals.url);
    await page.getByLabel('Your mail address').fill('ann@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'You are signed in as Ann' }).waitFor();
  });
  afterEach(async () => {
    await page.close();
    expect(amiss).toEqual([]);
  });

  const say = (content: string, topic: string) =>
    bob.api.post('/messages', { type: 'channel', to: 'general', topic, content });

  const text = (words: string) => page.locator('.messages').getByText(words, { exact: true });

  /** Presses a key in the list until words are there. */
  const press = async (key: string, words: string): Promise<void> => {
    for (let presses = 0; presses < 200 && !(await text(words).isVisible()); presses += 1) {
      await page.getByRole('region', { name: 'Messages' }).press(key);
      expect(await page.locator('.messages li[data-id]').count()).toBeLessThanOrEqual(ROWS);
    }
    await text(words).waitFor();
  };

  it('opens at the first unread message, and goes to both ends by keys', async () => {
    await page.getByRole('link', { name: '#general' }).click();
    await page.getByRole('link', { name: 'long', exact: false }).first().click();
    await text('Message 1.').waitFor();
    await press('End', `Message ${MESSAGES}.`);
    await page.getByRole('region', { name: 'Messages' }).press('End');
    await press('Home', 'Message 1.');
    await text('The beginning').waitFor();
    expect(await text('Message 1.').count()).toBe(1);
  });

  it('marks what was in sight as read', async () => {
    await say('Read me.', 'short');
    await page.goto(`${annals.url}/#/channels/1/topics/short`);
    await text('Read me.').waitFor();
    // The mark goes when the server has told that the message is read.
    await page.locator('li.unread').waitFor({ state: 'detached' });
    await page.reload();
    await text('Read me.').waitFor();
    expect(await page.locator('li.unread').count()).toBe(0);
  });

  it('shows each message as the policy of the page permits', async () => {
    await say('$$x^2$$ and ![far](https://elsewhere.example/a.png) https://elsewhere.example/b.png :wave:', 'kinds');
    await say(
      '|a|b|\n|:-:|--:|\n|1|2|\n\n```js\nlet a;\n```\n\n#**general>long** <time:2026-11-28T10:00:00Z>',
      'kinds',
    );
    await page.goto(`${annals.url}/#/channels/1/topics/kinds`);
    await page.locator('.content math').first().waitFor();
    await page.locator('.content table').waitFor();
    await page.locator('.content').getByRole('link', { name: '#general > long' }).click();
    await page.getByRole('heading', { level: 1, name: '#general > long' }).waitFor();
    expect(await page.title()).toBe('#general > long');
  });

  it('loses nothing and has nothing twice over a restart of the server', async () => {
    await page.goto(`${annals.url}/#/channels/1/topics/restart`);
    await say('Before.', 'restart');
    await text('Before.').waitFor();
    await annals.restart(async () => {
      await page.getByRole('status').getByText('Connecting …').waitFor();
    });
    await say('After.', 'restart');
    await text('After.').waitFor();
    await page.getByRole('status').getByText('Connecting …').waitFor({ state: 'detached' });
    for (const words of ['Before.', 'After.']) expect(await text(words).count()).toBe(1);
  });

  it('goes on with a new queue if the server has lost the old one', async () => {
    // The page of before registers, too.
    await page.getByRole('status').getByText('Connecting …').waitFor({ state: 'detached' });
    const registered = page.waitForResponse((answer) => answer.url().endsWith('/register'));
    await page.reload();
    const { queue_id } = await (await registered).json();
    await page.goto(`${annals.url}/#/channels/1/topics/lost`);
    await say('One.', 'lost');
    await text('One.').waitFor();
    await page.evaluate(
      `fetch('/api/v1/events', { method: 'DELETE', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ queue_id: '${queue_id}' }) })`,
    );
    await say('Two.', 'lost');
    await text('Two.').waitFor();
    await say('Three.', 'lost');
    await text('Three.').waitFor();
    for (const words of ['One.', 'Two.', 'Three.']) expect(await text(words).count()).toBe(1);
  });

  it('searches by operators and names that are offered, by keys alone and on a phone', async () => {
    await say('A comet.', 'second');
    await say('No comet.', 'first light');
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto(`${annals.url}/#/`);
    const field = page.getByRole('searchbox', { name: 'Search messages' });
    /** Waits until a choice is offered, and presses keys then. */
    const choose = async (label: string, ...keys: string[]): Promise<void> => {
      await page.getByRole('listbox', { name: 'Ways to search' }).getByText(label).first().waitFor();
      for (const key of keys) await page.keyboard.press(key);
    };
    await field.focus();
    await choose('near:', 'Escape');
    // A comma after a name goes on with the next.
    await page.keyboard.type('dm:bob');
    await choose('bob', 'Enter');
    await page.keyboard.type(',ann');
    await choose('ann', 'Enter');
    expect(await field.inputValue()).toMatch(/^dm:bob@\S+,ann@\S+ $/);
    await field.fill('');
    await page.keyboard.type('ch');
    await choose('channel:', 'ArrowDown', 'Enter');
    await choose('#general', 'Enter');
    await page.keyboard.type('-to');
    await choose('topic:', 'ArrowDown', 'Tab');
    await choose('second');
    await page.keyboard.type('first');
    await choose('first light', 'Enter');
    expect(await field.inputValue()).toBe('channel:general -topic:"first light" ');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    // What may be meant as a word is one, unless an arrow has chosen.
    await page.keyboard.type('sender:bob@example.com comet');
    await page.keyboard.press('Enter');
    await text('A comet.').waitFor();
    expect(await text('No comet.').count()).toBe(0);
    expect(await page.locator('.messages .content').allTextContents()).toEqual(['A comet.']);
  });

  it('opens a search at the message that it is near', async () => {
    await page.goto(`${annals.url}/#/search/near:${middle} topic:long`);
    await text('Message 150.').waitFor();
    expect((await text('Message 1.').count()) + (await text(`Message ${MESSAGES}.`).count())).toBe(0);
    // The API knows no `is:read`: a refusal would be told.
    await page.goto(`${annals.url}/#/search/topic:long is:read sender:me`);
    await page.getByText('There are no messages here').waitFor();
  });

  it('needs no moving sideways on a phone, and goes back to all conversations', async () => {
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto(`${annals.url}/#/channels/1/topics/long`);
    await page.locator('.messages li[data-id]').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.getByRole('link', { name: 'All conversations' }).click();
    await page.getByRole('link', { name: '#general' }).waitFor();
  });
});
