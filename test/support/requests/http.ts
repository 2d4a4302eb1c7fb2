import type { INestApplication } from '@nestjs/common';
import request, { type Test } from 'supertest';
import { API_PREFIX } from '../../../src/platform/http/api-prefix.js';
import { expectDescribedAnswer, expectPublishedResponse } from './published-schemas.js';

/** Email and API key of an account. */
export interface Credentials {
  readonly email: string;
  readonly apiKey: string;
}

export type Encoding = 'query' | 'form' | 'multipart' | 'json';

export interface AskOptions {
  /** Place of the parameters; default: the query for GET, a form otherwise. */
  readonly encoding?: Encoding;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: specs say what they expect of it
  readonly body: any;
}

/** Parameters. Values that are no strings are sent as JSON; undefined is left out. */
export type Params = Readonly<Record<string, unknown>>;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * A client of the API: `client(app).as(owner).post('/messages', { type: 'direct', to: [9], content: 'hi' })`. Checks every
 * answer, and every client event in it, against the published schemas.
 */
export class Client {
  constructor(
    private readonly server: string | object,
    private readonly credentials: Credentials | null = null,
  ) {}

  as(credentials: Credentials): Client {
    return new Client(this.server, credentials);
  }

  get(path: string, params?: Params, options?: AskOptions): Promise<Answer> {
    return this.ask('GET', path, params, options);
  }

  post(path: string, params?: Params, options?: AskOptions): Promise<Answer> {
    return this.ask('POST', path, params, options);
  }

  put(path: string, params?: Params, options?: AskOptions): Promise<Answer> {
    return this.ask('PUT', path, params, options);
  }

  patch(path: string, params?: Params, options?: AskOptions): Promise<Answer> {
    return this.ask('PATCH', path, params, options);
  }

  delete(path: string, params?: Params, options?: AskOptions): Promise<Answer> {
    return this.ask('DELETE', path, params, options);
  }

  async ask(method: Method, path: string, params: Params = {}, options: AskOptions = {}): Promise<Answer> {
    const { encoding = method === 'GET' ? 'query' : 'form', headers = {} } = options;
    const test = request(this.server as Parameters<typeof request>[0])
      [METHODS[method]](`/${API_PREFIX}${path}`)
      .set(headers);
    if (this.credentials) test.auth(this.credentials.email, this.credentials.apiKey);
    const { status, headers: answered, body } = await encode(test, encoding, params);
    const asked = path.split('?')[0] ?? path;
    expectPublishedResponse(method, asked, status, body);
    if (status < 400) await expectDescribedAnswer(method, asked, body);
    return { status, headers: answered, body };
  }
}

/** @param app an initialised app, or the address of a running server: `http://127.0.0.1:9991` */
export function client(app: INestApplication | string): Client {
  return new Client(typeof app === 'string' ? app : app.getHttpServer());
}

const METHODS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

function encode(test: Test, encoding: Encoding, params: Params): Test {
  const sent = Object.entries(params).filter(([, value]) => value !== undefined);
  if (sent.length === 0) return test;
  if (encoding === 'json') return test.type('json').send(Object.fromEntries(sent));
  const fields = sent.map(([name, value]): [string, string] => [name, textOf(value)]);
  if (encoding === 'multipart') return fields.reduce((at, [name, value]) => at.field(name, value), test);
  const text = new URLSearchParams(fields).toString();
  return encoding === 'query' ? test.query(text) : test.type('form').send(text);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
