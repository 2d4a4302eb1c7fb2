import type { AccountLinkEnded, AccountLinkPurpose } from '../../../events/users/account-links.events.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { DAY_MS, HOUR_MS } from '../../../platform/kernel/durations.js';
import type { AccountLink, UsersState } from './users.state.js';

/** The key and the hash of a link that a decision may make, and the time. */
export interface LinkFacts {
  readonly keyId: string;
  readonly tokenHash: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Mails that an account's links may cost, in each window of so many milliseconds. */
const LIMITS = [
  { most: 2, within: HOUR_MS },
  { most: 5, within: DAY_MS },
] as const;

/** Refuses with RATE_LIMIT_HIT if the account has asked for too many links. */
export function requireFewRequests(state: UsersState, userId: number, purpose: AccountLinkPurpose, now: number): void {
  const times = state.linkRequests.get(`${purpose} ${userId}`) ?? [];
  for (const { most, within } of LIMITS) {
    const recent = times.filter((at) => at > now - within);
    const [first] = recent;
    if (first !== undefined && recent.length >= most)
      refuse('RATE_LIMIT_HIT', { 'retry-after': Math.ceil((first + within - now) / 1000) });
  }
}

/** Finds a link that can be used. Refuses with LINK_UNUSABLE, whatever is wrong with it. */
export function usableLink(
  state: UsersState,
  tokenHash: string,
  purpose: AccountLinkPurpose,
  now: number,
): AccountLink {
  const link = state.links.get(tokenHash);
  if (!link || link.purpose !== purpose || link.expiresAt <= now) refuse('LINK_UNUSABLE');
  if (state.byId.get(link.userId)?.status !== 'active') refuse('LINK_UNUSABLE');
  return link;
}

const ALL: readonly AccountLinkPurpose[] = ['email', 'password'];

/** Ends every link of an account: somebody who should no longer have access may have asked for it (D23). */
export const allLinksEnded = (
  state: UsersState,
  userId: number,
  reason: AccountLinkEnded['data']['reason'],
): AccountLinkEnded[] => linksEnded(state, userId, ALL, reason);

/** Ends the links of an account that are for one of the purposes. */
export const linksEnded = (
  state: UsersState,
  userId: number,
  purposes: readonly AccountLinkPurpose[],
  reason: AccountLinkEnded['data']['reason'],
): AccountLinkEnded[] =>
  (state.tokensOf.get(userId) ?? []).flatMap((tokenHash) => {
    const link = state.links.get(tokenHash);
    return link && purposes.includes(link.purpose) ? [linkEnded(link, reason)] : [];
  });

export const linkEnded = (
  { userId, keyId, tokenHash }: AccountLink,
  reason: AccountLinkEnded['data']['reason'],
): AccountLinkEnded => ({ type: 'AccountLinkEnded', data: { userId, keyId, tokenHash, reason } });
