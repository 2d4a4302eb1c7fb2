import type { AccountLinkPurpose } from '../../../events/users/account-links.events.js';

/** A link that is neither used nor ended. It may be too old. */
export interface AccountLink {
  readonly userId: number;
  readonly purpose: AccountLinkPurpose;
  readonly keyId: string;
  readonly tokenHash: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** Hash of the token that ends the request; null: there is none. */
  readonly vetoHash: string | null;
}

/** Milliseconds. */
export const DAY_MS = 86_400_000;

/** How long links can be used. */
export const LINK_LIFE_MS: Readonly<Record<AccountLinkPurpose, number>> = { email: DAY_MS, password: 3 * DAY_MS };
