import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Post } from '@nestjs/common';
import request from 'supertest';
import { ContentKeysUnavailable } from '../../../src/platform/content-keys/content-keys.js';
import { DocumentStoreUnavailable } from '../../../src/platform/documents/document-store.js';
import { jsonFile } from '../../../src/platform/http/answers/served-file.js';
import { PathId, PathText } from '../../../src/platform/http/parameters/path.decorators.js';
import { Public } from '../../../src/platform/http/route-marks.js';
import { ShutdownSignal } from '../../../src/platform/http/shutdown-signal.js';
import { DomainError } from '../../../src/platform/kernel/deciding.js';
import { ContentRemainsError, PartlyDoneError, UnavailableError } from '../../../src/platform/kernel/outcome-errors.js';
import { EventStoreUnavailable } from '../../../src/platform/log/event-store.js';
import { addAccount, basic, type EdgeApp, startEdge } from '../../support/servers/http-app.js';

const ERRORS: Record<string, () => Error> = {
  bug: () => new TypeError('secret detail of ours'),
  // @ts-expect-error no table has this code
  unknown_code: () => new DomainError('NO_SUCH_ROW', { secret: 1 }),
  channel: () => new DomainError('STREAM_DOES_NOT_EXIST', { stream: "it's", secret: 1 }),
  channel_id: () => new DomainError('STREAM_DOES_NOT_EXIST', { stream_id: 9 }),
  queue: () => new DomainError('BAD_EVENT_QUEUE_ID', { queue_id: '{queue_id}' }),
  narrow: () => new DomainError('BAD_NARROW', { desc: 'unknown operator' }),
  key_reused: () => new DomainError('IDEMPOTENCY_KEY_REUSED'),
  unavailable: () => new UnavailableError('not now', 7),
  log_away: () => new EventStoreUnavailable('gone', 'no'),
  log_unknown: () => new EventStoreUnavailable('gone', 'unknown'),
  partly_done: () => new PartlyDoneError('the second', { cause: new EventStoreUnavailable('gone', 'no') }),
  words_remain: () => new ContentRemainsError('still there', { cause: new ContentKeysUnavailable('gone') }),
  documents_away: () => new DocumentStoreUnavailable('gone'),
  keys_away: () => new ContentKeysUnavailable('gone'),
};

@Controller()
@Public()
class ErrorsController {
  @Get('errors/:name')
  fail(@PathText('name') name: string) {
    throw ERRORS[name]?.() ?? new Error(`no error ${name}`);
  }

  @Get('things/:thing_id')
  thing(@PathId('thing_id') _id: number) {
    return {};
  }

  @Post('things/named')
  named() {
    return {};
  }

  @Post('things')
  create() {
    return { id: 1 };
  }

  @Get('bare')
  bare() {
    return jsonFile({ openapi: '3.1.0' });
  }
}

