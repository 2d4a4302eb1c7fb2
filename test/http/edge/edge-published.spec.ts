import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Post } from '@nestjs/common';
import { IsString } from 'class-validator';
import { refusals } from '../../../src/app/features.js';
import { Parameters } from '../../../src/platform/http/parameters/parameters.decorator.js';
import type { Refusal } from '../../../src/platform/http/refusal.js';
import { DomainError } from '../../../src/platform/kernel/deciding.js';
import { type Client, client } from '../../support/requests/http.js';
import { expectPublishedEvent, expectPublishedResponse } from '../../support/requests/published-schemas.js';
import { type Account, addAccount, type EdgeApp, startEdge } from '../../support/servers/http-app.js';

type Args = [method: string, path: string, status: number, body: unknown];

const ok = { result: 'success', msg: '' };
const error = { result: 'error', msg: 'text' };

describe('the check of responses', () => {
  const accepts = (...args: Args) => expect(() => expectPublishedResponse(...args)).not.toThrow();
  const refuses = (pattern: RegExp, ...args: Args) => expect(() => expectPublishedResponse(...args)).toThrow(pattern);

  it('accepts a published response', () => {
    accepts('POST', '/messages', 200, { ...ok, id: 1 });
    accepts('POST', '/messages', 200, { ...ok, id: 1, ignored_parameters_unsupported: ['x'] });
    accepts('PATCH', '/messages/12', 200, { ...ok, detached_uploads: [] });
    accepts('GET', '/users/me', 200, { ...ok, user_id: 1, role: 400, profile_data: { 1: { value: 'x' } } });
    accepts('POST', '/messages', 400, { ...error, code: 'STREAM_DOES_NOT_EXIST', stream: 'x' });
    accepts('DELETE', '/events', 400, { ...error, code: 'REQUEST_VARIABLE_MISSING', var_name: 'queue_id' });
    accepts('POST', '/nowhere', 404, { ...error, code: 'NOT_FOUND' });
    accepts('GET', '/users', 401, { ...error, code: 'INVALID_API_KEY' });
    accepts('GET', '/users', 503, { ...error, code: 'SERVICE_UNAVAILABLE' });
    accepts('GET', '/openapi.json', 200, { openapi: '3.1.0' });
  });

  it('refuses a response that is not as published', () => {
    for (const msg of ['', ' ', null])
      refuses(/without words/, 'POST', '/messages', 400, { result: 'error', msg, code: 'BAD_REQUEST' });
    refuses(/additional properties: revision/, 'POST', '/messages', 200, { ...ok, id: 1, revision: 0 });
    refuses(/must have required property 'id'/, 'POST', '/messages', 200, ok);
    refuses(/\/id must be integer/, 'POST', '/messages', 200, { ...ok, id: '1' });
    refuses(/required property 'msg'/, 'POST', '/messages', 200, { result: 'success', id: 1 });
    refuses(/\/result must be equal/, 'POST', '/messages', 200, { ...error, id: 1 });
    refuses(/additional properties: position/, 'GET', '/streams', 200, { ...ok, streams: [{ position: 1 }] });
    refuses(/201 is no published answer/, 'POST', '/messages', 201, { ...ok, id: 1 });
    refuses(/no such operation/, 'POST', '/nowhere', 200, ok);
    refuses(/additional properties: stream_name/, 'POST', '/messages', 400, {
      ...error,
      code: 'STREAM_DOES_NOT_EXIST',
      stream_name: 'x',
    });
    refuses(/additional properties: var_name/, 'POST', '/messages', 400, {
      ...error,
      code: 'INVALID_JSON',
      var_name: '',
    });
    refuses(/answered with 400/, 'POST', '/messages', 400, { ...error, code: 'RATE_LIMIT_HIT', 'retry-after': 1 });
    refuses(/required property 'code'/, 'POST', '/messages', 400, error);
  });

  it('checks each event of a response', () => {
    const message = { id: 1, type: 'message', flags: [], message: { id: 3, avatar_url: null } };
    accepts('GET', '/events', 200, { ...ok, queue_id: 'q', events: [message, { id: 2, type: 'heartbeat' }] });
    refuses(/event message\n {2}\/message must NOT have additional properties: topic/, 'GET', '/events', 200, {
      ...ok,
      events: [{ ...message, message: { topic: 'x' } }],
    });
  });
});

