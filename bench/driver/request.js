// @ts-check

/**
 * @typedef {object} Account
 * @property {number} userId
 * @property {string} email
 * @property {string} apiKey
 */

/** @param {Account} account */
const authorization = ({ email, apiKey }) => `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`;

/**
 * The bytes of a request, made before the clock starts.
 *
 * @param {'GET' | 'POST' | 'PATCH' | 'DELETE'} method
 * @param {string} path under `/api/v1`
 * @param {Account | null} account
 * @param {Readonly<Record<string, string>>} [parameters] query string of a GET, form body of anything else
 */
export function requestOf(method, path, account, parameters = {}) {
  const form = new URLSearchParams(parameters).toString();
  const query = method === 'GET' && form !== '' ? `?${form}` : '';
  const body = method === 'GET' ? '' : form;
  const head = [
    `${method} /api/v1${path}${query} HTTP/1.1`,
    'Host: 127.0.0.1',
    'User-Agent: annals-bench/1.0',
    ...(account ? [`Authorization: ${authorization(account)}`] : []),
    ...(body === ''
      ? []
      : ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/**
 * The JSON of an answer that must be a success.
 *
 * @param {import('./connection.js').Answer} answer
 * @returns {any}
 */
export function successOf({ status, body }) {
  if (status !== 200) throw new Error(`answered ${status}: ${body.toString('utf8').slice(0, 500)}`);
  return JSON.parse(body.toString('utf8'));
}