describe('answers', () => {
  let edge: EdgeApp;
  beforeAll(async () => {
    edge = await startEdge([ErrorsController]);
  });
  afterAll(async () => edge.app.close());

  it.each([
    ['channel', 400, { code: 'STREAM_DOES_NOT_EXIST', msg: "Channel 'it's' does not exist", stream: "it's" }],
    ['channel_id', 400, { code: 'STREAM_DOES_NOT_EXIST', msg: "Channel with ID '9' does not exist", stream_id: 9 }],
    ['queue', 400, { code: 'BAD_EVENT_QUEUE_ID', msg: 'Bad event queue ID: {queue_id}', queue_id: '{queue_id}' }],
    ['narrow', 400, { code: 'BAD_NARROW', msg: 'Invalid narrow operator: unknown operator', desc: 'unknown operator' }],
    ['key_reused', 400, { code: 'EXPECTATION_MISMATCH', msg: expect.any(String) }],
    ['bug', 500, { code: 'INTERNAL_SERVER_ERROR', msg: 'Internal server error' }],
    ['unknown_code', 500, { code: 'INTERNAL_SERVER_ERROR', msg: 'Internal server error' }],
    ['log_unknown', 500, { code: 'OUTCOME_UNKNOWN', msg: expect.stringContaining('not known yet') }],
    ['words_remain', 500, { code: 'WORDS_REMAIN', msg: expect.stringContaining('was carried out') }],
    ['partly_done', 500, { code: 'PARTLY_DONE', msg: expect.stringContaining('only a part') }],
  ])('have the status and body of the table of refusals: %s', async (name, status, body) => {
    const answer = await request(edge.url).get(`/errors/${name}`);
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body: { result: 'error', ...body } });
  });

  it.each([
    ['unavailable', '7'],
    ['log_away', '1'],
    ['documents_away', '1'],
    ['keys_away', '1'],
  ])('are 503 with Retry-After if a part is unavailable: %s', async (name, seconds) => {
    const { status, body, headers } = await request(edge.url).get(`/errors/${name}`);
    expect({ status, body }).toEqual({
      status: 503,
      body: { result: 'error', code: 'SERVICE_UNAVAILABLE', msg: expect.any(String) },
    });
    expect(headers['retry-after']).toBe(seconds);
  });

  it('to unexpected errors leave the stack in the server log', async () => {
    const { headers } = await request(edge.url).get('/errors/bug');
    const line = edge
      .log()
      .find(({ err, correlationId }) => err !== undefined && correlationId === headers['x-request-id']);
    expect(line).toMatchObject({
      level: 50,
      err: { message: 'secret detail of ours', stack: expect.stringContaining('edge-server') },
    });
  });

  it.each(['/nowhere', '/things', '/things/1/more', '/', '/errors'])('are 404 or 405 for the path %s', async (path) => {
    const { status, body } = await request(edge.url).get(path);
    if (path === '/things') expect({ status, code: body.code }).toEqual({ status: 405, code: 'METHOD_NOT_ALLOWED' });
    else
      expect({ status, body }).toEqual({
        status: 404,
        body: { result: 'error', code: 'NOT_FOUND', msg: 'No such path' },
      });
  });

  it.each(['delete', 'put', 'patch'] as const)('are 405 for the method %s', async (method) => {
    const { status, body, headers } = await request(edge.url)[method]('/things/1');
    expect({ status, body }).toEqual({
      status: 405,
      body: { result: 'error', code: 'METHOD_NOT_ALLOWED', msg: 'Method not allowed' },
    });
    expect(headers.allow).toBe('GET, HEAD');
  });

  it.each(['get', 'put'] as const)('are 405 for a path of its own where another takes anything: %s', async (method) => {
    const { status, body, headers } = await request(edge.url)[method]('/things/named?x=1');
    expect({ status, code: body.code, allow: headers.allow }).toEqual({
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
      allow: 'POST',
    });
    expect((await request(edge.url).get('/things/unnamed')).status).toBe(404);
  });

  it('to accepted requests are 200, also for POST, in JSON that browsers neither sniff nor cache', async () => {
    const { status, body, headers } = await request(edge.url).post('/things');
    expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '', id: 1 } });
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  it('have no envelope if the controller says so', async () => {
    expect((await request(edge.url).get('/bare?x=1')).body).toEqual({ openapi: '3.1.0' });
  });

  it('are logged on one line, without any value that the client sent', async () => {
    const me = addAccount(edge.directory, 'secret@example.com');
    const { headers } = await request(edge.url)
      .get('/things/77?secret=secret')
      .set('Authorization', basic(me))
      .type('form')
      .send('secret=secret');
    const line = edge.log().find(({ correlationId }) => correlationId === headers['x-request-id']);
    expect(line).toEqual({
      level: 30,
      time: expect.any(String),
      method: 'GET',
      route: '/api/v1/things/:thing_id',
      status: 200,
      ms: expect.any(Number),
      userId: null,
      address: '127.0.0.1',
      correlationId: headers['x-request-id'],
      msg: 'request',
    });
    expect(JSON.stringify(edge.log().filter(({ level }) => level === 30))).not.toContain('secret');
  });

  it('are logged with the path, without its query, if it is none of the API', async () => {
    const { headers } = await request(edge.url).get('/nothing/here?key=secret');
    const line = edge.log().find(({ correlationId }) => correlationId === headers['x-request-id']);
    expect(line).toMatchObject({ status: 404, route: null, path: '/api/v1/nothing/here' });
    expect(JSON.stringify(line)).not.toContain('secret');
  });
});

