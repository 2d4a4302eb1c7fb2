import { isFQDN, isIP } from 'class-validator';

/** Parts of a URL that may name several hosts, which WHATWG URLs cannot. */
interface ManyHostsUrl {
  readonly scheme: string;
  readonly hosts: readonly { readonly name: string; readonly port: string | undefined }[];
  /** Path without its slash; may be empty. */
  readonly path: string;
}

const URL_PARTS =
  /^(?<scheme>[a-z+]+):\/\/(?:(?<user>[^@/?#\s]+)@)?(?<hosts>[^@/?#\s]+)(?:\/(?<path>[^/?#\s]*))?(?:\?(?<options>[^?#\s]*))?$/;
const CREDENTIALS = /^(?:[^:%]|%[0-9a-fA-F]{2})+:(?:[^:%]|%[0-9a-fA-F]{2})+$/;
const HOST_PARTS = /^(?<name>\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::(?<port>\d{1,5}))?$/;
const OPTIONS = /^(?:[^=&]+=[^=&]+)(?:&[^=&]+=[^=&]+)*$/;

/** `esdb://host:2113?tls=false`, `esdb://a,b,c`, `esdb+discover://cluster.example.org` */
export function isEventStoreUrl(value: unknown): boolean {
  const url = parse(value);
  return url?.path === '' && ['esdb', 'esdb+discover'].includes(url.scheme);
}

/** Options as the client knows them. It takes them in any case, and with `-` and `_` in between. */
const EVENTSTORE_OPTIONS = [
  'tls',
  'tlsCAFile',
  'userCertFile',
  'userKeyFile',
  'nodePreference',
  'maxDiscoverAttempts',
  'discoveryInterval',
  'gossipTimeout',
  'connectionName',
  'defaultDeadline',
  'keepAliveInterval',
  'keepAliveTimeout',
  'throwOnAppendFailure',
];

/**
 * Describes the fault of a URL that the client of EventStoreDB would print with its password, or take for another one.
 * The text follows "EVENTSTORE_URL".
 */
export function problemOfEventStoreUrl(url: string): string | null {
  const { user, hosts, options } = URL_PARTS.exec(url)?.groups ?? {};
  if (hosts?.includes('[')) return 'names an IPv6 address, which the client of EventStoreDB does not take: name a host';
  if (user !== undefined && !CREDENTIALS.test(user)) {
    return 'must have user:password before the @, with other characters than letters and digits as %XX';
  }
  const flat = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');
  for (const option of options?.split('&') ?? []) {
    const [name = '', value] = option.split('=');
    if (flat(name) === 'tlsverifycert' && value === 'true') continue;
    if (!EVENTSTORE_OPTIONS.some((known) => flat(known) === flat(name))) {
      return `has the option ${name}, which does nothing here: there are ${EVENTSTORE_OPTIONS.join(', ')}`;
    }
    if (flat(name) === 'tls' && value !== 'true' && value !== 'false') return 'must say tls=true or tls=false';
  }
  return null;
}

/** `mongodb://user:password@a,b,c/annals?replicaSet=rs0`, `mongodb+srv://cluster.example.org/annals` */
export function isMongodbUrl(value: unknown): boolean {
  const url = parse(value);
  if (!url || !isDatabaseName(url.path)) return false;
  if (url.scheme === 'mongodb') return true;
  // DNS gives the names and ports of its members.
  return url.scheme === 'mongodb+srv' && url.hosts.length === 1 && url.hosts[0]?.port === undefined;
}

function parse(value: unknown): ManyHostsUrl | null {
  const parts = typeof value === 'string' ? URL_PARTS.exec(value)?.groups : undefined;
  if (!parts || (parts.options && !OPTIONS.test(parts.options))) return null;
  const hosts = (parts.hosts ?? '').split(',').map((host) => HOST_PARTS.exec(host)?.groups);
  if (!hosts.every((host) => host !== undefined && isHostName(host.name ?? '') && isPort(host.port))) return null;
  return { scheme: parts.scheme ?? '', hosts: hosts as unknown as ManyHostsUrl['hosts'], path: parts.path ?? '' };
}

const isHostName = (name: string): boolean =>
  name.startsWith('[')
    ? isIP(name.slice(1, -1), 6)
    : isIP(name, 4) || isFQDN(name, { require_tld: false, allow_underscores: true });

const isPort = (port: string | undefined): boolean =>
  port === undefined || (Number(port) >= 1 && Number(port) <= 65535);

/** Tells whether MongoDB takes the name; an empty one stands for the default. */
const isDatabaseName = (name: string): boolean => /^[^/\\. "$*<>:|?]*$/.test(name) && Buffer.byteLength(name) <= 63;
