import type { ContentKeys } from '../content-keys/content-keys.js';
import type { MailedLink } from './mailer.js';

const PAGE = 500;

/**
 * Finds the links that nobody can use any more: their time is over, or their key is destroyed.
 * @param now milliseconds since 1970
 */
export async function endedAmong<Link extends MailedLink>(
  links: readonly Link[],
  contentKeys: Pick<ContentKeys, 'getMany'>,
  now: number,
): Promise<ReadonlySet<Link>> {
  const ended = new Set(links.filter(({ expiresAt }) => expiresAt !== null && expiresAt <= now));
  const inTime = links.filter((link) => !ended.has(link));
  for (let start = 0; start < inTime.length; start += PAGE) {
    const some = inTime.slice(start, start + PAGE);
    const keys = await contentKeys.getMany(some.map(({ keyId }) => keyId));
    for (const link of some) if (!keys.has(link.keyId)) ended.add(link);
  }
  return ended;
}
