import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent, type Upcaster } from '../../platform/kernel/event-definition.js';
import { concernsNobody } from '../shared/concerned.js';
import type { Role } from '../shared/role.js';

/** Version 1 does not say that others of the same request follow. */
const asTheLast: Upcaster = (data) => ({ ...data, followedBy: 0 });

export const INVITATIONS_STREAM = 'invitations';

/**
 * What somebody who joins becomes. Decided when the invitation is made, and given only while its inviter may invite to the
 * role.
 */
export interface InvitationTerms {
  readonly role: Role;
  readonly channelIds: readonly number[];
  readonly groupIds: readonly number[];
  /** Whether the default channels at the time of joining are added. */
  readonly withDefaultChannels: boolean;
}

/** The fields of everything that has a link. Their ids count together, and are never reused. */
interface InvitationHead {
  readonly invitationId: number;
  readonly inviterId: number;
  /** The content key, of which the link's token is derived: the event's id. */
  readonly keyId: string;
  /** SHA-256 of the token, hexadecimal. */
  readonly tokenHash: string;
  /** Milliseconds since 1970; null: never. */
  readonly expiresAt: number | null;
}

/** The sealed content of a mailed invitation. */
interface Invitee {
  readonly email: string;
  /** The administrator's welcome text; null: the organization's; empty: none. */
  readonly welcomeText: string | null;
}

/** Somebody is invited by mail. */
export type InvitationSent = DomainEvent<
  'InvitationSent',
  InvitationHead & {
    readonly terms: InvitationTerms;
    /** Whether the inviter is told when the account is made. */
    readonly notifiesInviter: boolean;
    /** Number of invitations that the same request sends after this one. */
    readonly followedBy: number;
    /** A hash that nothing needs, in some events of Annals 0.6.0. */
    readonly vetoHash?: string;
    /** null once the content key is destroyed. */
    readonly invitee: Invitee | null;
  }
>;

/** The same link is mailed again. */
export type InvitationResent = DomainEvent<'InvitationResent', { readonly invitationId: number }>;

/** The mail of an invitation will never arrive: the mail server refuses it, or did not take it for days. */
export type InvitationMailRefused = DomainEvent<
  'InvitationMailRefused',
  {
    readonly invitationId: number;
    readonly inviterId: number;
    /** Time of the event that caused the mail, milliseconds since 1970. */
    readonly mailedAt: number;
    readonly reason: 'refused' | 'given up';
    /** The mail server's answer, such as 550. Its words may name people, and are not stored. null: there is none. */
    readonly code: number | null;
  }
>;

/** A link that many may use. */
export type InvitationLinkCreated = DomainEvent<
  'InvitationLinkCreated',
  InvitationHead & {
    readonly terms: InvitationTerms;
    /** null once the content key is destroyed. */
    readonly welcome: { readonly text: string | null } | null;
  }
>;

/** Somebody has asked to join by a link for many, and is mailed a link of their own. The terms are those of the link. */
export type JoinConfirmationSent = DomainEvent<
  'JoinConfirmationSent',
  InvitationHead & {
    /** Id of the link for many. */
    readonly linkId: number;
    /** null once the content key is destroyed. */
    readonly invitee: Invitee | null;
  }
>;

/** `link ended`: the link for many, which a confirmation is for, was revoked. */
export type RevocationReason = 'asked' | 'replaced' | 'joined' | 'inviter deactivated' | 'link ended';

/** A link is no longer valid. Its key is destroyed. */
export type InvitationRevoked = DomainEvent<
  'InvitationRevoked',
  {
    readonly invitationId: number;
    readonly inviterId: number;
    readonly keyId: string;
    readonly reason: RevocationReason;
    /** Number of the inviter's links that end after this one, in the same append and for the same reason. */
    readonly followedBy: number;
  }
>;

/** The time of a link is over. Its key is destroyed. */
export type InvitationExpired = DomainEvent<
  'InvitationExpired',
  { readonly invitationId: number; readonly keyId: string }
>;

