import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { buildPage } from '../../support/built-page.js';
import { launchBrowser, whyNoBrowser } from '../../support/outside/browser.js';
import { Annals } from '../../support/servers/annals.js';
import { seedMessages } from '../../support/servers/seeded-messages.js';

const PASSWORD = 'an honest secret';
const MESSAGES = 100_000;
/** Documents of more are not built while a start is waited for. */
const PART = 20_000;
/** What is rendered of a place at most. */
const ROWS = 80;
/** New ones in a frame. */
const MOST_NEW = 5;
const TURNS = 60;
/** Of script, in a frame. The median must hold it on a busy machine, too. */
const MOST_MS = 50;

const missing = await whyNoBrowser();
if (missing !== null) process.stdout.write(`scrolling is not tried in a browser: ${missing}\n`);

(missing === null ? describe : describe.skip)('scrolling in a channel of 100,000 messages', () => {
  let annals: Annals;
  let browser: Browser;
  let page: Page;
  let devtools: CDPSession;

  beforeAll(async () => {
    await buildPage();
    annals = await Annals.start();
    const { api } = await annals.owner();
    await api.post('/users', { email: 'ann@example.com', password: PASSWORD, full_name: 'Ann' });
    const { id: senderId } = await annals.user('bob');
    const texts = Array.from(
      { length: MESSAGES },
      (_, n) =>
        `Number ${n + 1}, <strong>one</strong> of <a href="https://elsewhere.example/">many</a>. ${'Words. '.repeat(n % 40)}`,
    );
    const to = { senderId, channelId: 1, topic: 'many' };
    for (let from = 0; from < MESSAGES; from += PART)
      await annals.restart(() => seedMessages(annals.engineSettings, to, texts.slice(from, from + PART)));
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
    devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable');
    await page.goto(annals.url);
    await page.getByLabel('Your mail address').fill('ann@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'You are signed in as Ann' }).waitFor();
    await page.goto(`${annals.url}/#/channels/1/topics/many`);
    await page.locator('.messages li[data-id]').first().waitFor();
    await page.locator('.messages').hover();
  }, 900_000);
  afterAll(async () => {
    await browser?.close();
    await annals?.stop();
  });

  /** The numbers of the messages that are rendered. */
  const rendered = (): Promise<number[]> =>
    page.evaluate(
      "[...document.querySelectorAll('.messages li[data-id] .content')].map(({ textContent }) => Number(/Number (\\d+)/.exec(textContent)[1]))",
    );

  /** Seconds of script since the page was opened. */
  async function scriptSeconds(): Promise<number> {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0;
  }

  /** Counts the new rows of each frame, until it is read. */
  const countNewRows = () =>
    page.evaluate(`{
      const counts = [0];
      const changes = new MutationObserver((some) => {
        for (const { addedNodes } of some) counts[counts.length - 1] += addedNodes.length;
      });
      changes.observe(document.querySelector('.messages ol'), { childList: true });
      const next = () => {
        counts.push(0);
        frame = requestAnimationFrame(next);
      };
      let frame = requestAnimationFrame(next);
      window.newRows = () => {
        cancelAnimationFrame(frame);
        changes.disconnect();
        return counts;
      };
    }`);

  /** Scrolls, and says what was rendered after each turn, and how much script it took. */
  async function scroll(by: number): Promise<{ seen: Set<number>; milliseconds: number[] }> {
    const seen = new Set<number>();
    const milliseconds: number[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const before = await scriptSeconds();
      await page.mouse.wheel(0, by);
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
      milliseconds.push(1000 * ((await scriptSeconds()) - before));
      const numbers = await rendered();
      expect(numbers.length).toBeLessThanOrEqual(ROWS);
      const [first = 0] = numbers;
      expect(numbers).toEqual(numbers.map((_, index) => first + index));
      for (const number of numbers) seen.add(number);
    }
    return { seen, milliseconds };
  }

  const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

  it.each([
    ['down', 600],
    ['up', -600],
    ['far down', 6000],
    ['far up', -6000],
  ])('shows every message once, and few at a time: %s', async (_, by) => {
    await countNewRows();
    const { seen, milliseconds } = await scroll(by);
    const newRows: number[] = await page.evaluate('newRows()');
    const numbers = [...seen];
    expect(Math.max(...numbers) - Math.min(...numbers) + 1).toBe(seen.size);
    expect(seen.size).toBeGreaterThan(ROWS);
    expect(Math.max(...newRows)).toBe(MOST_NEW);
    expect(median(milliseconds)).toBeLessThanOrEqual(MOST_MS);
  });
});
