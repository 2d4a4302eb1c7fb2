// Takes the pictures of the page that README.md and docs/page.md show, from a server with some conversations: `npm run pictures`,
// after a build. It needs Chromium, as the specs of the page do.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { readConfig } from '../src/app/config/read-config.js';
import { startServer } from '../src/app/server.js';
import { PublishedTree } from '../src/platform/transparency/published-tree.js';
import { launchBrowser } from '../test/support/outside/browser.js';
import { signInAt, visit } from '../test/support/outside/page-visitor.js';
import { withScratch } from '../test/support/scratch.js';
import { ROOT } from './transpile.js';

const FOLDER = join(ROOT, 'docs/pictures');
const PASSWORD = 'correct horse battery';
const OWNER = { email: 'owner@example.com', password: PASSWORD };
const PEOPLE = ['Ann Weaver', 'Ben Osei', 'Chandra Rao'];
const LAPTOP: BrowserContextOptions = { viewport: { width: 1200, height: 720 }, colorScheme: 'light' };
const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 640 }, colorScheme: 'dark' };

type Ask = (method: string, path: string, body: object) => Promise<{ readonly id?: number; readonly user_id?: number }>;

await mkdir(FOLDER, { recursive: true });
await withScratch(async (folder) => {
  const settings = {
    ANNALS_DATA_DIR: folder,
    ANNALS_PORT: '0',
    ANNALS_LOG_LEVEL: 'warn',
    ANNALS_ORGANIZATION: 'Observatory',
    ANNALS_OWNER_NAME: 'Ada Byron',
    ANNALS_OWNER_PASSWORD: PASSWORD,
    ANNALS_ACCESS_DAYS: '1',
  };
  const server = await startServer(readConfig('start', {}, settings));
  const browser = await launchBrowser();
  try {
    const { edited, say } = await talk(server.url);
    const key = (await server.app.get(PublishedTree).head())?.verifier ?? '';
    const { page } = await visit(browser, server.url, LAPTOP);
    await signInAt(page, OWNER);
    await take(page, server.url, {
      place: '#/channels/1/topics/comet%20C%2F2026',
      name: 'reading',
      words: 'Clear until three',
    });
    await take(page, server.url, { place: `#/history?message=${edited}`, name: 'life', words: 'edited' });
    await take(page, server.url, { place: '#/audit?kind=MessageEdited', name: 'proof', words: 'MessageEdited' }, () =>
      prove(page, key),
    );
    await take(page, server.url, { place: '#/operate', name: 'server', words: 'The log ends at' }, () =>
      chatter(page, say),
    );
    const { page: phone } = await visit(browser, server.url, PHONE);
    await signInAt(phone, OWNER);
    await take(phone, server.url, {
      place: '#/channels/1/topics/comet%20C%2F2026',
      name: 'phone',
      words: 'Clear until three',
    });
  } finally {
    await browser.close();
    await server.close();
  }
});

type Say = (who: number, topic: string, content: string, to?: string) => Promise<number>;

/** Lets some people talk. @returns the id of a message that was edited and moved, and lets them go on */
async function talk(url: string): Promise<{ readonly edited: number; readonly say: Say }> {
  const owner = await login(url, OWNER);
  const asks: Ask[] = [owner];
  for (const name of PEOPLE) {
    const email = `${name.split(' ')[0]?.toLowerCase()}@example.com`;
    await owner('POST', '/users', { email, full_name: name, password: PASSWORD });
    asks.push(await login(url, { email, password: PASSWORD }));
  }
  for (const name of ['hardware', 'observing'])
    await owner('POST', '/users/me/subscriptions', { subscriptions: [{ name }] });
  const say: Say = async (who, topic, content, to = 'general') =>
    (await asks[who]?.('POST', '/messages', { type: 'channel', to, topic, content }))?.id ?? 0;

  await say(3, 'dome', 'The shutter motor is quiet again.', 'hardware');
  await say(1, 'rota', 'Ben has the second half of the night.', 'observing');
  await say(1, 'comet C/2026', 'The comet clears the roof at 03:40. Who is up?');
  const edited = await say(2, 'rota', 'I am. Seeing was 1.4 yesterday at four');
  await asks[2]?.('PATCH', `/messages/${edited}`, { content: 'I am. Seeing was 1.2 yesterday at half past four' });
  await asks[2]?.('PATCH', `/messages/${edited}`, { topic: 'comet C/2026', propagate_mode: 'change_one' });
  await say(
    3,
    'comet C/2026',
    '| filter | exposure |\n|---|---|\n| R | 12 × 60 s |\n| V | 12 × 90 s |\n\nThe field is in `c2026.cat`.',
  );
  await say(1, 'comet C/2026', 'Clear until three, says the forecast: **start early**.');
  return { edited, say };
}

/** Gives the charts something to show. */
async function chatter(page: Page, say: Say): Promise<void> {
  for (let n = 0; n < 25; n++) {
    for (let more = 0; more < (n * 7) % 11; more++) await say(1, 'seeing', `${more}: stable`, 'observing');
    await page.waitForTimeout(1_000);
  }
}

async function login(url: string, { email, password }: typeof OWNER): Promise<Ask> {
  const form = new URLSearchParams({ username: email, password });
  const answer = await fetch(`${url}/api/v1/fetch_api_key`, { method: 'POST', body: form });
  const { api_key: key } = JSON.parse(await answer.text());
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
  return async (method, path, body) => {
    const headers = { authorization, 'content-type': 'application/json', 'user-agent': 'Annals page' };
    const done = await fetch(`${url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
    const text = await done.text();
    if (!done.ok) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text);
  };
}

interface Picture {
  readonly place: string;
  readonly name: string;
  /** That are there when it can be taken. */
  readonly words: string;
}

/** Takes a picture in few colours: it is in the repository. */
async function take(page: Page, url: string, { place, name, words }: Picture, prepare = async () => {}): Promise<void> {
  await page.goto(`${url}/${place}`);
  await page.getByText(words).first().waitFor();
  await prepare();
  await sharp(await page.screenshot())
    .png({ palette: true, colours: 64, effort: 10 })
    .toFile(join(FOLDER, `${name}.png`));
}

async function prove(page: Page, key: string): Promise<void> {
  await page.getByText('The key of the log').click();
  await page.getByLabel('Verifier key').fill(key);
  await page.getByRole('button', { name: 'Use it for proofs' }).click();
  await page.getByText('The key of the log').click();
  await page.getByRole('button', { name: 'MessageEdited' }).first().click();
  await page.getByRole('button', { name: 'Check its proof here' }).click();
  await page.getByText('The proof holds: the log has this event.').scrollIntoViewIfNeeded();
}
