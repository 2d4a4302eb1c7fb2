/** Nest token of a function that gives the server's public URL, without a slash at its end; known once it listens. */
export const SITE = Symbol('Site');

/** Domain of addresses without a mailbox: those of bots (`realm_bot_domain`). */
export function botDomain(site: string): string {
  const { hostname } = new URL(site);
  // An IPv6 address is no part of a mail address as people write them.
  return hostname.includes(':') ? 'localhost' : hostname;
}
