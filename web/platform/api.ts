import type { paths } from './api-types.js';

/** What every answer has. */
interface Envelope {
  readonly result: 'success' | 'error';
  readonly msg: string;
}

interface Answers<Body> {
  readonly responses: { readonly 200: { readonly content: { readonly 'application/json': Body } } };
}

/** The body of a success by the description of the API; the envelope where the description has no such operation. */
type Success<Path extends string, Method extends string> = Path extends keyof paths
  ? Method extends keyof paths[Path]
    ? paths[Path][Method] extends Answers<infer Body>
      ? Body
      : Envelope
    : Envelope
  : Envelope;

/** An answer that is no success, in the server's words; or none, in ours. */
export class Refused extends Error {
  constructor(
    message: string,
    /** 0: there was no answer. */
    readonly status: number,
    readonly code = '',
  ) {
    super(message);
  }
}

/** Without those that are empty. */
export type Parameters = Readonly<Record<string, string>>;

export const get = <Path extends string>(path: Path, parameters: Parameters = {}) =>
  request<Success<Path, 'get'>>('GET', path, { query: parameters });

export const post = <Path extends string>(path: Path, body: object) =>
  request<Success<Path, 'post'>>('POST', path, { body });

export const patch = <Path extends string>(path: Path, body: object) =>
  request<Success<Path, 'patch'>>('PATCH', path, { body });

export const remove = <Path extends string>(path: Path) => request<Success<Path, 'delete'>>('DELETE', path);

/** An answer in another form than JSON, whole. @param type of media @throws Refused */
export async function download(path: string, parameters: Parameters, type: string): Promise<Blob> {
  const response = await answerTo(pathOf(path, parameters), { headers: { Accept: type } });
  return response.blob();
}

interface Sent {
  /** What is no string is sent as JSON. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** A form of files, or what is sent as JSON. */
  readonly body?: object;
  /** A repeat with the same key changes nothing. */
  readonly idempotencyKey?: string;
  readonly stop?: AbortSignal;
  /** Whether it goes on when the page is left: a browser lets few and short ones. */
  readonly outlivesPage?: boolean;
}

/** For operations whose answers the page has types of its own for. @throws Refused */
export async function request<Body>(method: string, path: string, sent: Sent = {}): Promise<Body> {
  const { query = {}, body, idempotencyKey, stop, outlivesPage } = sent;
  const isForm = body instanceof FormData;
  const headers = {
    ...(body && !isForm && { 'Content-Type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
  };
  const response = await answerTo(pathOf(path, written(query)), {
    method,
    headers,
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
    ...(stop && { signal: stop }),
    ...(outlivesPage && { keepalive: true }),
  });
  return JSON.parse(await response.text());
}

const written = (query: Readonly<Record<string, unknown>>): Parameters =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );

/** Asks the server that the page comes from; the browser adds the cookie. @throws Refused */
async function answerTo(path: string, request: RequestInit): Promise<Response> {
  const response = await fetch(`/api/v1${path}`, request).catch(() => {
    throw new Refused('The server cannot be reached. Try again in a moment.', 0);
  });
  if (response.ok) return response;
  throw refusalOf(response.status, await response.text());
}

/** @param answer its text */
export function refusalOf(status: number, answer: string): Refused {
  try {
    const { msg, code } = JSON.parse(answer);
    return new Refused(msg, status, code);
  } catch {
    return new Refused(`The server answered ${status}`, status);
  }
}

function pathOf(path: string, parameters: Parameters): string {
  const given = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ''));
  return given.size === 0 ? path : `${path}?${given}`;
}
