import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import undici from 'undici';
import { Annals } from '../../support/servers/annals.js';

/** What a browser transfers for the page. */
const MOST_BYTES = 600_000;

const DIGESTED = /^\/api\/docs\/[a-z-]+\.[0-9a-f]{12}\.(?:css|js)$/;

describe('the page of the API', () => {
  let annals: Annals;
  let paths: string[];

  beforeAll(async () => {
    annals = await Annals.start();
    const { text } = await request(annals.url).get('/api/docs');
    paths = [...text.matchAll(/(?:src|href)="(\/api\/docs\/[^"]+)"/g)].map(([, path = '']) => path);
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
    const { status, headers, text } = await request(annals.url).get('/api/docs');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']?.split('; ').sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      "script-src 'self'",
      "style-src 'self'",
    ]);
    expect(text).not.toMatch(/<style|<script(?! src="\/)| style=|:\/\/| on[a-z]+=/);
  });

  it('has files that browsers keep for ever, by names that change with what is in them', async () => {
    expect(paths).toHaveLength(3);
    for (const path of paths) {
      expect(path).toMatch(DIGESTED);
      const { status, headers } = await request(annals.url).get(path);
      expect([status, headers['cache-control'], headers.vary]).toEqual([
        200,
        'public, max-age=31536000, immutable',
        'Accept-Encoding',
      ]);
      expect(headers['content-type']).toBe(`text/${path.endsWith('css') ? 'css' : 'javascript'}; charset=utf-8`);
    }
  });

  it('is small for browsers, in each encoding', async () => {
    let bytes = 0;
    for (const path of paths) {
      const plain = await transferred(path, 'identity');
      const brotli = await transferred(path, 'gzip, br');
      const gzip = await transferred(path, 'gzip');
      expect([plain.encoding, brotli.encoding, gzip.encoding]).toEqual([undefined, 'br', 'gzip']);
      expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true);
      expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
      bytes += brotli.bytes.length;
    }
    expect(bytes).toBeLessThan(MOST_BYTES);
  });

  it('has no other file', async () => {
    for (const name of ['swagger-ui.css', 'start.000000000000.js', 'package.json', '..%2Fpackage.json', '__proto__']) {
      const { status, body } = await request(annals.url).get(`/api/docs/${name}`);
      expect({ name, status, code: body.code }).toEqual({ name, status: 404, code: 'NOT_FOUND' });
    }
  });
});