describe('the check of events', () => {
  it('accepts published events, by type and op', () => {
    expectPublishedEvent({ id: 1, type: 'realm_user', op: 'update', person: { user_id: 1, full_name: 'x' } });
    expectPublishedEvent({ id: 1, type: 'alert_words', alert_words: ['x'] });
    expectPublishedEvent({ id: 1, type: 'message', message: {}, flags: [], local_id: '1', local_message_id: '1' });
  });

  it('refuses events that are not as published', () => {
    expect(() => expectPublishedEvent({ id: 1, type: 'MessageSent' })).toThrow(/no event MessageSent/);
    expect(() => expectPublishedEvent({ id: 1, type: 'subscription', op: 'renamed' })).toThrow(/no event subscription/);
    expect(() => expectPublishedEvent({ id: 1, type: 'message', words: 'x' })).toThrow(/properties: words/);
    expect(() => expectPublishedEvent(null)).toThrow(/no event/);
  });
});

describe('the error table', () => {
  const SAMPLES: Record<string, unknown> = {
    'retry-after': 1,
    stream_id: 1,
    is_last_owner: true,
    objections: [{ type: 'channel' }],
    first_message_id_allowed_to_move: 1,
    total_messages_allowed_to_move: 1,
    total_messages_in_topic: 2,
    errors: [['iris@example.org', 'Invalid address.', false]],
    sent_invitations: false,
    license_limit_reached: false,
    daily_limit_reached: false,
  };
  /** Codes whose keys are always present together. */
  const TOGETHER = new Set(['CANNOT_DEACTIVATE_LAST_USER', 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED']);
  const rows: [string, Refusal][] = Object.entries(refusals);

  it.each(rows)('has the published status and keys for %s', (_, { status, code, keys = [] }) => {
    const each = keys.map((key) => ({ [key]: SAMPLES[key] ?? 'x' }));
    const extras = keys.length === 0 || TOGETHER.has(code) ? [Object.assign({}, ...each)] : each;
    for (const extra of extras) expectPublishedResponse('GET', '/nowhere', status, { ...error, code, ...extra });
  });
});

describe('the HTTP client of the specs', () => {
  class RenderParameters {
    @IsString()
    content!: string;
  }

  @Controller('messages')
  class RenderController {
    @Post('render')
    render(@Parameters() { content }: RenderParameters) {
      if (content === 'words too many') return { rendered: content, words: 3 };
      return { rendered: `<p>${content}</p>` };
    }

    @Get()
    list(@Parameters() { content }: RenderParameters): never {
      throw new DomainError('STREAM_DOES_NOT_EXIST', { stream: content.length });
    }
  }

  let edge: EdgeApp;
  let me: Account;
  let mine: Client;

  beforeAll(async () => {
    edge = await startEdge([RenderController]);
    me = addAccount(edge.directory);
    mine = client(edge.app).as(me);
  });
  afterAll(async () => edge.app.close());

  it.each(['query', 'form', 'multipart', 'json'] as const)('sends parameters as %s', async (encoding) => {
    const { status, body } = await mine.post(
      '/messages/render',
      { content: 'é + é', missing: undefined },
      { encoding },
    );
    expect({ status, body }).toEqual({ status: 200, body: { ...ok, rendered: '<p>é + é</p>' } });
  });

  it('sends no credentials by default', async () => {
    expect((await client(edge.app).post('/messages/render', { content: 'x' })).body.code).toBe('UNAUTHORIZED');
  });

  it('fails if a response is not as published', async () => {
    await expect(mine.post('/messages/render', { content: 'words too many' })).rejects.toThrow(/properties: words/);
    await expect(mine.get('/messages', { content: 'x' })).rejects.toThrow(/stream must be string/);
  });
});
