import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import type { RequestInit, Response } from 'undici';
import { AddressRefused, type ReachableAddresses, type Resolve } from './reachable-addresses.js';

interface Limits {
  /** Bytes of the answer's body, once decompressed. */
  readonly maxBytes: number;
  /** Milliseconds for the whole: names, connections, redirects and the body. */
  readonly timeout: number;
  readonly signal?: AbortSignal;
}

interface GetOptions extends Limits {
  /** Types that are wanted, as in the header `Accept`. */
  readonly accept?: string;
}

interface PostOptions extends Limits {
  readonly contentType: string;
  readonly body: string;
}

/** An answer with a status of 200 to 299. */
interface Answer {
  readonly outcome: 'answered';
  readonly status: number;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** A request without such an answer. `reason` is for logs and owners of bots: it names hosts, and no address. */
export interface Failure {
  readonly outcome: 'failed';
  readonly kind: /** No `http://` or `https://` URL, or one with a user and a password. */
    | 'url'
    /** An address that may not be reached. */
    | 'address'
    /** Any other status; `status` has it. */
    | 'status'
    | 'redirects'
    | 'too large'
    | 'timeout'
    /** There is no connection, or it broke. */
    | 'connection'
    /** By the caller's signal. */
    | 'aborted';
  readonly reason: string;
  /** null unless there was an answer. */
  readonly status: number | null;
}

/** Tells the other side who asks. */
const NAMED = { 'user-agent': 'Annals' };
const MAX_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];
const MAX_URL = 8192;
const PROTOCOLS = ['http:', 'https:'];

const resolveByDns: Resolve = (host) => lookup(host, { all: true });

/**
 * Requests to hosts that users name. A request goes only to addresses that may be reached: the check is made on the
 * address of each connection, so a name cannot change its address in between. Each request has connections of its own.
 */
export class OutgoingRequests {
  constructor(
    private readonly reachable: ReachableAddresses,
    private readonly resolve: Resolve = resolveByDns,
  ) {}

  /** Follows at most three redirects, each checked like the first URL. */
  get(url: string, { accept, ...limits }: GetOptions): Promise<Answer | Failure> {
    const headers = { ...NAMED, ...(accept !== undefined && { accept }) };
    return this.request(url, { headers }, limits, MAX_REDIRECTS);
  }

  /** Follows no redirect. */
  post(url: string, { contentType, body, ...limits }: PostOptions): Promise<Answer | Failure> {
    const headers = { ...NAMED, 'content-type': contentType };
    return this.request(url, { method: 'POST', body, headers }, limits, 0);
  }

  private async request(url: string, init: RequestInit, limits: Limits, redirects: number): Promise<Answer | Failure> {
    const time = AbortSignal.timeout(limits.timeout);
    const signal = limits.signal ? AbortSignal.any([limits.signal, time]) : time;
    const { Agent } = await import('undici');
    const agent = new Agent({ connect: { lookup: this.reachableOf, timeout: limits.timeout } });
    try {
      return await this.follow(url, { ...init, dispatcher: agent, signal, redirect: 'manual' }, limits, redirects);
    } catch (error) {
      if (limits.signal?.aborted) return failed('aborted', 'the request was aborted');
      if (time.aborted) return failed('timeout', `there was no answer within ${limits.timeout / 1000} s`);
      const refused = causesOf(error).find((cause) => cause instanceof AddressRefused);
      if (refused) return failed('address', refused.message);
      return failed('connection', reasonOf(error));
    } finally {
      await agent.destroy();
    }
  }

  private async follow(from: string, init: RequestInit, limits: Limits, redirects: number): Promise<Answer | Failure> {
    const { fetch } = await import('undici');
    let at = URL.canParse(from) ? new URL(from) : null;
    for (let left = redirects; ; left--) {
      const problem = at === null ? 'it is no URL' : problemOf(at);
      if (at === null || problem !== null) return failed('url', `the URL cannot be used: ${problem}`);
      const host = at.hostname.replace(/^\[(.*)\]$/, '$1');
      // A connection to a literal address asks for no name.
      if (isIP(host) !== 0 && !this.reachable.has(host)) throw new AddressRefused(host);
      const response = await fetch(at.href, init);
      const location = response.headers.get('location');
      if (redirects === 0 || location === null || !REDIRECTS.includes(response.status)) return read(response, limits);
      await response.body?.cancel();
      if (left === 0) return failed('redirects', `there are more than ${redirects} redirects`, response.status);
      at = URL.canParse(location, at.href) ? new URL(location, at) : null;
    }
  }

  /** Names the addresses of a host that a connection may choose from. */
  private readonly reachableOf: LookupFunction = (host, options, callback) => {
    this.addressesOf(host, options).then(
      (found) => {
        const [first] = found;
        if (first === undefined) return callback(new AddressRefused(host), []);
        if (options.all) callback(null, [...found]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };

  private async addressesOf(host: string, { family }: LookupOptions): Promise<readonly LookupAddress[]> {
    const wanted = family === 4 || family === 'IPv4' ? 4 : family === 6 || family === 'IPv6' ? 6 : 0;
    const found = await this.resolve(host);
    return found.filter((one) => this.reachable.has(one.address) && (wanted === 0 || one.family === wanted));
  }
}

function problemOf(url: URL): string | null {
  if (!PROTOCOLS.includes(url.protocol)) return 'it begins neither with http:// nor with https://';
  if (url.username !== '' || url.password !== '') return 'it has a user or a password';
  return url.href.length > MAX_URL ? 'it is too long' : null;
}

/** Says why a request to the URL would be refused before any connection; null: it would not. */
export const problemOfUrl = (text: string): string | null =>
  URL.canParse(text) ? problemOf(new URL(text)) : 'it is no URL';

async function read(response: Response, { maxBytes }: Limits): Promise<Answer | Failure> {
  const { status } = response;
  if (!response.ok) return failed('status', `the answer has the status ${status}`, status);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > maxBytes) return failed('too large', `the answer has more than ${maxBytes} bytes`, status);
    parts.push(part);
  }
  return { outcome: 'answered', status, headers: new Map(response.headers), body: Buffer.concat(parts) };
}

const failed = (kind: Failure['kind'], reason: string, status: number | null = null): Failure => ({
  outcome: 'failed',
  kind,
  reason,
  status,
});

/** `fetch` hides the reason in `cause`. */
function causesOf(error: unknown): readonly object[] {
  const causes: object[] = [];
  let at = error;
  while (typeof at === 'object' && at !== null && causes.length < 5) {
    causes.push(at);
    at = 'cause' in at ? at.cause : null;
  }
  return causes;
}

/** The code of the failure, such as ECONNREFUSED: the text of it may name an address. */
function reasonOf(error: unknown): string {
  const codes = causesOf(error).flatMap((cause) => ('code' in cause ? [String(cause.code)] : []));
  return `there is no connection${codes[0] === undefined ? '' : `: ${codes[0]}`}`;
}
