import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { Annals, type Member } from '../../support/servers/annals.js';

const TEXT = { content: 'hello', title: 'greeting' };

describe('a change that a browser sends with credentials', () => {
  let annals: Annals;
  let owner: Member;

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_SITE: 'https://chat.example.com' });
    owner = await annals.owner();
  });
  afterAll(() => annals.stop());

  const send = (headers: Readonly<Record<string, string>>) => owner.api.post('/saved_snippets', TEXT, { headers });

  const ELSEWHERE = 'https://elsewhere.example.org';
  const FORM = { 'Sec-Fetch-Mode': 'navigate' };
  const ACCEPTS_PAGES = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  it.each([
    ['a page of another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a page of a neighbouring site', { 'Sec-Fetch-Site': 'same-site' }],
    ['a form of another site', { 'Sec-Fetch-Site': 'cross-site', ...FORM, Origin: ELSEWHERE }],
    ['a form of a neighbouring site', { 'Sec-Fetch-Site': 'same-site', ...FORM, Origin: 'https://www.example.com' }],
    [
      'a script that reads no answer',
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', Origin: ELSEWHERE },
    ],
    ['a script that names no origin', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' }],
    ['a form of a page that only Origin names', { Origin: ELSEWHERE, ...ACCEPTS_PAGES }],
    ['a form of a page that hides its origin', { Origin: 'null', ...ACCEPTS_PAGES }],
    ['a page whose browser says both', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://chat.example.com' }],
  ])('is refused from %s, and appends nothing', async (_, headers) => {
    const head = await annals.head();
    const { status, body } = await send(headers);
    expect([status, body]).toEqual([
      403,
      { result: 'error', code: 'CROSS_SITE', msg: 'This form was sent by another site' },
    ]);
    expect(await annals.head()).toBe(head);
  });

  it.each(['put', 'patch', 'delete'] as const)('is refused with the method %s, too', async (method) => {
    const { status, body } = await owner.api[method]('/settings', {}, { headers: { 'Sec-Fetch-Site': 'cross-site' } });
    expect([status, body.code]).toEqual(method === 'patch' ? [403, 'CROSS_SITE'] : [405, 'METHOD_NOT_ALLOWED']);
  });

  it('is refused before a password is looked at', async () => {
    const { status, body } = await annals.api.post(
      '/fetch_api_key',
      { username: owner.email, password: 'wrong' },
      { headers: { 'Sec-Fetch-Site': 'cross-site' } },
    );
    expect([status, body.code]).toEqual([403, 'CROSS_SITE']);
  });

  it.each([
    ['a program, which sends neither header', {}],
    ['a page of this server', { 'Sec-Fetch-Site': 'same-origin' }],
    ['a person', { 'Sec-Fetch-Site': 'none' }],
    ['a page of the public address', { Origin: 'https://chat.example.com' }],
  ])('is carried out from %s', async (_, headers) => {
    expect((await send(headers)).status).toBe(200);
  });

  it('is carried out from a page of the address that the request names', async () => {
    expect((await send({ Origin: new URL(annals.url).origin })).status).toBe(200);
  });

  it.each([
    ['https://chat.lan', 'chat.lan:443', 200],
    ['http://chat.lan', 'chat.lan:80', 200],
    ['http://chat.lan', 'Chat.Lan', 200],
    ['http://chat.lan:9991', 'chat.lan:9991', 200],
    ['http://chat.lan', 'chat.lan:443', 403],
    ['http://chat.lan:9991', 'chat.lan', 403],
  ])('from a form of %s through a proxy that passes on the host %s is answered %d', async (Origin, Host, expected) => {
    expect((await send({ Origin, Host, ...ACCEPTS_PAGES })).status).toBe(expected);
  });

  it.each([
    ['of another site', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors', Origin: ELSEWHERE }],
    ['of a neighbouring site', { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'cors', Origin: ELSEWHERE }],
    ['that only Origin names', { Origin: ELSEWHERE, Accept: '*/*' }],
    ['of a file on the disk', { Origin: 'null', Accept: '*/*' }],
  ])('is carried out from a script %s, which knows a key', async (_, headers) => {
    expect((await send(headers)).status).toBe(200);
  });

  it('is refused to any script of another site where it is a page’s', async () => {
    const { status } = await request(annals.url)
      .post('/accounts/password/reset')
      .set({ 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors', Origin: ELSEWHERE })
      .type('form')
      .send({ email: owner.email });
    expect(status).toBe(403);
  });

  it('logs a person in by a script of another site, which knows the password', async () => {
    const headers = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors', Origin: ELSEWHERE };
    const { status, body } = await annals.api.post(
      '/fetch_api_key',
      { username: owner.email, password: 'wrong' },
      { headers },
    );
    expect([status, body.code]).toEqual([401, 'AUTHENTICATION_FAILED']);
  });

  it('is no matter of requests that only read', async () => {
    const { status } = await owner.api.get('/users/me', {}, { headers: { 'Sec-Fetch-Site': 'cross-site' } });
    expect(status).toBe(200);
  });
});
