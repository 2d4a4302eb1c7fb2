import type { Answer } from './connection.js';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Account {
  readonly userId: number;
  readonly email: string;
  readonly apiKey: string;
}

const authorization = ({ email, apiKey }: Account) => `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`;

/**
 * Makes the bytes of a request, before the clock starts.
 *
 * @param path under `/api/v1`
 * @param parameters query string of a GET, form body of anything else
 * @param options `acceptsGzip`: most clients do; the bench reads what is small
 */
export function requestOf(
  method: Method,
  path: string,
  account: Account | null,
  parameters: Readonly<Record<string, string>> = {},
  { acceptsGzip = false } = {},
) {
  const form = new URLSearchParams(parameters).toString();
  const query = method === 'GET' && form !== '' ? `?${form}` : '';
  const body = method === 'GET' ? '' : form;
  const head = [
    `${method} /api/v1${path}${query} HTTP/1.1`,
    'Host: 127.0.0.1',
    'User-Agent: annals-bench/1.0',
    ...(acceptsGzip ? ['Accept-Encoding: gzip'] : []),
    ...(account ? [`Authorization: ${authorization(account)}`] : []),
    ...(body === ''
      ? []
      : ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Reads the JSON of an answer that must be a success. */
export function successOf<T>({ status, body }: Answer): T {
  if (status !== 200) throw new Error(`answered ${status}: ${body.toString('utf8').slice(0, 500)}`);
  return JSON.parse(body.toString('utf8'));
}
