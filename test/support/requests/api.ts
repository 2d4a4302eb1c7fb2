import type { Credentials } from '../servers/running-server.js';
import { expectWords } from './published-schemas.js';

export type Answer = Record<string, unknown> & {
  readonly result: string;
  readonly msg: string;
  readonly code?: string;
};

/** There was no complete answer: the server is gone. */
export class ConnectionLost extends Error {}

/** A client of the API. Sends parameters that are no strings as JSON, as the API requires. */
export class Api {
  constructor(readonly credentials: Credentials) {}

  get(path: string, parameters: Record<string, unknown> = {}): Promise<Answer> {
    return this.request('GET', `${path}?${encoded(parameters)}`);
  }

  post(path: string, parameters: Record<string, unknown> = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.request('POST', path, encoded(parameters), headers);
  }

  patch(path: string, parameters: Record<string, unknown> = {}): Promise<Answer> {
    return this.request('PATCH', path, encoded(parameters));
  }

  delete(path: string, parameters: Record<string, unknown> = {}): Promise<Answer> {
    return this.request('DELETE', path, encoded(parameters));
  }

  /** Client of the same account, at the server's new address. */
  at(site: string): Api {
    return new Api({ ...this.credentials, site });
  }

  private async request(method: string, path: string, body?: URLSearchParams, headers = {}): Promise<Answer> {
    const { email, key, site } = this.credentials;
    const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
    const init = { method, headers: { authorization, ...headers }, ...(body ? { body } : {}) };
    const answer = await fetch(`${site}/api/v1/${path}`, init)
      .then((response) => response.json() as Promise<Answer>)
      .catch((error: unknown) => {
        throw new ConnectionLost(String(error), { cause: error });
      });
    expectWords(answer);
    return answer;
  }
}

function encoded(parameters: Record<string, unknown>): URLSearchParams {
  const pairs = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return new URLSearchParams(
    pairs.map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}
