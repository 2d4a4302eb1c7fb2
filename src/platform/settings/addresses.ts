import { isFQDN, isIP, isURL } from 'class-validator';

/** Names of networks that Fastify's `trustProxy` knows. */
const NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

export const isHost = (value: string): boolean => isIP(value) || isFQDN(value, { require_tld: false });

/** `http://` or `https://`, a host and perhaps a port: clients append `/api/v1` to it. */
const isOrigin = (value: string): boolean =>
  isURL(value, { protocols: ['http', 'https'], require_protocol: true, require_tld: false, disallow_auth: true }) &&
  new URL(value).origin === value.toLowerCase();

/** The origin without a slash at its end; undefined if the text is none. */
export function originIn(text: string): string | undefined {
  const origin = text.replace(/\/$/, '');
  return isOrigin(origin) ? origin : undefined;
}

/** `http://` or `https://` and a host, perhaps with a user, a path and a query. */
export const isHttpUrl = (value: string): boolean =>
  URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol);

/** `smtp://` or `smtps://`, a host, perhaps a port, a user and a password. */
export const isSmtpUrl = (value: string): boolean => {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, pathname, search, username, password } = new URL(value);
  const isComplete = hostname !== '' && (pathname === '' || pathname === '/') && search === '';
  return ['smtp:', 'smtps:'].includes(protocol) && isComplete && (username === '') === (password === '');
};

/** `10.0.0.7`, `10.0.0.0/8,fd00::/8`, `uniquelocal` */
export const areProxyAddresses = (value: string): boolean =>
  value.split(',').every((entry) => isProxyAddress(entry.trim()));

function isProxyAddress(entry: string): boolean {
  if (NETWORKS.includes(entry)) return true;
  const [address = '', bits, ...more] = entry.split('/');
  if (!isIP(address) || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIP(address, 4) ? 32 : 128));
}
