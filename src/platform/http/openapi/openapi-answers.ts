import { edgeRefusals } from '../edge.refusals.js';
import type { DescribedOperation } from './described-api.js';
import { exampleOf } from './openapi-parameters.js';
import { type Schema, text } from './schema.js';

const missing = edgeRefusals.REQUEST_VARIABLE_MISSING;

const SUCCESS: Readonly<Record<string, Schema>> = {
  result: { type: 'string', enum: ['success'] },
  msg: { ...text, description: 'Empty' },
  ignored_parameters_unsupported: {
    type: 'array',
    items: text,
    description: 'Parameters that were sent and that the operation does not have',
  },
};

/** An error, whatever its code. @param members what errors of some codes have besides */
export const errorSchema = (members: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  required: ['result', 'msg', 'code'],
  properties: {
    result: { type: 'string', enum: ['error'] },
    msg: { ...text, description: 'The reason, for people', examples: [missing.message.replace('{var_name}', 'topic')] },
    code: { ...text, description: 'The reason, for programs', examples: [missing.code] },
    ...members,
  },
});

export const HEADERS = {
  'X-Request-Id': {
    description: 'Names the request in the log of the server and in the audit',
    schema: text,
    example: '01a22281-368d-7191-99b2-0fe612b49452',
  },
  'X-RateLimit-Limit': {
    description: 'Requests that the key may make in a minute',
    schema: { type: 'integer' },
    example: 200,
  },
  'X-RateLimit-Remaining': { description: 'How many of them are left', schema: { type: 'integer' }, example: 199 },
  'X-RateLimit-Reset': {
    description: 'When the minute ends: seconds since 1970',
    schema: { type: 'integer' },
    example: 1795875220,
  },
  Location: {
    description: 'The URL to go on with',
    schema: text,
    example: '/user_avatars/1/realm/icon/w1jUfKkF9VS3SoxakNkjiCNy.png',
  },
  'Retry-After': {
    description: 'Seconds to wait before the request is made again',
    schema: { type: 'integer' },
    example: 3,
  },
};

const ref = (kind: 'headers' | 'schemas', name: string) => ({ $ref: `#/components/${kind}/${name}` });
const headers = (...names: (keyof typeof HEADERS)[]) =>
  Object.fromEntries(names.map((name) => [name, ref('headers', name)]));
const OF_EVERY_ANSWER = headers('X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset');

/** The schema of a successful answer. */
export function answerSchema({ published, answer = {}, optional = [] }: DescribedOperation): Schema {
  if (published) return published;
  const required = Object.keys(answer).filter((name) => !optional.includes(name));
  return {
    type: 'object',
    required: ['result', 'msg', ...required],
    properties: { ...SUCCESS, ...answer },
    additionalProperties: false,
  };
}

/** @param answer the name of the schema of a successful answer; null: it is not JSON */
export function responses(
  { failures: published = [], otherForms = {}, redirects, example }: DescribedOperation,
  answer: string | null,
  isPublic: boolean,
) {
  const forms = Object.entries(otherForms).map(([media, description]) => {
    const type = media === 'application/json' ? 'object' : 'string';
    return [media, { schema: { type, description }, ...exampleOf(example?.otherForms?.[media]) }];
  });
  const content = {
    ...(answer !== null && { 'application/json': { schema: ref('schemas', answer), ...exampleOf(example?.answer) } }),
    ...Object.fromEntries(forms),
  };
  const failures = {
    ...Object.fromEntries(published.map((status) => [status, error(REFUSED)])),
    ...(!isPublic && { 401: error('`UNAUTHORIZED`, `INVALID_API_KEY`') }),
    429: error('`RATE_LIMIT_HIT`', 'Retry-After'),
    503: error('`SERVICE_UNAVAILABLE`', 'Retry-After'),
  };
  return {
    ...(redirects === undefined
      ? { 200: { description: 'Done', headers: OF_EVERY_ANSWER, content } }
      : { 302: { description: redirects, headers: { ...OF_EVERY_ANSWER, ...headers('Location') } } }),
    ...failures,
    default: error(REFUSED),
  };
}

const REFUSED = 'Refused: `code` and `msg` say why';

const error = (description: string, ...others: readonly 'Retry-After'[]) => ({
  description,
  headers: headers('X-Request-Id', ...others),
  content: { 'application/json': { schema: ref('schemas', 'Error') } },
});