/** The sealed content of an acceptance. */
export interface Applicant {
  readonly email: string;
  readonly fullName: string;
  /** argon2id, in PHC form. */
  readonly passwordHash: string;
  readonly welcomeText: string | null;
}

/** The rights of a new account, as of the acceptance. */
export interface NewAccount {
  readonly role: Role;
  /** Existing channels of the invitation, and the default channels if it adds them. */
  readonly channelIds: readonly number[];
  readonly groupIds: readonly number[];
}

/** Somebody has used the link of a mail, which nobody can use again. The account follows. */
export type InvitationAccepted = DomainEvent<
  'InvitationAccepted',
  {
    readonly invitationId: number;
    readonly inviterId: number;
    readonly notifiesInviter: boolean;
    readonly account: NewAccount;
    /** Sealed under the invitation's key; null once the key is destroyed. */
    readonly applicant: Applicant | null;
  }
>;

/** The account of an accepted invitation is made, or cannot be made. The invitation's key is destroyed. */
export type InvitationCompleted = DomainEvent<
  'InvitationCompleted',
  {
    readonly invitationId: number;
    readonly keyId: string;
    /** null: an account with the address was made meanwhile. */
    readonly userId: number | null;
  }
>;

export type InvitationEvent =
  | InvitationSent
  | InvitationResent
  | InvitationMailRefused
  | InvitationLinkCreated
  | JoinConfirmationSent
  | InvitationRevoked
  | InvitationExpired
  | InvitationAccepted
  | InvitationCompleted;

export const invitationEvents = [
  defineEvent<InvitationSent>({
    type: 'InvitationSent',
    version: 2,
    concerns: ({ data: { inviterId, terms } }) => ({ userIds: [inviterId], channelIds: terms.channelIds }),
    upcasters: { 1: asTheLast },
    sealed: { field: 'invitee', under: 'own key', shownTo: { only: 'inviterId' } },
    keys: { keyId: 'seals' },
    secrets: ['tokenHash', 'vetoHash'],
  }),
  defineEvent<InvitationResent>({ type: 'InvitationResent', concerns: concernsNobody }),
  defineEvent<InvitationMailRefused>({
    type: 'InvitationMailRefused',
    concerns: ({ data: { inviterId } }) => ({ userIds: [inviterId] }),
  }),
  defineEvent<InvitationLinkCreated>({
    type: 'InvitationLinkCreated',
    concerns: ({ data: { inviterId, terms } }) => ({ userIds: [inviterId], channelIds: terms.channelIds }),
    sealed: { field: 'welcome', under: 'own key', shownTo: { only: 'inviterId' } },
    keys: { keyId: 'seals' },
    secrets: ['tokenHash'],
  }),
  defineEvent<JoinConfirmationSent>({
    type: 'JoinConfirmationSent',
    concerns: ({ data: { inviterId } }) => ({ userIds: [inviterId] }),
    sealed: { field: 'invitee', under: 'own key', shownTo: 'nobody' },
    keys: { keyId: 'seals' },
    secrets: ['tokenHash'],
  }),
  defineEvent<InvitationRevoked>({
    type: 'InvitationRevoked',
    version: 2,
    concerns: ({ data: { inviterId } }) => ({ userIds: [inviterId] }),
    upcasters: { 1: asTheLast },
    keys: { keyId: 'ends' },
  }),
  defineEvent<InvitationExpired>({ type: 'InvitationExpired', concerns: concernsNobody, keys: { keyId: 'ends' } }),
  defineEvent<InvitationAccepted>({
    type: 'InvitationAccepted',
    concerns: ({ data: { inviterId, account } }) => ({ userIds: [inviterId], channelIds: account.channelIds }),
    sealed: { field: 'applicant', under: 'existing key', shownTo: 'nobody', secrets: ['passwordHash'] },
  }),
  defineEvent<InvitationCompleted>({
    type: 'InvitationCompleted',
    concerns: ({ data: { userId } }) => (userId === null ? {} : { userIds: [userId] }),
    keys: { keyId: 'ends' },
  }),
];
