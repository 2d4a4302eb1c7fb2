import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import { concernsUser } from '../shared/concerned.js';
import { emailChangeRequestedFrom1 } from './users.events.js';

/** What the holder of a link may change of the account. */
export type AccountLinkPurpose = 'email' | 'password';

interface AccountLinkHead {
  readonly userId: number;
  /** The content key, of which the link's token is derived: the event's id. */
  readonly keyId: string;
  /** SHA-256 of the token, hexadecimal. */
  readonly tokenHash: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A user wants another address. A link is mailed to it, and the address changes when the link is used. */
export type EmailChangeRequested = DomainEvent<
  'EmailChangeRequested',
  AccountLinkHead & {
    /** null once the content key is destroyed. */
    readonly address: { readonly email: string } | null;
    /** SHA-256 of the token in the mail to the present address, which ends the request; null: there is none. */
    readonly vetoHash: string | null;
  }
>;

/** Somebody has asked for a new password of an account. A link is mailed to its address. */
export type PasswordResetRequested = DomainEvent<'PasswordResetRequested', AccountLinkHead>;

/** A link is no longer valid. Its key is destroyed. */
export type AccountLinkEnded = DomainEvent<
  'AccountLinkEnded',
  {
    readonly userId: number;
    readonly keyId: string;
    readonly tokenHash: string;
    readonly reason:
      | 'used'
      | 'replaced'
      | 'expired'
      | 'logged in'
      | 'password changed'
      | 'address changed'
      | 'keys regenerated'
      | 'key ended'
      | 'deactivated'
      | 'vetoed';
  }
>;

/** In the stream `users`: addresses and passwords are decided on there. */
export type AccountLinkEvent = EmailChangeRequested | PasswordResetRequested | AccountLinkEnded;

export const accountLinkEvents = [
  defineEvent<EmailChangeRequested>({
    type: 'EmailChangeRequested',
    version: 2,
    concerns: concernsUser,
    upcasters: { 1: emailChangeRequestedFrom1 },
    sealed: { field: 'address', under: 'own key', shownTo: { only: 'userId' } },
    keys: { keyId: 'seals' },
    secrets: ['tokenHash', 'vetoHash'],
  }),
  defineEvent<PasswordResetRequested>({
    type: 'PasswordResetRequested',
    concerns: concernsUser,
    keys: { keyId: 'names' },
    secrets: ['tokenHash'],
  }),
  defineEvent<AccountLinkEnded>({
    type: 'AccountLinkEnded',
    concerns: concernsUser,
    keys: { keyId: 'ends' },
    secrets: ['tokenHash'],
  }),
];
