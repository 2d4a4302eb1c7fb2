import { once } from 'node:events';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OutgoingRequests } from '../../../src/platform/outgoing/outgoing-requests.js';
import { ReachableAddresses } from '../../../src/platform/outgoing/reachable-addresses.js';
import { WebServers } from '../../support/outside/outgoing/web-servers.js';

const ALLOWED = '127.0.0.1';
const REFUSED = '127.0.0.2';
const LIMITS = { maxBytes: 1000, timeout: 5000 };

describe('requests to hosts that users name', () => {
  let web: WebServers;
  /** Answers of the name service, in their order; the last one stays. */
  let names: Record<string, string[][]>;
  let requests: OutgoingRequests;

  beforeAll(async () => {
    web = await WebServers.start([ALLOWED, REFUSED]);
  });
  beforeEach(() => {
    web.asked.length = 0;
    web.handlers.clear();
    web.handlers.set('/hello', (_, response) => response.setHeader('Content-Type', 'text/plain').end('hello'));
    names = { good: [[ALLOWED]], bad: [[REFUSED]] };
    requests = new OutgoingRequests(new ReachableAddresses(ALLOWED), async (host) => {
      const answers = names[host] ?? [];
      const found = answers.length > 1 ? answers.shift() : answers[0];
      if (!found) throw Object.assign(new Error('no such host'), { code: 'ENOTFOUND' });
      return found.map((address) => ({ address, family: 4 }));
    });
  });
  afterAll(() => web.stop());

  const get = (host: string, path = '/hello') => requests.get(`http://${host}:${web.port}${path}`, LIMITS);
  const redirect = (path: string, location: string) =>
    web.handlers.set(path, (_, response) => response.writeHead(302, { location }).end('moved'));

  it('bring the status, the headers and the body', async () => {
    const answer = await requests.get(`http://good:${web.port}/hello`, { ...LIMITS, accept: 'text/*' });
    if (answer.outcome === 'failed') throw new Error(answer.reason);
    expect([answer.status, answer.headers.get('content-type'), answer.body.toString()]).toEqual([
      200,
      'text/plain',
      'hello',
    ]);
  });

  it('post a body of a type, and say who asks', async () => {
    let agent: string | undefined;
    web.handlers.set('/echo', (request, response) => {
      agent = request.headers['user-agent'];
      response.setHeader('content-type', request.headers['content-type'] ?? '');
      request.pipe(response);
    });
    const answer = await requests.post(`http://good:${web.port}/echo`, {
      ...LIMITS,
      contentType: 'application/json',
      body: '{"a":"ü"}',
    });
    expect(answer).toMatchObject({ outcome: 'answered', body: Buffer.from('{"a":"ü"}') });
    expect(agent).toBe('Annals');
  });

  it.each([
    ['a name', 'bad'],
    ['an address', REFUSED],
    ['an address in another form', '0x7f000002'],
    ['an IPv6 address', '[::1]'],
    ['an IPv6 address that stands for it', '[::ffff:127.0.0.1]'],
  ])('go to no address that may not be reached: %s', async (_, host) => {
    expect(await get(host)).toMatchObject({
      outcome: 'failed',
      kind: 'address',
      reason: expect.stringContaining('ANNALS_OUTGOING_PRIVATE_NETWORKS'),
    });
    expect(web.asked).toEqual([]);
  });

  it('go only to those addresses of a name that may be reached', async () => {
    names.mixed = [[REFUSED, ALLOWED]];
    expect(await get('mixed')).toMatchObject({ outcome: 'answered' });
    expect(web.asked).toEqual([`${ALLOWED} /hello`]);
  });

  it('check a name anew for each connection, and connect to the address that was checked', async () => {
    names.rebound = [[ALLOWED], [REFUSED]];
    web.handlers.set('/again', (_, response) =>
      response.writeHead(302, { location: `http://rebound:${web.port}/hello`, connection: 'close' }).end(),
    );
    expect(await get('rebound', '/again')).toMatchObject({
      kind: 'address',
      reason: expect.stringContaining('rebound'),
    });
    expect(web.asked).toEqual([`${ALLOWED} /again`]);
  });

  it('ask for a name once for a connection', async () => {
    names.rebound = [[ALLOWED], [REFUSED]];
    expect(await get('rebound')).toMatchObject({ outcome: 'answered' });
    expect(names.rebound).toEqual([[REFUSED]]);
    expect(web.asked).toEqual([`${ALLOWED} /hello`]);
  });

  it('follow three redirects, and check each', async () => {
    redirect('/1', '/2');
    redirect('/2', `http://good:${web.port}/3`);
    redirect('/3', '/hello');
    expect(await get('good', '/1')).toMatchObject({ outcome: 'answered', status: 200 });
    redirect('/0', '/1');
    expect(await get('good', '/0')).toMatchObject({ kind: 'redirects', status: 302 });
    for (const location of [`http://bad:${web.port}/hello`, `http://[::1]:${web.port}/hello`]) {
      redirect('/bad', location);
      expect(await get('good', '/bad')).toMatchObject({ kind: 'address' });
    }
    for (const location of ['ftp://good/', 'file:///etc/hostname', 'http://user:secret@good/', 'http://']) {
      redirect('/bad', location);
      expect(await get('good', '/bad')).toMatchObject({ kind: 'url' });
    }
    expect(web.asked.filter((asked) => asked.startsWith(REFUSED))).toEqual([]);
  });

  it('follow no redirect of a POST', async () => {
    redirect('/moved', '/hello');
    const answer = await requests.post(`http://good:${web.port}/moved`, {
      ...LIMITS,
      contentType: 'text/plain',
      body: '',
    });
    expect(answer).toMatchObject({ kind: 'status', status: 302 });
    expect(web.asked).toEqual([`${ALLOWED} /moved`]);
  });

  it.each(['ftp://good/', 'file:///etc/hostname', 'data:,hello', 'good', '', 'http://me@good/', 'http://me:you@good/'])(
    'need a URL of HTTP without a user: %p has none',
    async (url) => {
      expect(await requests.get(url, LIMITS)).toMatchObject({ outcome: 'failed', kind: 'url' });
    },
  );

  it('end at a number of bytes, counted after decompression', async () => {
    web.handlers.set('/full', (_, response) => response.end('x'.repeat(1000)));
    web.handlers.set('/long', (_, response) => response.end('x'.repeat(1001)));
    const zipped = gzipSync(Buffer.alloc(5_000_000));
    web.handlers.set('/bomb', (_, response) => response.setHeader('Content-Encoding', 'gzip').end(zipped));
    expect(await get('good', '/full')).toMatchObject({ outcome: 'answered' });
    expect(await get('good', '/long')).toMatchObject({ kind: 'too large' });
    expect(await get('good', '/bomb')).toMatchObject({ kind: 'too large' });
  });

  it('end at their time, before the headers and in the body', async () => {
    web.handlers.set('/silent', () => {});
    web.handlers.set('/slow', (_, response) => response.write('a beginning'));
    for (const path of ['/silent', '/slow']) {
      const answer = await requests.get(`http://good:${web.port}${path}`, { ...LIMITS, timeout: 50 });
      expect(answer).toMatchObject({ kind: 'timeout', reason: 'there was no answer within 0.05 s' });
    }
  });

  it("end with the caller's signal", async () => {
    const stop = new AbortController();
    web.handlers.set('/silent', () => stop.abort());
    const answer = await requests.get(`http://good:${web.port}/silent`, { ...LIMITS, signal: stop.signal });
    expect(answer).toMatchObject({ kind: 'aborted' });
  });

  it('say that there is no connection, and name no address', async () => {
    const server = createServer().listen(0, ALLOWED);
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    server.close();
    await once(server, 'close');
    expect(await requests.get(`http://good:${port}/`, LIMITS)).toEqual({
      outcome: 'failed',
      kind: 'connection',
      reason: 'there is no connection: ECONNREFUSED',
      status: null,
    });
    expect(await get('unknown')).toMatchObject({ kind: 'connection', reason: 'there is no connection: ENOTFOUND' });
    web.handlers.set('/broken', (request) => request.socket.destroy());
    expect(await get('good', '/broken')).toMatchObject({ kind: 'connection' });
  });

  it('say the status of any other answer', async () => {
    expect(await get('good', '/nowhere')).toMatchObject({ kind: 'status', status: 404 });
  });
});
