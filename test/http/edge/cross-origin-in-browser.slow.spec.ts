import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, whyNoBrowser } from '../../support/outside/browser.js';
import { uploaded } from '../../support/requests/uploads.js';
import { Annals, type Member } from '../../support/servers/annals.js';
import { basic } from '../../support/servers/http-app.js';

const missing = await whyNoBrowser();
if (missing !== null) process.stdout.write(`other origins are not tried in a browser: ${missing}\n`);

const inBrowser = missing === null ? describe : describe.skip;

const FORM = 'application/x-www-form-urlencoded';
const SNIPPET = 'title=a&content=b';

interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly credentials?: 'include' | 'same-origin';
  readonly mode?: 'cors' | 'no-cors';
}

inBrowser.each([
  ['another port of the same host', '127.0.0.1', '127.0.0.1'],
  ['another site', 'localhost', '127.0.0.1'],
  ['another site, over plain HTTP', 'client.lan', 'chat.lan'],
])('a page of %s', (_, pageHost, host) => {
  let annals: Annals;
  let owner: Member;
  let elsewhere: Server;
  let browser: Browser;
  let page: Page;
  let url: string;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    url = annals.url.replace('127.0.0.1', host);
    elsewhere = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>client</title>');
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    browser = await launchBrowser('client.lan', 'chat.lan', 'localhost');
  });
  afterAll(async () => {
    await browser?.close();
    elsewhere?.close().closeAllConnections();
    await annals?.stop();
  });

  beforeEach(async () => {
    const { email: username, apiKey: password } = owner;
    // A person types the key into the browser wherever the browser asks for one.
    const context = await browser.newContext({ httpCredentials: { username, password, origin: url } });
    page = await context.newPage();
    await open(page);
  });

  const open = (which: Page) => which.goto(`http://${pageHost}:${(elsewhere.address() as AddressInfo).port}/`);

  /** Lets a script of the page ask. @returns what it reads: null if the browser hides it */
  const ask = ({ path, ...init }: Asked) =>
    page.evaluate(
      ([target, options]) =>
        fetch(target, options).then(
          async (answer) => ({
            status: answer.status,
            text: await answer.text(),
            id: answer.headers.get('x-request-id'),
          }),
          () => null,
        ),
      [`${url}${path}`, init] as const,
    );

  it('calls the API with a key that it knows', async () => {
    const headers = { Authorization: basic(owner) };
    const me = await ask({ path: '/api/v1/users/me', headers });
    expect(me).toMatchObject({ status: 200, text: expect.stringContaining('"user_id":1'), id: expect.any(String) });
    const keyed = { ...headers, 'Content-Type': FORM, 'Idempotency-Key': 'a' };
    expect(await ask({ path: '/api/v1/saved_snippets', method: 'POST', headers: keyed, body: SNIPPET })).toMatchObject({
      status: 200,
    });
    expect(
      await ask({ path: '/api/v1/settings', method: 'PATCH', headers: keyed, body: 'enter_sends=true' }),
    ).toMatchObject({ status: 200 });
    expect(await ask({ path: '/api/v1/saved_snippets/9', method: 'DELETE', headers })).toMatchObject({ status: 404 });
    const file = await uploaded(annals.url, owner, 'content of a file');
    expect(await ask({ path: file, headers })).toMatchObject({ status: 200, text: 'content of a file' });
  });

  it('reads refusals', async () => {
    expect(await ask({ path: '/api/v1/users/me' })).toMatchObject({ status: 401 });
    expect(await ask({ path: '/api/v1/nowhere' })).toMatchObject({ status: 404 });
    expect(await ask({ path: '/api/v1/nowhere', method: 'PUT' })).toMatchObject({ status: 404 });
  });

  it('reads no page', async () => {
    expect(await ask({ path: '/accounts/password/reset/' })).toBeNull();
    expect(await ask({ path: '/health' })).toBeNull();
  });

  it('uses no key that a person has given to the browser', async () => {
    const file = await uploaded(annals.url, owner);
    const opened = await page.context().newPage();
    expect((await opened.goto(`${url}${file}`))?.status()).toBe(200);
    expect((await opened.goto(`${url}/api/v1/users/me`))?.status()).toBe(401);
    expect((await opened.goto(`${url}/avatar/1`))?.status()).toBe(401);

    const head = await annals.head();
    const post = {
      path: '/api/v1/saved_snippets',
      method: 'POST',
      headers: { 'Content-Type': FORM },
      body: SNIPPET,
    } as const;
    expect(await ask({ ...post, credentials: 'include' })).toBeNull();
    expect(await ask({ ...post, credentials: 'include', mode: 'no-cors' })).not.toMatchObject({ status: 200 });
    expect(await ask({ path: file, credentials: 'include' })).toBeNull();
    await opened.goto(`${url}${file}`);
    await open(opened);
    await opened.setContent(
      `<form method="post" action="${url}/api/v1/saved_snippets"><button name="title" value="a">Go</button></form>`,
    );
    const [answer] = await Promise.all([opened.waitForResponse(/saved_snippets/), opened.getByRole('button').click()]);
    expect([answer.status(), await answer.text()]).toEqual([403, expect.stringContaining('CROSS_SITE')]);
    expect(await annals.head()).toBe(head);
  });
});
