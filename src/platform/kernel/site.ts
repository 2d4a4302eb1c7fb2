/** Nest token of a function that gives the server's public URL, without a slash at its end. Known once it listens. */
export const SITE = Symbol('Site');

/** The domain of bots' addresses, which have no mailbox (`realm_bot_domain`). */
export function botDomain(site: string): string {
  const { hostname } = new URL(site);
  // An IPv6 address cannot stand in a mail address as people write them.
  return hostname.includes(':') ? 'localhost' : hostname;
}
