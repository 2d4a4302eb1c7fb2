import { badRequest, type DataOf, type Refusals } from './refusal.js';

/** Refusals that any request may get, whatever its endpoint. */
export const edgeRefusals = {
  REQUEST_VARIABLE_MISSING: {
    status: 400,
    code: 'REQUEST_VARIABLE_MISSING',
    message: "Missing '{var_name}' argument",
    keys: ['var_name'],
    namesUnknown: true,
  },
  INVALID_PARAMETER: badRequest('{description}'),
  INCOMPATIBLE_PARAMETERS: {
    status: 400,
    code: 'BAD_REQUEST',
    message: 'Unsupported parameter combination: {parameters}',
    keys: ['parameters'],
  },
  INVALID_JSON: { status: 400, code: 'INVALID_JSON', message: 'Malformed JSON' },
  INVALID_JSON_PARAMETER: { status: 400, code: 'INVALID_JSON', message: '{name} is not valid JSON' },
  MALFORMED_REQUEST: badRequest('{description}'),
  CROSS_SITE: { status: 403, code: 'CROSS_SITE', message: 'This form was sent by another site' },
  LINK_UNUSABLE: { status: 404, code: 'NOT_FOUND', message: 'This link cannot be used' },
  NOT_FOUND: { status: 404, code: 'NOT_FOUND', message: 'No such path' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    message: 'Method not allowed',
    headers: ({ allowed }) => ({ Allow: String(allowed) }),
  },
  REQUEST_TIMEOUT: { status: 408, code: 'REQUEST_TIMEOUT', message: 'The request did not arrive in time' },
  REQUEST_TOO_LARGE: { status: 413, code: 'REQUEST_TOO_LARGE', message: 'Request is too large' },
  PATH_TOO_LONG: { status: 414, code: 'PATH_TOO_LONG', message: 'Path is too long' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Unsupported Content-Type' },
  UNSUPPORTED_ENCODING: {
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: 'Unsupported Content-Encoding',
    headers: ({ accepted }) => ({ 'Accept-Encoding': String(accepted) }),
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    code: 'RANGE_NOT_SATISFIABLE',
    message: 'The file has no such range',
    headers: ({ size }) => ({ 'Content-Range': `bytes */${String(size)}` }),
  },
  EXPECTATION_FAILED: { status: 417, code: 'EXPECTATION_FAILED', message: 'The server cannot meet the Expect header' },
  HEADERS_TOO_LARGE: { status: 431, code: 'REQUEST_TOO_LARGE', message: 'Request headers are too large' },
  RATE_LIMIT_HIT: {
    status: 429,
    code: 'RATE_LIMIT_HIT',
    message: 'API usage exceeded rate limit',
    keys: ['retry-after'],
    headers: (data) => ({ 'Retry-After': String(data['retry-after']) }),
  },
  INTERNAL_SERVER_ERROR: { status: 500, code: 'INTERNAL_SERVER_ERROR', message: 'Internal server error' },
  PARTLY_DONE: {
    status: 500,
    code: 'PARTLY_DONE',
    message: 'The server could carry out only a part of this; the same request again does what is left',
  },
  WORDS_REMAIN: {
    status: 500,
    code: 'WORDS_REMAIN',
    message:
      'This was carried out; words that were deleted with it may still be in documents of the server, which follow without a further request',
  },
  OUTCOME_UNKNOWN: {
    status: 500,
    code: 'OUTCOME_UNKNOWN',
    message:
      'Whether this was stored is not known yet; the same request again, under the same Idempotency-Key or queue_id and local_id, tells',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    message: 'The server cannot answer this now; nothing was changed',
    headers: ({ retryAfterSeconds }) => ({ 'Retry-After': String(retryAfterSeconds) }),
  },
} as const satisfies Refusals;

export type EdgeRefusal = keyof typeof edgeRefusals;

declare module '../kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof edgeRefusals> {}
}
