import { botDomain } from '../platform/kernel/site.js';
import type { Directory } from './directory.js';
import type { UserRecord } from './directory.records.js';
import { accountByEmail, accountOf } from './system-bots.js';

/** The account that a path names. @param text an id, an address in any case, or `user<id>@<domain>` */
export function namedAccount(text: string, directory: Directory, site: string): UserRecord | undefined {
  if (/^\d+$/.test(text)) return accountOf(Number(text), directory);
  const known = accountByEmail(text, directory);
  if (known) return known;
  const [, id, domain] = /^user(\d+)@(.+)$/i.exec(text) ?? [];
  return domain?.toLowerCase() === botDomain(site).toLowerCase() ? accountOf(Number(id), directory) : undefined;
}