describe('an improper HTTP request', () => {
  let edge: EdgeApp;
  /** Waits for nothing for long. */
  let impatient: EdgeApp;
  beforeAll(async () => {
    edge = await startEdge([ErrorsController]);
    impatient = await startEdge([ErrorsController], { requestTimeout: 300 });
  });
  afterAll(async () => {
    await edge.app.close();
    await impatient.app.close();
  });

  /** Sends the bytes, and answers everything that the server sends until it closes the connection. */
  const send = (bytes: string, { port } = edge): Promise<string> =>
    new Promise((resolve, reject) => {
      let answer = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
      socket.setEncoding('utf8');
      socket.on('data', (text) => {
        answer += text;
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(answer));
    });

  it.each([
    ['a broken request line', 'NONSENSE\r\n\r\n', 400],
    ['too long headers', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
    ['a body that does not arrive', 'POST /api/v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc', 408],
    ['headers that do not arrive', 'GET /api/v1/things/1 HTTP/1.1\r\nHost: x\r\n', 408],
    ['a broken escape in the path', 'GET /api/v1/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    [
      'a path segment that is too long',
      `GET /api/v1/things/${'x'.repeat(2000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      414,
    ],
    ['no Host', 'GET /api/v1/things/1 HTTP/1.1\r\n\r\n', 400],
    [
      'an expectation other than 100-continue',
      'POST /api/v1/things HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nContent-Length: 10\r\n\r\n',
      417,
    ],
    [
      'a Content-Length that is not a number',
      'POST /api/v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: abc\r\n\r\n',
      400,
    ],
    [
      'both Content-Length and Transfer-Encoding',
      'POST /api/v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'an invalid Content-Type',
      'POST /api/v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: ;;\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx',
      415,
    ],
  ])('%s is answered in the envelope', async (_, bytes, status) => {
    const answer = await send(bytes, status === 408 ? impatient : edge);
    expect(answer.split('\r\n')[0]).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
    expect(body).toEqual({ result: 'error', code: expect.any(String), msg: expect.any(String) });
  });

  it('needs no Host in HTTP/1.0', async () => {
    expect(await send('GET /api/v1/things/1 HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
  });

  it('with Expect: 100-continue is told to go on, and is carried out', async () => {
    let answer = '';
    const socket = connect(edge.port, '127.0.0.1', () =>
      socket.write(
        'POST /api/v1/things HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n',
      ),
    );
    socket.setEncoding('utf8');
    socket.on('data', (text) => {
      if (answer === '') socket.write('{}');
      answer += text;
    });
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n/);
  });

  it.each([
    ['no Host', 'GET /join/x/ HTTP/1.1\r\n\r\n', 400],
    ['a body that does not arrive', 'POST /join/x/ HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc', 408],
    ['a malformed header', 'GET /join/x/ HTTP/1.1\r\nHost: x\r\nno header\r\n\r\n', 400],
  ])('%s is answered by a page, if one was asked for', async (_, bytes, status) => {
    const answer = await send(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/\r\nContent-Type: text\/html; charset=utf-8\r\n/i);
    expect(answer).toMatch(/\r\n\r\n<!doctype html>[\s\S]*<\/html>\s*$/);
  });
});

describe('closing the server', () => {
  @Controller()
  @Public()
  class PollController {
    readonly arrived: (() => void)[] = [];
    finish: (() => void) | null = null;

    constructor(private readonly shutdown: ShutdownSignal) {}

    @Get('poll')
    async poll() {
      const released = new Promise<void>((resolve) => {
        this.shutdown.signal.addEventListener('abort', () => resolve(), { once: true });
      });
      for (const tell of this.arrived.splice(0)) tell();
      await released;
      return { events: [] };
    }

    @Get('work')
    async work() {
      const finished = new Promise<void>((resolve) => {
        this.finish = resolve;
      });
      for (const tell of this.arrived.splice(0)) tell();
      await finished;
      return { done: true };
    }
  }

  const arrival = (edge: EdgeApp): Promise<void> =>
    new Promise((resolve) => {
      edge.app.get(PollController).arrived.push(resolve);
    });

  it('releases long polls and ends their connections', async () => {
    const edge = await startEdge([PollController]);
    const arrived = arrival(edge);
    const answer = fetch(`${edge.url}/poll`);
    await arrived;
    await edge.app.close();
    const { status, headers } = await answer;
    expect({ status, connection: headers.get('connection') }).toEqual({ status: 200, connection: 'close' });
    expect(await (await answer).json()).toEqual({ result: 'success', msg: '', events: [] });
    await expect(fetch(`${edge.url}/poll`)).rejects.toThrow();
  });

  it('answers requests that were accepted before', async () => {
    const edge = await startEdge([PollController]);
    const arrived = arrival(edge);
    const answer = fetch(`${edge.url}/work`);
    await arrived;
    const closed = edge.app.close();
    edge.app.get(ShutdownSignal).signal.addEventListener('abort', () => edge.app.get(PollController).finish?.());
    expect(await (await answer).json()).toEqual({ result: 'success', msg: '', done: true });
    await closed;
  });

  it('cuts connections of requests that do not end in time', async () => {
    const edge = await startEdge([PollController], { closeTimeout: 50 });
    const arrived = arrival(edge);
    const answer = fetch(`${edge.url}/work`);
    const cut = expect(answer).rejects.toThrow();
    await arrived;
    await edge.app.close();
    await cut;
  });
});
