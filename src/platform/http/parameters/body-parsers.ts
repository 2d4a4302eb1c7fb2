import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '../../kernel/deciding.js';
import type { Json } from '../../kernel/json.js';
import type { HttpOptions } from '../http-options.js';
import { decodedBody } from './encoded-body.js';
import { checkJson } from './json-value.js';
import { discardFile, parseMultipart } from './multipart.js';
import { BagBuilder, type ParameterBag } from './parameter-bag.js';
import { StreamedBody, streamsBody } from './streamed-body.js';
import { parseUrlencoded } from './urlencoded.js';

/** Turns every body into a bag of raw strings, for every method: real clients send a body with DELETE and PATCH too. */
export function registerBodyParsers(
  server: FastifyInstance,
  { bodyLimit, requestTimeout }: Pick<HttpOptions, 'bodyLimit' | 'requestTimeout'>,
): void {
  server.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<Buffer>(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit },
    async ({ headers }: FastifyRequest, body: Buffer) =>
      parseUrlencoded(utf8(await decodedBody(body, headers, bodyLimit))),
  );
  server.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer', bodyLimit },
    async ({ headers }: FastifyRequest, body: Buffer) => bagOfJson(utf8(await decodedBody(body, headers, bodyLimit))),
  );
  server.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, payload: IncomingMessage) => {
    const contentType = request.headers['content-type'] ?? '';
    const announced = Number(request.headers['content-length'] ?? 0);
    if (streamsBody(request)) return new StreamedBody(payload, { contentType, announced }, requestTimeout);
    if (announced > bodyLimit) refuse('REQUEST_TOO_LARGE');
    return parseMultipart(payload, {
      contentType,
      limit: bodyLimit,
      onFile: discardFile,
    });
  });
  // Some clients send a Content-Type without a body.
  server.addContentTypeParser<Buffer>(
    '*',
    { parseAs: 'buffer', bodyLimit },
    async (_request: FastifyRequest, body: Buffer) => {
      if (body.length > 0) refuse('UNSUPPORTED_MEDIA_TYPE');
    },
  );
}

function utf8(body: Buffer): string {
  if (!isUtf8(body)) refuse('MALFORMED_REQUEST', { description: 'The body is not UTF-8' });
  return body.toString('utf8');
}

/** Takes the members of a plain JSON object as parameters, for convenience with curl. */
function bagOfJson(text: string): ParameterBag {
  const builder = new BagBuilder();
  if (text.trim() === '') return builder.bag;
  for (const [name, value] of Object.entries(parseObject(text))) {
    builder.set(name, typeof value === 'string' || value === null ? value : JSON.stringify(value));
  }
  return builder.bag;
}

function parseObject(text: string): { [name: string]: Json } {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) refuse('INVALID_JSON');
    throw error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse('MALFORMED_REQUEST', { description: 'A JSON body must be an object' });
  }
  checkJson('The body', value);
  return value;
}
