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
import { PayloadBody, payloadIn, takesPayload } from './payload.js';
import { StreamedBody, streamsBody } from './streamed-body.js';
import { parseUrlencoded } from './urlencoded.js';

/**
 * Turns every body into a bag of raw strings, for every method: real clients send a body with DELETE and PATCH too. A
 * payload stays as it is.
 */
export function registerBodyParsers(
  server: FastifyInstance,
  { bodyLimit, requestTimeout }: Pick<HttpOptions, 'bodyLimit' | 'requestTimeout'>,
): void {
  server.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<Buffer>(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit },
    async (request: FastifyRequest, body: Buffer) =>
      ofForm(request, parseUrlencoded(utf8(await decodedBody(body, request.headers, bodyLimit)))),
  );
  server.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer', bodyLimit },
    async (request: FastifyRequest, body: Buffer) =>
      ofJson(request, utf8(await decodedBody(body, request.headers, bodyLimit))),
  );
  server.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, payload: IncomingMessage) => {
    const contentType = request.headers['content-type'] ?? '';
    const announced = Number(request.headers['content-length'] ?? 0);
    if (streamsBody(request)) return new StreamedBody(payload, { contentType, announced }, requestTimeout);
    if (announced > bodyLimit) refuse('REQUEST_TOO_LARGE');
    return ofForm(request, await parseMultipart(payload, { contentType, limit: bodyLimit, onFile: discardFile }));
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

const ofForm = (request: FastifyRequest, form: ParameterBag): ParameterBag | PayloadBody =>
  takesPayload(request) ? payloadIn(form) : form;

function ofJson(request: FastifyRequest, text: string): ParameterBag | PayloadBody {
  if (text.trim() === '') return new BagBuilder().bag;
  const value = parseJson(text);
  if (!takesPayload(request)) return bagOfJson(value);
  checkJson('The payload', value);
  return new PayloadBody(value);
}

/** Takes the members of a plain JSON object as parameters, for convenience with curl. */
function bagOfJson(body: Json): ParameterBag {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    refuse('MALFORMED_REQUEST', { description: 'A JSON body must be an object' });
  }
  checkJson('The body', body);
  const builder = new BagBuilder();
  for (const [name, value] of Object.entries(body)) {
    builder.set(name, typeof value === 'string' || value === null ? value : JSON.stringify(value));
  }
  return builder.bag;
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) refuse('INVALID_JSON');
    throw error;
  }
}
