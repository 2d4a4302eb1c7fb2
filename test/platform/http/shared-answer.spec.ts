import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fastify from 'fastify';
import { PreparedJson } from '../../../src/platform/http/answers/json-in-turns.js';
import { SharedAnswer } from '../../../src/platform/http/answers/shared-answer.js';

const SUCCESS = { result: 'success', msg: '' };
const large = Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [n, 'x'.repeat(10)]));

async function answered(shared: SharedAnswer, envelope: object, acceptEncoding?: string) {
  const app = fastify();
  app.get('/', (_request, reply) => shared.send(reply, envelope));
  const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding };
  const answer = await app.inject({ method: 'GET', url: '/', headers });
  await app.close();
  const encoding = answer.headers['content-encoding'];
  const text = encoding === 'gzip' ? gunzipSync(answer.rawPayload).toString() : answer.payload;
  return { encoding, body: JSON.parse(text) as unknown, vary: answer.headers.vary };
}

describe('a shared answer', () => {
  const members = { list: new PreparedJson(JSON.stringify(large)), last: 3 };
  const body = { ...SUCCESS, list: large, last: 3 };

  it.each<[string | undefined, string | undefined]>([
    ['gzip', 'gzip'],
    ['deflate, gzip;q=0.5', 'gzip'],
    ['br, gzip', 'gzip'],
    ['gzip;q=0', undefined],
    ['gzip; q=0.0, br', undefined],
    ['identity', undefined],
    ['ungzip', undefined],
    [undefined, undefined],
  ])('to a client that accepts %s is encoded as %s', async (accepted, encoding) => {
    const shared = new SharedAnswer(members);
    expect(await answered(shared, SUCCESS, accepted)).toEqual({ encoding, body, vary: 'Accept-Encoding' });
  });

  it('is not compressed if it is small, and says what one request alone is told', async () => {
    const small = new SharedAnswer({ last: 3 });
    expect(await answered(small, SUCCESS, 'gzip')).toMatchObject({
      encoding: undefined,
      body: { ...SUCCESS, last: 3 },
    });
    const shared = new SharedAnswer(members);
    const told = { ...SUCCESS, ignored_parameters_unsupported: ['x'] };
    expect(await answered(shared, told, 'gzip')).toMatchObject({ encoding: undefined, body: { ...body, ...told } });
  });
});
