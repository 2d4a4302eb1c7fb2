import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Gate } from '../../../src/platform/http/gate.js';
import { Annals } from '../../support/servers/annals.js';

const KEY = 'a'.repeat(24);
const FORM = 'application/x-www-form-urlencoded';

interface Asked {
  readonly method?: string;
  readonly type?: string;
  readonly body?: string;
}

describe('a request for a page that fails', () => {
  let annals: Annals;

  beforeAll(async () => {
    annals = await Annals.start();
  });
  afterAll(() => annals.stop());

  const ask = async (path: string, { method = 'GET', type, body }: Asked = {}) => {
    const init = { method, ...(body === undefined ? {} : { body }) };
    return fetch(annals.url + path, { ...init, headers: type === undefined ? {} : { 'Content-Type': type } });
  };
  const expectPage = async (response: Response, status: number, words: string): Promise<void> => {
    const html = await response.text();
    const { headers } = response;
    expect([response.status, headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect(html).toMatch(/^<!doctype html>[\s\S]*<\/html>\s*$/);
    expect(html).toContain(words);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect([headers.get('x-content-type-options'), headers.get('cache-control')]).toEqual(['nosniff', 'no-store']);
  };

  it.each<[string, string, Asked, number, string]>([
    ['a dead link', `/join/${KEY}/`, {}, 404, 'This link'],
    ['no such page', '/accounts/nothing/', {}, 404, 'This link'],
    ['a path that ends early', '/join/', {}, 404, 'This link'],
    ['a path that ends earlier', '/join', {}, 404, 'This link'],
    ['a path that ends earlier, with a query', '/accounts?next=1', {}, 404, 'This link'],
    ['a malformed escape', '/join/%E0%A4%A/', {}, 400, 'Malformed URL'],
    ['a malformed escape at the end', '/accounts/do_confirm/%', {}, 400, 'Malformed URL'],
    ['a path that is too long', `/join/${'a'.repeat(2000)}/`, {}, 414, 'Path is too long'],
    ['another method', `/join/${KEY}/`, { method: 'PUT' }, 405, 'Method not allowed'],
    ['another method of a page that only shows', `/accounts/do_confirm/${KEY}`, { method: 'DELETE' }, 405, 'Method'],
    ['an unsupported content type', `/join/${KEY}/`, posted('x', 'text/csv'), 415, 'Unsupported Content-Type'],
    ['malformed JSON', `/join/${KEY}/`, posted('{"email": ', 'application/json'), 400, 'Malformed JSON'],
    ['JSON that is no object', `/join/${KEY}/`, posted('[1]', 'application/json'), 400, 'This did not work'],
    ['a malformed form', `/join/${KEY}/`, posted('email=%E0%A4%A', FORM), 400, 'This did not work'],
    ['a form without its field', `/join/${KEY}/`, posted('', FORM), 400, 'email'],
    ['a multipart body without parts', `/join/${KEY}/`, posted('x', 'multipart/form-data; boundary=b'), 400, 'did not'],
    ['a multipart body without its boundary', `/join/${KEY}/`, posted('x', 'multipart/form-data'), 400, 'did not'],
    ['a body over the limit', `/join/${KEY}/`, posted(`email=${'x'.repeat(2 ** 20)}`, FORM), 413, 'too large'],
    ['a method without a route', '/accounts/register/', { method: 'PATCH' }, 405, 'Method not allowed'],
  ])('gets a page: %s', async (_, path, asked, status, words) => {
    await expectPage(await ask(path, asked), status, words);
  });

  it('names the methods that there are', async () => {
    const { headers } = await ask(`/join/${KEY}/`, { method: 'PUT' });
    expect(headers.get('allow')).toBe('GET, HEAD, POST');
  });

  it.each([
    [`/join/${KEY}/`, 404],
    ['/join/%E0%A4%A/', 400],
    [`/join/${'a'.repeat(2000)}/`, 414],
    ['/accounts/password/reset/', 200],
  ])('has the head of the page for HEAD %s', async (path, status) => {
    const response = await ask(path, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      status,
      'text/html; charset=utf-8',
      '',
    ]);
  });

  it('gets a page while the server cannot answer, and learns when to come back', async () => {
    annals.app.get(Gate).shut();
    const response = await ask(`/join/${KEY}/`);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    await expectPage(response, 503, 'This did not work');
  });
});

function posted(body: string, type: string): Asked {
  return { method: 'POST', body, type };
}
