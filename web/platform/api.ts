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
  ) {
    super(message);
  }
}

export const get = <Path extends string>(path: Path) => ask<Success<Path, 'get'>>('GET', path);

export const post = <Path extends string>(path: Path, body: object) => ask<Success<Path, 'post'>>('POST', path, body);

export const remove = <Path extends string>(path: Path) => ask<Success<Path, 'delete'>>('DELETE', path);

/** Asks the server that the page comes from; the browser adds the cookie. @throws Refused */
async function ask<Body>(method: string, path: string, body?: object): Promise<Body> {
  const sent = body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`/api/v1${path}`, { method, ...sent }).catch(() => {
    throw new Refused('The server cannot be reached. Try again in a moment.', 0);
  });
  const answer = await response.json().catch(() => ({ msg: `The server answered ${response.status}` }));
  if (!response.ok) throw new Refused(answer.msg, response.status);
  return answer;
}
