import type {
  InvitationEvent,
  InvitationLinkCreated,
  InvitationResent,
  InvitationRevoked,
  InvitationSent,
  InvitationTerms,
} from '../../../events/invitations/invitations.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { type InviterFacts, requireInviter, requireTerms } from './invitation-terms.js';
import { addressHashOf, type Invitation, type InvitationsState, isOver } from './invitations.state.js';
import {
  type AccountOfAddress,
  addressesIn,
  type InviteeError,
  mailedAgain,
  mailedTooOften,
  malformedIn,
  partedByAccount,
  refuseInvitees,
  refuseLimitReached,
} from './invitees.js';
import {
  type LimitFacts,
  type MailsOfDay,
  mailsOfDay,
  nextMailOf,
  nextMailTo,
  requireFewMails,
} from './mail-limits.js';
import { type ManagerFacts, mayManage, revocation } from './manage-invitation.js';

/** URL of a link for many. @param site the server's public URL */
export const joinUrl = (site: string, token: string): string => `${site}/join/${token}/`;

/** URL of the link in a mail. @param site the server's public URL */
export const confirmUrl = (site: string, token: string): string => `${site}/accounts/do_confirm/${token}`;

/** More would be mail that nobody asked for. */
const MOST_AT_ONCE = 1000;

/** Invites people by mail. */
export class SendInvitations extends Command<{
  inviterId: number;
  /** The addresses, separated by commas or line breaks. */
  invitees: string;
  terms: InvitationTerms;
  options: {
    /** Milliseconds since 1970; null: never. */
    readonly expiresAt: number | null;
    readonly notifiesInviter: boolean;
    readonly welcomeText: string | null;
  };
}> {}

/** A new link's key, and the hash of the token that is derived from it. */
export interface InvitationLink {
  readonly keyId: string;
  readonly tokenHash: string;
}

export interface SendInvitationsFacts extends InviterFacts, ManagerFacts, LimitFacts {
  readonly accountOf: (email: string) => AccountOfAddress;
  /** The link of the nth invitation of the command. */
  readonly link: (index: number) => InvitationLink;
}

/**
 * An address has one live invitation, so an earlier one is replaced. One that the inviter may not revoke is kept, and is
 * mailed again: nobody ends a better invitation by inviting to less. Addresses with accounts, and those that were mailed
 * too often, are left out; the handler refuses with these after the others are invited.
 */
export const decideSendInvitations: Decide<
  SendInvitations,
  InvitationsState,
  InvitationSent | InvitationResent | InvitationRevoked,
  SendInvitationsFacts
> = ({ inviterId, invitees, terms, options }, state, facts) => {
  requireInviter(terms.role, facts);
  const emails = addressesIn(invitees);
  if (emails.length === 0) refuse('NOBODY_TO_INVITE');
  if (emails.length > MOST_AT_ONCE) refuseLimitReached(`At most ${MOST_AT_ONCE} people can be invited at once.`);
  requireTerms(terms, options.welcomeText, facts);
  const malformed = malformedIn(emails);
  if (malformed.length > 0)
    refuseInvitees("Some emails did not validate, so we didn't send any invitations.", malformed, false);
  const { invited, errors } = partedByAccount(emails, facts.accountOf);
  const day = mailsOfDay(state.mails, facts.now);
  const plans = invited.map((email, index) => ({ email, index, ...planFor(email, day, state, facts) }));
  const mails = plans.filter(({ mail }) => mail !== null);
  if (mails.length === 0) {
    const tooOften = plans.map(({ email }) => mailedTooOften(email));
    refuseInvitees("We weren't able to invite anyone.", [...errors, ...tooOften], false);
  }
  requireFewMails(day, mails.length, facts);

  const { expiresAt, notifiesInviter, welcomeText } = options;
  let lastId = state.lastId;
  let followedBy = mails.filter(({ mail }) => mail === 'new').length;
  return mails.flatMap(({ email, index, before, mail }): (InvitationSent | InvitationResent | InvitationRevoked)[] => {
    if (before && mail === 'again') return [{ type: 'InvitationResent', data: { invitationId: before.id } }];
    lastId += 1;
    followedBy -= 1;
    const { keyId, tokenHash } = facts.link(index);
    return [
      ...(before ? [revocation(before, 'replaced')] : []),
      {
        type: 'InvitationSent',
        data: {
          invitationId: lastId,
          inviterId,
          keyId,
          tokenHash,
          terms,
          expiresAt,
          notifiesInviter,
          followedBy,
          invitee: { email, welcomeText },
        },
      },
    ];
  });
};

interface Plan {
  /** The live invitation of the address. */
  readonly before: Invitation | undefined;
  /** `again`: the live invitation is kept, and mailed again; null: nothing is mailed. */
  readonly mail: 'new' | 'again' | null;
}

function planFor(email: string, day: MailsOfDay, state: InvitationsState, facts: SendInvitationsFacts): Plan {
  const before = pendingOfAddress(email, state);
  if (nextMailTo(addressHashOf(email), day) !== null) return { before, mail: null };
  if (!before || isOver(before, facts.now) || mayManage(before, facts)) return { before, mail: 'new' };
  return { before, mail: nextMailOf(before.id, day, facts.limits) === null ? 'again' : null };
}

/**
 * The addresses without a new invitation, after the decision.
 * @param events that were decided
 * @param state after them
 */
export function notInvitedAnew(
  invited: readonly string[],
  events: readonly InvitationEvent[],
  state: InvitationsState,
): InviteeError[] {
  const sent = new Set(
    events.flatMap(({ type, data }) => (type === 'InvitationSent' && data.invitee ? data.invitee.email : [])),
  );
  const again = new Set(events.flatMap(({ type, data }) => (type === 'InvitationResent' ? data.invitationId : [])));
  return invited
    .filter((email) => !sent.has(email))
    .map((email) => (again.has(pendingOfAddress(email, state)?.id ?? 0) ? mailedAgain(email) : mailedTooOften(email)));
}

function pendingOfAddress(email: string, { byId, pendingIdByAddress }: InvitationsState): Invitation | undefined {
  const id = pendingIdByAddress.get(addressHashOf(email));
  return id === undefined ? undefined : byId.get(id);
}

/** Makes a link that many may use. The result is the name of its key. */
export class CreateInvitationLink extends Command<
  {
    inviterId: number;
    terms: InvitationTerms;
    options: {
      /** Milliseconds since 1970; null: never. */
      readonly expiresAt: number | null;
      readonly welcomeText: string | null;
    };
  },
  string
> {}

interface CreateInvitationLinkFacts extends InviterFacts {
  readonly link: InvitationLink;
}

export const decideCreateInvitationLink: Decide<
  CreateInvitationLink,
  InvitationsState,
  InvitationLinkCreated,
  CreateInvitationLinkFacts
> = ({ inviterId, terms, options }, { lastId }, facts) => {
  requireInviter(terms.role, facts);
  requireTerms(terms, options.welcomeText, facts);
  const { keyId, tokenHash } = facts.link;
  return [
    {
      type: 'InvitationLinkCreated',
      data: {
        invitationId: lastId + 1,
        inviterId,
        keyId,
        tokenHash,
        terms,
        expiresAt: options.expiresAt,
        welcome: { text: options.welcomeText },
      },
    },
  ];
};
