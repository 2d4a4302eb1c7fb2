import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { freePort } from '../../../scripts/free-port.js';
import { buildPage } from '../../support/built-page.js';
import { eventually } from '../../support/eventually.js';
import { launchBrowser, whyNoBrowser } from '../../support/outside/browser.js';
import { signInAt } from '../../support/outside/page-visitor.js';
import { Annals } from '../../support/servers/annals.js';

const PASSWORD = 'an honest secret';
const NAMES = ['Ann', 'Bob'] as const;

const missing = await whyNoBrowser();
if (missing !== null) process.stdout.write(`writing is not tried in a browser: ${missing}\n`);

(missing === null ? describe : describe.skip)('writing in a browser', () => {
  let annals: Annals;
  let browser: Browser;
  let ann: Page;
  let bob: Page;
  /** What the browser complains of, breaches of the policy among it. */
  let amiss: string[];
  let topics = 0;

  beforeAll(async () => {
    await buildPage();
    // A page goes on at the address that it knows.
    annals = await Annals.start({ ANNALS_PORT: String(await freePort()) });
    const { api } = await annals.owner();
    for (const name of NAMES)
      await api.post('/users', { email: `${name}@example.com`, password: PASSWORD, full_name: name });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await annals?.stop();
  });

  /** Both are at a topic of their own. */
  beforeEach(async () => {
    amiss = [];
    topics += 1;
    [ann, bob] = await Promise.all([opened('Ann'), opened('Bob')]);
  });
  afterEach(async () => {
    await Promise.all([ann, bob].map((page) => page.context().close()));
    expect(amiss).toEqual([]);
  });

  async function opened(name: (typeof NAMES)[number]): Promise<Page> {
    const page = await (await browser.newContext({ viewport: { width: 1000, height: 700 } })).newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        amiss.push(message.text());
    });
    page.on('pageerror', (error) => amiss.push(String(error)));
    await page.goto(`${annals.url}/#/channels/1/topics/topic%20${topics}`);
    await signIn(page, name);
    await page.getByText('There are no messages here').waitFor();
    return page;
  }

  const signIn = (page: Page, name: (typeof NAMES)[number]) =>
    signInAt(page, { email: `${name}@example.com`, password: PASSWORD });

  async function signOut(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  }

  const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
  const text = (page: Page, words: string) => page.locator('.messages').getByText(words, { exact: true });
  const unsent = (page: Page) => page.getByRole('list', { name: 'Not sent yet' }).getByRole('listitem');

  async function write(page: Page, words: string): Promise<void> {
    await box(page).fill(words);
    await box(page).press('Control+Enter');
  }

  /** Contents as they are stored, the oldest first. */
  async function stored(): Promise<string[]> {
    const narrow = [
      { operator: 'channel', operand: 1 },
      { operator: 'topic', operand: `topic ${topics}` },
    ];
    const { body } = await (await annals.owner()).api.get('/messages', {
      ...{ anchor: 'newest', num_before: 100, num_after: 0, narrow, apply_markdown: false },
    });
    return body.messages.map(({ content }: { content: string }) => content);
  }

  it('is seen by others, and once by oneself', async () => {
    await box(ann).pressSequentially('Hello,');
    await box(ann).press('Enter');
    await box(ann).pressSequentially('Bob!');
    await box(ann).press('Control+Enter');
    await text(bob, 'Hello,').or(bob.locator('.messages').getByText('Bob!')).first().waitFor();
    await write(bob, 'Hello, Ann!');
    for (const page of [ann, bob]) {
      await text(page, 'Hello, Ann!').waitFor();
      await unsent(page).first().waitFor({ state: 'detached' });
      expect(await page.locator('.messages li[data-id]').count()).toBe(2);
    }
    expect(await stored()).toEqual(['Hello,\nBob!', 'Hello, Ann!']);
  });

  it('is sent by Enter for those who have chosen so, at once at every page', async () => {
    /** Says so, and waits until the page obeys. */
    async function choose(enter_sends: boolean): Promise<void> {
      const how = `{ method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: '{"enter_sends":${enter_sends}}' }`;
      await ann.evaluate(`fetch('/api/v1/settings', ${how}).then(() => {})`);
      await ann.getByTitle(enter_sends ? /^Enter sends/ : /^Ctrl and Enter sends/).waitFor();
    }
    await choose(true);
    await box(ann).pressSequentially('One,');
    await box(ann).press('Shift+Enter');
    await box(ann).pressSequentially('two.');
    await box(ann).press('Enter');
    await bob.locator('.messages').getByText('two.').waitFor();
    await choose(false);
    expect(await stored()).toEqual(['One,\ntwo.']);
  });

  it('goes on over the death of the server, in order and once', async () => {
    await annals.restart(async () => {
      for (const words of ['First.', 'Second.', 'Third.']) await write(ann, words);
      await unsent(ann).getByText('It is sent as soon as it can be.').waitFor();
      expect(await unsent(ann).count()).toBe(3);
    });
    for (const page of [ann, bob]) {
      await text(page, 'Third.').waitFor();
      await unsent(page).first().waitFor({ state: 'detached' });
      expect(await page.locator('.messages .content').allTextContents()).toEqual(['First.', 'Second.', 'Third.']);
    }
    expect(await stored()).toEqual(['First.', 'Second.', 'Third.']);
  });

  it('happens once if the answer is lost', async () => {
    // Without events, only the key can tell that it is stored. The poll that is under way ends with one.
    await ann.route('**/api/v1/events?**', (route) => route.abort());
    await write(bob, 'Wake up.');
    await ann.getByRole('status').getByText('Connecting …').waitFor();
    const keys = new Set<string | undefined>();
    await ann.route('**/api/v1/messages', async (route) => {
      keys.add(route.request().headers()['idempotency-key']);
      await route.fetch();
      await route.abort();
    });
    await write(ann, 'Only once.');
    await unsent(ann).getByText('It is sent as soon as it can be.').waitFor();
    await text(bob, 'Only once.').waitFor();
    await ann.unroute('**/api/v1/messages');
    await ann.unroute('**/api/v1/events?**');
    await text(ann, 'Only once.').waitFor();
    await unsent(ann).first().waitFor({ state: 'detached' });
    expect(keys.size).toBe(1);
    expect(await stored()).toEqual(['Wake up.', 'Only once.']);
  });

  it('is kept over a reload until it can be sent', async () => {
    await ann.route('**/api/v1/messages', (route) => route.abort());
    await write(ann, 'Kept.');
    await unsent(ann).getByText('It is sent as soon as it can be.').waitFor();
    await ann.unroute('**/api/v1/messages');
    await ann.reload();
    await text(ann, 'Kept.').waitFor();
    await unsent(ann).first().waitFor({ state: 'detached' });
    expect(await stored()).toEqual(['Kept.']);
  });

  it('waits for its author, and is not sent by who signs in next', async () => {
    await ann.route('**/api/v1/messages', (route) => route.abort());
    await write(ann, "Ann's.");
    await unsent(ann).getByText('It is sent as soon as it can be.').waitFor();
    await box(ann).fill('Her draft.');
    const otherTab = await ann.context().newPage();
    await otherTab.goto(annals.url);
    await signOut(ann);
    await ann.unroute('**/api/v1/messages');
    await otherTab.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(ann, 'Bob');
    await otherTab.getByRole('heading', { name: 'You are signed in as Bob' }).waitFor();
    expect(await box(ann).inputValue()).toBe('');
    await write(ann, "Bob's.");
    await text(ann, "Bob's.").waitFor();
    expect(await stored()).toEqual(["Bob's."]);
    await signOut(ann);
    await signIn(ann, 'Ann');
    await text(bob, "Ann's.").waitFor();
    await eventually(async () => expect(await box(ann).inputValue()).toBe('Her draft.'));
    expect(await stored()).toEqual(["Bob's.", "Ann's."]);
  });

  it('is not cut: what is too long for one message is not sent', async () => {
    await write(ann, 'x'.repeat(10_001));
    const problem = await ann.evaluate("document.querySelector('.message-form textarea').validationMessage");
    expect(problem).toMatch('at most 10000 characters');
    await write(ann, 'x'.repeat(10_000));
    await text(bob, 'x'.repeat(10_000)).waitFor();
    expect((await stored()).map((content) => content.length)).toEqual([10_000]);
  });

  it('says beside the message why the server refuses it', async () => {
    await ann.goto(`${annals.url}/#/channels/999/topics/x`);
    await write(ann, 'Nowhere.');
    await unsent(ann).getByRole('alert').getByText('Channel').waitFor();
    await unsent(ann).getByRole('button', { name: 'Discard' }).click();
    expect(await unsent(ann).count()).toBe(0);
  });

  it('edits, stars, likes and deletes a message', async () => {
    await write(ann, 'As it was.');
    await text(ann, 'As it was.').waitFor();
    await ann.getByRole('button', { name: 'Edit' }).click();
    await ann.getByRole('textbox', { name: 'Edited message' }).fill('As it is.');
    await ann.getByRole('button', { name: 'Save' }).click();
    await text(bob, 'As it is.').waitFor();
    expect(await bob.getByRole('button', { name: 'Edit' }).count()).toBe(0);
    await bob.getByRole('button', { name: 'Thumbs up' }).click();
    await ann.getByRole('list', { name: 'Reactions' }).getByText('1').waitFor();
    await bob.getByRole('button', { name: 'Thumbs up' }).click();
    await ann.getByRole('list', { name: 'Reactions' }).waitFor({ state: 'detached' });
    await bob.getByRole('button', { name: 'Star' }).click();
    await bob.goto(`${annals.url}/#/starred`);
    await text(bob, 'As it is.').waitFor();
    await ann.getByRole('button', { name: 'Delete' }).click();
    await ann.getByRole('button', { name: 'Delete for everybody' }).click();
    for (const page of [ann, bob]) await text(page, 'As it is.').waitFor({ state: 'detached' });
  });

  it('tells others that one is typing, until it is sent', async () => {
    await box(ann).pressSequentially('Not yet');
    await bob.getByText('Ann is typing').waitFor();
    await box(ann).fill('Now.');
    await box(ann).press('Control+Enter');
    await bob.getByText('Ann is typing').waitFor({ state: 'detached' });
    await text(bob, 'Now.').waitFor();
    expect(await ann.getByText('is typing').count()).toBe(0);
  });

  it('moves a message to another topic, from where it goes in every browser', async () => {
    await write(ann, 'To be moved.');
    await text(bob, 'To be moved.').waitFor();
    await ann.getByRole('button', { name: 'Move', exact: true }).last().click();
    await ann.getByLabel('and the topic').fill('elsewhere');
    await ann.getByRole('button', { name: 'Move it' }).click();
    for (const page of [ann, bob]) await text(page, 'To be moved.').waitFor({ state: 'detached' });
    await ann.goto(`${annals.url}/#/channels/1/topics/elsewhere`);
    await text(ann, 'To be moved.').waitFor();
  });

  it('begins a direct conversation with a person', async () => {
    await ann.getByRole('searchbox', { name: 'Find a person to write to' }).fill('bob');
    await ann.getByRole('list', { name: 'People found' }).getByRole('link', { name: 'Bob' }).click();
    await ann.getByRole('heading', { level: 1, name: 'Bob' }).waitFor();
    await write(ann, 'Between us.');
    await bob
      .getByRole('link', { name: /^Ann\b/ })
      .first()
      .click();
    await text(bob, 'Between us.').waitFor();
    expect(await text(ann, 'Between us.').count()).toBe(1);
  });

  it('offers names as one begins them, which keys alone can choose', async () => {
    const chosen = async (typed: string, ...keys: string[]): Promise<void> => {
      await box(ann).pressSequentially(typed);
      await ann.getByRole('listbox', { name: 'Offered names' }).waitFor();
      for (const key of keys) await box(ann).press(key);
    };
    await chosen('@bo', 'Enter');
    await chosen('#gen', 'Tab');
    await chosen(':thumbs_u', 'ArrowDown', 'ArrowUp', 'Enter');
    expect(await box(ann).inputValue()).toBe('@**Bob** #**general** :thumbs_up: ');
    await chosen('@bo', 'Escape');
    expect(await ann.getByRole('listbox', { name: 'Offered names' }).count()).toBe(0);
    await ann.getByRole('button', { name: 'Preview' }).click();
    await ann.getByRole('region', { name: 'Preview' }).getByText('@Bob').waitFor();
    await box(ann).press('Control+Enter');
    await bob.locator('.messages .user-mention').waitFor();
    await chosen('#gen', '>');
    await chosen('topic', 'Enter');
    expect(await box(ann).inputValue()).toMatch(/^#\*\*general>topic \d+\*\* $/);
  });

  it('takes files by a button, by drop and by paste', async () => {
    const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) });
    await ann.getByLabel('Attach').setInputFiles([file('one.txt'), file('[two].txt')]);
    // A browser alone can make what is dropped and pasted.
    for (const type of ['drop', 'paste'])
      await ann.evaluate(`{
        const box = document.querySelector('.message-form textarea');
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['${type}'], '${type}.txt', { type: 'text/plain' }));
        const about = { bubbles: true, cancelable: true, dataTransfer, clipboardData: dataTransfer };
        box.dispatchEvent('${type}' === 'drop' ? new DragEvent('drop', about) : new ClipboardEvent('paste', about));
      }`);
    await ann.getByRole('list', { name: 'Files on their way' }).waitFor({ state: 'detached' });
    await box(ann).press('Control+Enter');
    for (const name of ['one.txt', 'two.txt', 'drop.txt', 'paste.txt'])
      await bob.locator('.messages').getByRole('link', { name, exact: true }).waitFor();
  });

  it('says why a file is refused, and forgets it', async () => {
    await ann.route('**/api/v1/user_uploads', (route) =>
      route.fulfill({ status: 400, json: { result: 'error', msg: 'No room', code: 'BAD_REQUEST' } }),
    );
    await ann.getByLabel('Attach').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') });
    const files = ann.getByRole('list', { name: 'Files on their way' });
    await files.getByText('No room').waitFor();
    await files.getByRole('button', { name: 'Close' }).click();
    expect(await files.count()).toBe(0);
  });

  it('does not edit over an edit of the meantime', async () => {
    await write(ann, 'As it was.');
    await text(ann, 'As it was.').waitFor();
    await ann.getByRole('button', { name: 'Edit' }).click();
    const edited = ann.getByRole('textbox', { name: 'Edited message' });
    await edited.fill('Mine.');
    const id = await ann.locator('.messages li[data-id]').getAttribute('data-id');
    await ann.evaluate(
      `fetch('/api/v1/messages/${id}', { method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ content: 'Another.' }) })`,
    );
    await text(bob, 'Another.').waitFor();
    await ann.getByRole('button', { name: 'Save' }).click();
    await ann.getByRole('alert').getByText('prev_content_sha256').waitFor();
    expect(await stored()).toEqual(['Another.']);
  });
});
