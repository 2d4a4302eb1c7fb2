import type { DestinationStream } from 'pino';

export interface HttpOptions {
  /** Requests a minute for each user, and for each address without one; 0: no limit. */
  readonly rateLimit: number;
  /** Failed logins a minute for each address and name. Always limited, so that passwords cannot be guessed at speed. */
  readonly loginFailureLimit: number;
  /** Bytes of a request's body. */
  readonly bodyLimit: number;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** Where log lines go; standard error where it is left out. */
  readonly logDestination?: DestinationStream;
  /** Milliseconds in which a whole request must have arrived. */
  readonly requestTimeout: number;
  /** The same for a route that streams its body: files are long, and lines are slow. */
  readonly uploadTimeout: number;
  /** Milliseconds that closing waits for what was accepted, before it cuts the connections that are left. */
  readonly closeTimeout: number;
  /** Which proxies in front are believed when they say whom they ask for (X-Forwarded-For); false: none. */
  readonly trustProxy: string | false;
}

export const httpDefaults: HttpOptions = {
  rateLimit: 0,
  loginFailureLimit: 10,
  bodyLimit: 1024 * 1024,
  logLevel: 'info',
  requestTimeout: 30_000,
  uploadTimeout: 900_000,
  closeTimeout: 10_000,
  trustProxy: false,
};

/** Nest token. */
export const HTTP_OPTIONS = Symbol('HttpOptions');
