import type { AccountLinkEnded, PasswordResetRequested } from '../../../events/users/account-links.events.js';
import type { ApiKeysEnded, PasswordChanged, UserEmailChanged } from '../../../events/users/users.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import {
  allLinksEnded,
  type LinkFacts,
  linkEnded,
  linksEnded,
  requireFewRequests,
  usableLink,
} from './account-links.js';
import { keysEnded } from './change-own-account.js';
import { requireFreeAddress } from './names.js';
import type { PasswordRule } from './password.js';
import { LINK_LIFE_MS, type UsersState } from './users.state.js';

/** Makes the address of an account the one that a link was mailed to. */
export class ConfirmEmailChange extends Command<{ tokenHash: string }> {}

interface ConfirmEmailChangeFacts {
  /** The address of the link; null if there is no such link. */
  readonly email: string | null;
  readonly now: number;
}

/** Refuses with LINK_UNUSABLE, or with EMAIL_TAKEN if another account has got the address meanwhile. */
export const decideConfirmEmailChange: Decide<
  ConfirmEmailChange,
  UsersState,
  UserEmailChanged | AccountLinkEnded,
  ConfirmEmailChangeFacts
> = ({ tokenHash }, state, { email, now }) => {
  const link = usableLink(state, tokenHash, 'email', now);
  const { userId } = link;
  const from = state.byId.get(userId)?.email;
  if (email === null || from === undefined) refuse('LINK_UNUSABLE');
  requireFreeAddress(state, email, userId);
  return [
    { type: 'UserEmailChanged', data: { userId, from, to: email } },
    linkEnded(link, 'used'),
    ...linksEnded(state, userId, ['password'], 'address changed'),
  ];
};

/** Mails a link to choose a new password. */
export class RequestPasswordReset extends Command<{ userId: number }> {}

/** Refuses with RATE_LIMIT_HIT. Appends nothing for bots and deactivated accounts, which have no use for a password. */
export const decideRequestPasswordReset: Decide<
  RequestPasswordReset,
  UsersState,
  PasswordResetRequested | AccountLinkEnded,
  LinkFacts
> = ({ userId }, state, { keyId, tokenHash, now }) => {
  const user = state.byId.get(userId);
  if (!user || user.bot || user.status === 'deactivated') return [];
  requireFewRequests(state, userId, 'password', now);
  const expiresAt = now + LINK_LIFE_MS.password;
  return [
    ...linksEnded(state, userId, ['password'], 'replaced'),
    { type: 'PasswordResetRequested', data: { userId, keyId, tokenHash, expiresAt } },
  ];
};

/** Sets the password of the account that a link was mailed to. */
export class ResetPassword extends Command<{ tokenHash: string; password: string }> {}

interface ResetPasswordFacts {
  /** argon2id hash of the new password. */
  readonly passwordHash: string;
  readonly passwords: PasswordRule;
  readonly now: number;
}

/** Refuses with LINK_UNUSABLE, PASSWORD_TOO_WEAK or PASSWORD_TOO_LONG. Every login of the account ends. */
export const decideResetPassword: Decide<
  ResetPassword,
  UsersState,
  PasswordChanged | ApiKeysEnded | AccountLinkEnded,
  ResetPasswordFacts
> = ({ tokenHash, password }, state, { passwordHash, passwords, now }) => {
  const link = usableLink(state, tokenHash, 'password', now);
  passwords.require(password);
  const { userId } = link;
  const user = state.byId.get(userId) ?? refuse('LINK_UNUSABLE');
  return [
    { type: 'PasswordChanged', data: { userId, passwordHash } },
    ...keysEnded(userId, user, undefined),
    linkEnded(link, 'used'),
    ...allLinksEnded(state, userId, 'password changed').filter(({ data }) => data.keyId !== link.keyId),
  ];
};

/** Ends links whose time is over. The server itself sends it. */
export class EndOldAccountLinks extends Command<object> {}

/** Ends so many at most, so that one append stays small. */
const MOST_AT_ONCE = 500;

export const decideEndOldAccountLinks: Decide<
  EndOldAccountLinks,
  UsersState,
  AccountLinkEnded,
  { readonly now: number }
> = (_command, state, { now }) =>
  [...state.links.values()]
    .filter(({ expiresAt }) => expiresAt <= now)
    .slice(0, MOST_AT_ONCE)
    .map((link) => linkEnded(link, 'expired'));

/** Ends the request for a new address, by the link in the mail to the present one. */
export class VetoEmailChange extends Command<{
  /** SHA-256 of the link's token, hexadecimal. */
  vetoHash: string;
}> {}

interface VetoEmailChangeFacts {
  /** Hash of the token that confirms the new address; null if there is no such link. */
  readonly tokenHash: string | null;
  readonly now: number;
}

/** Refuses with LINK_UNUSABLE. */
export const decideVetoEmailChange: Decide<VetoEmailChange, UsersState, AccountLinkEnded, VetoEmailChangeFacts> = (
  { vetoHash },
  state,
  { tokenHash, now },
) => {
  if (tokenHash === null) refuse('LINK_UNUSABLE');
  const link = usableLink(state, tokenHash, 'email', now);
  if (link.vetoHash !== vetoHash) refuse('LINK_UNUSABLE');
  return [linkEnded(link, 'vetoed')];
};
