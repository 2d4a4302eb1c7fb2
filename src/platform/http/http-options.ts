import type { DestinationStream } from 'pino';
import { PagePaths } from '../pages/page-paths.js';
import { CrossOriginPaths } from './cross-origin/cross-origin-paths.js';
import { type LoginLimitSettings, loginLimitDefaults } from './logins/login-limits.js';

export interface HttpOptions {
  /** The most requests a minute of each user, and of each address without a user; 0: no limit. */
  readonly rateLimit: number;
  /** Always on, so that passwords cannot be guessed fast. */
  readonly logins: LoginLimitSettings;
  /** The most bytes of a request's body. */
  readonly bodyLimit: number;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** Destination of log lines; default standard error. */
  readonly logDestination?: DestinationStream & { readonly isTTY?: boolean };
  /** Milliseconds within which a whole request must arrive. */
  readonly requestTimeout: number;
  /** The same for a route that streams its body: large files and slow connections take longer. */
  readonly uploadTimeout: number;
  /** Milliseconds after which a silent connection ends: its client takes nothing of its answer, or has asked for nothing. */
  readonly stallTimeout: number;
  /** Milliseconds that closing waits for accepted requests before it cuts the connections left. */
  readonly closeTimeout: number;
  /** The proxies whose X-Forwarded-For is trusted; false: none. */
  readonly trustProxy: string | false;
  /** The paths that answer with pages instead of the envelope. */
  readonly pages: PagePaths;
  /** The paths that pages of other origins may ask. */
  readonly crossOrigin: CrossOriginPaths;
}

export const httpDefaults: HttpOptions = {
  rateLimit: 0,
  logins: loginLimitDefaults,
  bodyLimit: 1024 * 1024,
  logLevel: 'info',
  requestTimeout: 30_000,
  uploadTimeout: 900_000,
  stallTimeout: 72_000,
  closeTimeout: 10_000,
  trustProxy: false,
  pages: new PagePaths(),
  crossOrigin: new CrossOriginPaths(),
};

/** Nest token. */
export const HTTP_OPTIONS = Symbol('HttpOptions');
