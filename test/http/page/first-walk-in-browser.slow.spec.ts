import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { buildPage } from '../../support/built-page.js';
import { launchBrowser, whyNoBrowser } from '../../support/outside/browser.js';
import { MailServer } from '../../support/outside/mail-server.js';
import { signInAt, visit } from '../../support/outside/page-visitor.js';
import { Annals } from '../../support/servers/annals.js';

const VERA = { email: 'vera@example.com', name: 'Vera Rubin', password: 'an honest secret' };

const missing = await whyNoBrowser();
if (missing !== null) process.stdout.write(`the first walk is not tried in a browser: ${missing}\n`);

(missing === null ? describe : describe.skip)('from the first start', () => {
  let mail: MailServer;
  let annals: Annals;
  let browser: Browser;

  beforeAll(async () => {
    await buildPage();
    mail = await MailServer.start();
    annals = await Annals.start({ ANNALS_ORGANIZATION: 'Observatory', ANNALS_SMTP_URL: mail.url });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await annals?.stop();
    await mail?.stop();
  });

  const message = (page: Page, words: string) => page.locator('.messages').getByText(words, { exact: true });

  it('an owner invites a second person, who joins, writes and is answered: by links and buttons alone', async () => {
    const owner = await visit(browser, annals.url);
    const { email } = await annals.owner();
    // The start tells in which file the random password is.
    const password = (await readFile(join(annals.dataDirectory, 'owner.password'), 'utf8')).trim();
    await signInAt(owner.page, { email, password });
    await owner.page.getByRole('link', { name: 'People' }).click();
    await owner.page.getByLabel('Mail addresses, with commas between them').fill(VERA.email);
    await owner.page.getByRole('button', { name: 'Invite', exact: true }).click();
    const [link = ''] = (await mail.mailTo(VERA.email)).links;

    const vera = await visit(browser, link);
    await vera.page.getByLabel('Your name').fill(VERA.name);
    await vera.page.getByLabel('Password').fill(VERA.password);
    await vera.page.getByRole('button', { name: 'Join' }).click();
    await vera.page.getByRole('link', { name: 'Sign in here, in this browser' }).click();
    await signInAt(vera.page, VERA);
    await write(vera.page, 'Clear skies tonight');

    await owner.page.getByRole('link', { name: 'To the beginning' }).click();
    await write(owner.page, 'Then we observe');
    await message(owner.page, 'Clear skies tonight').waitFor();
    await message(vera.page, 'Then we observe').waitFor();
    expect([...owner.amiss, ...vera.amiss]).toEqual([]);
  });

  /** Writes to a topic of the channel that everybody is in. */
  async function write(page: Page, words: string): Promise<void> {
    await page
      .getByRole('link', { name: /general/ })
      .first()
      .click();
    await page.getByLabel('Topic', { exact: true }).fill('first light');
    const box = page.getByRole('textbox', { name: 'Message', exact: true });
    await box.fill(words);
    await box.press('Control+Enter');
    await message(page, words).waitFor();
  }
});
