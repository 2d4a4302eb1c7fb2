import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import undici from 'undici';
import { joinedPage } from '../../../src/features/invitations/http/join-pages.js';
import { PageController } from '../../../src/features/page/http/page.controller.js';
import { PAGE_SETTINGS, type PageSettings } from '../../../src/features/page/page.settings.js';
import { BuiltPage } from '../../../src/features/page/services/built-page.js';
import { buildPage } from '../../support/built-page.js';
import { Annals } from '../../support/servers/annals.js';
import { startEdge } from '../../support/servers/http-app.js';

/** What a browser transfers for the page. */
const MOST_BYTES = 150_000;

describe('the page at the address of the server', () => {
  let annals: Annals;
  let html: string;
  let assets: string[];

  beforeAll(async () => {
    await buildPage();
    annals = await Annals.start();
    html = (await request(annals.url).get('/')).text;
    assets = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  });
  afterAll(() => annals.stop());

  /** Asks as a browser does. @returns the bytes as they come */
  const transferred = async (path: string, encoding: string) => {
    const { headers, body } = await undici.request(`${annals.url}${path}`, {
      headers: { 'accept-encoding': encoding },
    });
    return { encoding: headers['content-encoding'], bytes: Buffer.from(await body.arrayBuffer()) };
  };

  it('needs no login, and lets nothing run or be asked that is not of this server', async () => {
    const { status, headers } = await request(annals.url).get('/');
    expect([status, headers['content-type'], headers['x-content-type-options'], headers['www-authenticate']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'nosniff',
      undefined,
    ]);
    expect(headers['content-security-policy']?.split('; ').sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "font-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "img-src 'self' data: blob:",
      "script-src 'self'",
      "style-src 'self'",
    ]);
    expect(html).not.toMatch(/<style|<script(?![^>]* src="\/)| style=|:\/\/| on[a-z]+=/);
  });

  it('is asked for each time, and sent only if it has changed', async () => {
    const { headers } = await request(annals.url).get('/');
    expect([headers['cache-control'], headers.vary, headers.etag]).toEqual([
      'no-cache',
      'Accept-Encoding',
      expect.stringMatching(/^W\/"[0-9a-f]{32}"$/),
    ]);
    const again = await request(annals.url).get('/').set('If-None-Match', `"other", ${headers.etag}`);
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', headers.etag]);
    expect((await request(annals.url).get('/').set('If-None-Match', '"other"')).status).toBe(200);
  });

  it('has files that browsers keep for ever, by names that change with what is in them', async () => {
    const types: string[] = [];
    for (const path of assets) {
      expect(path).toMatch(/^\/assets\/[a-z-]+-[\w-]{8}\.(?:js|css|svg)$/);
      const { status, headers } = await request(annals.url).get(path);
      expect([status, headers['cache-control'], headers.vary]).toEqual([
        200,
        'public, max-age=31536000, immutable',
        'Accept-Encoding',
      ]);
      types.push(String(headers['content-type']));
    }
    expect(types.sort()).toEqual(
      ['image/svg+xml', 'text/css', 'text/javascript'].map((type) => `${type}; charset=utf-8`),
    );
  });

  it('is small for browsers, in each encoding', async () => {
    let bytes = 0;
    for (const path of ['/', ...assets]) {
      const plain = await transferred(path, 'identity');
      const brotli = await transferred(path, 'gzip, br');
      const gzip = await transferred(path, 'gzip');
      expect([plain.encoding, brotli.encoding, gzip.encoding]).toEqual([undefined, 'br', 'gzip']);
      expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
      expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
      bytes += gzip.bytes.length;
    }
    expect(bytes).toBeLessThan(MOST_BYTES);
  });

  it('answers HEAD with the headers of GET', async () => {
    for (const path of ['/', ...assets]) {
      const ask = (method: 'GET' | 'HEAD') =>
        undici.request(`${annals.url}${path}`, { method, headers: { 'accept-encoding': 'gzip' } });
      const [got, told] = [await ask('GET'), await ask('HEAD')];
      await got.body.dump();
      expect(await told.body.text()).toBe('');
      for (const name of ['content-type', 'content-length', 'content-encoding', 'etag', 'cache-control'])
        expect([path, name, told.headers[name]]).toEqual([path, name, got.headers[name]]);
    }
  });

  it('has no other file, and takes nothing', async () => {
    for (const name of ['index.html', 'index.js', 'LICENSES.md', '..%2Findex.html', '__proto__', `x${assets[0]}.br`]) {
      const { status, body } = await request(annals.url).get(`/assets/${name}`);
      expect({ name, status, code: body.code }).toEqual({ name, status: 404, code: 'NOT_FOUND' });
    }
    expect((await request(annals.url).get(`${assets[0]}.br`)).status).toBe(404);
    const { status, headers } = await request(annals.url).post('/');
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it('cannot be read by pages of other origins', async () => {
    const { headers } = await request(annals.url).get('/').set('Origin', 'https://elsewhere.example');
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });
});

const JOINED = {
  tokenHash: '',
  email: 'mira@example.org',
  welcomeText: null,
  organization: 'Observatory',
  inviter: 'Iris',
  site: 'http://localhost:9991',
} as const;

describe('the page, if it is turned off', () => {
  it('is not there, nor are its files, nor a way in', async () => {
    await buildPage();
    const annals = await Annals.start({ ANNALS_PAGE: 'false' });
    try {
      for (const path of ['/', '/assets/index.js']) {
        const { status, body } = await request(annals.url).get(path);
        expect({ path, status, body }).toEqual({
          path,
          status: 404,
          body: { result: 'error', code: 'NOT_FOUND', msg: 'No such path' },
        });
      }
      const { html } = joinedPage(JOINED, annals.app.get<PageSettings>(PAGE_SETTINGS));
      expect([html.includes('Zulip Terminal'), html.includes('href="/"')]).toEqual([true, false]);
    } finally {
      await annals.stop();
    }
  });
});

describe('the page, if it is not built', () => {
  it('says how to build it', async () => {
    const built = new BuiltPage({ isServed: true, index: null });
    const edge = await startEdge([PageController], {}, [{ provide: BuiltPage, useValue: built }]);
    try {
      // Here all routes are below the prefix of the API.
      const { status, headers, text } = await request(edge.url).get('');
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(text).toContain('<code>npm run build</code>');
      expect((await request(edge.url).get('/assets/index.js')).status).toBe(404);
    } finally {
      await edge.app.close();
    }
  });
});
