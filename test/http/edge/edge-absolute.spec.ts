import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('a request that names a whole URL', () => {
  let annals: Annals;
  let owner: Member;

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_LOG_LEVEL: 'silent' });
    owner = await annals.owner();
  });
  afterAll(() => annals.stop());

  /** Sends a request line and headers as they are. */
  async function send(line: string, headers: readonly string[] = ['Host: h']) {
    const socket = connect(Number(new URL(annals.url).port), '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (text) => {
      answer += text;
    });
    socket.write([`${line} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n'));
    await once(socket, 'close');
    const end = answer.indexOf('\r\n\r\n');
    return { status: Number(answer.split(' ')[1]), text: answer.slice(end + 4) };
  }
  const key = () => `Authorization: Basic ${Buffer.from(`${owner.email}:${owner.apiKey}`).toString('base64')}`;

  it.each(['http://h/health/live', 'HTTP://h:9991/health/live?x=1', 'https://[::1]/health/live'])(
    'is answered about health: %s',
    async (url) => {
      const { status, text } = await send(`GET ${url}`);
      expect([status, JSON.parse(text)]).toEqual([200, { live: true }]);
    },
  );

  it('is answered by the API with the parameters of its query, and by pages', async () => {
    const messages = await send('GET http://h/api/v1/messages?anchor=newest&num_before=0&num_after=0', [
      'Host: h',
      key(),
    ]);
    expect([messages.status, JSON.parse(messages.text).result]).toEqual([200, 'success']);
    const page = await send('GET http://h/join/x/');
    expect([page.status, page.text]).toEqual([404, expect.stringMatching(/^<!doctype html>/)]);
    for (const url of ['http://h', 'http://h?x=1'])
      expect((await send(`GET ${url}`)).text).toMatch(/^<!doctype html>/i);
    const { status, text } = await send('GET http://h/nowhere');
    expect([status, JSON.parse(text).code]).toEqual([404, 'NOT_FOUND']);
  });

  it('has the host of its URL, whatever the header says', async () => {
    const path = '/api/v1/messages/flags';
    const from = (url: string, host: string) =>
      send(`POST ${url}${path}`, [
        `Host: ${host}`,
        'Origin: http://public.example',
        'Accept: text/html',
        'Content-Length: 0',
        key(),
      ]);
    expect((await from('', 'public.example')).status).toBe(400);
    expect((await from('http://public.example', 'other.example')).status).toBe(400);
    expect((await from('http://other.example', 'public.example')).status).toBe(403);
  });

  it.each([
    'GET ftp://h/health',
    'GET http:///health',
    'GET http://user@h/health',
    'GET http://h:99999/health',
    'GET mailto:h/health',
    'GET http://h/health#part',
  ])('is refused in the envelope if the URL is malformed: %s', async (line) => {
    const { status, text } = await send(line);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toEqual({
      result: 'error',
      code: 'BAD_REQUEST',
      msg: expect.stringMatching(/^Malformed /),
    });
  });

  it('is refused without a Host, as any other', async () => {
    const { status, text } = await send('GET http://h/api/v1/users/me', []);
    expect([status, JSON.parse(text).msg]).toEqual([400, 'Missing Host header']);
  });
});
