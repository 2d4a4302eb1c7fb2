import { Map as PersistentMap, Set as PersistentSet } from 'immutable';
import type {
  InvitationEvent,
  InvitationLinkCreated,
  InvitationSent,
  InvitationTerms,
  JoinConfirmationSent,
} from '../../../events/invitations/invitations.events.js';
import { ROLES } from '../../../events/shared/role.js';
import type { Decider, Folded } from '../../../platform/kernel/deciding.js';
import { sha256Of } from '../../../platform/kernel/sha256.js';
import { foldCase } from '../../../platform/kernel/text.js';
import type { LinkKind } from './invitation-terms.js';
import { mailed, noMails, type RecentMails, type SentMail } from './mail-limits.js';

export interface Invitation {
  readonly id: number;
  /** A link for many is `revoked` when it ends, and never `accepted`. `completed`: the account is made. */
  readonly status: 'pending' | 'accepted' | 'completed' | 'revoked' | 'expired';
  readonly kind: LinkKind;
  /** null, but for a confirmation. */
  readonly linkId: number | null;
  readonly inviterId: number;
  readonly keyId: string;
  readonly tokenHash: string;
  readonly terms: InvitationTerms;
  readonly notifiesInviter: boolean;
  /** Milliseconds since 1970; null: never. */
  readonly expiresAt: number | null;
  /** SHA-256 of the folded address; null for a link for many, and if the key is destroyed. */
  readonly addressHash: string | null;
  /** Time of the last mail, milliseconds since 1970; null: none is known of. */
  readonly mailedAt: number | null;
  /** Time of the last repeat of its mail, milliseconds since 1970; null: there was none. */
  readonly resentAt: number | null;
  /** Whether the last mail is known to be refused for good. */
  readonly isMailRefused: boolean;
}

/** Has hashes of addresses only: a remembered state keeps no address of somebody who never joined. */
export interface InvitationsState {
  readonly byId: PersistentMap<number, Invitation>;
  readonly idByTokenHash: PersistentMap<string, number>;
  /** Ids of the pending mailed invitation of each address, by the address's hash. It may be over by time. */
  readonly pendingIdByAddress: PersistentMap<string, number>;
  /** Ids of pending invitations and links, which may be over by time. */
  readonly pendingIds: PersistentSet<number>;
  /** 0: there has been none. */
  readonly lastId: number;
  readonly mails: RecentMails;
}

export const addressHashOf = (email: string): string => sha256Of(foldCase(email));

/** @param now milliseconds since 1970 */
export const isOver = ({ expiresAt }: Pick<Invitation, 'expiresAt'>, now: number): boolean =>
  expiresAt !== null && expiresAt <= now;

export const isValid = (invitation: Invitation, now: number): boolean =>
  invitation.status === 'pending' && !isOver(invitation, now);

/** All pending invitations, links and confirmations, the oldest first. */
export const pendingOf = ({ byId, pendingIds }: InvitationsState): Invitation[] =>
  [...pendingIds].sort((a, b) => a - b).flatMap((id) => byId.get(id) ?? []);

/** The pending confirmations of those who use a link for many. */
export const confirmationsOf = (linkId: number, state: InvitationsState): Invitation[] =>
  pendingOf(state).filter((one) => one.linkId === linkId);

export const invitations: Decider<InvitationsState, InvitationEvent> = {
  initialState: {
    byId: PersistentMap(),
    idByTokenHash: PersistentMap(),
    pendingIdByAddress: PersistentMap(),
    pendingIds: PersistentSet(),
    lastId: 0,
    mails: noMails,
  },
  evolve: (state, event) => {
    switch (event.type) {
      case 'InvitationSent': {
        const { invitee, invitationId, inviterId } = event.data;
        const addressHash = invitee && addressHashOf(invitee.email);
        const mail = { invitationId, senderId: inviterId, linkId: null, addressHash };
        return withMail(begun(state, event, addressHash), event, mail);
      }
      case 'InvitationLinkCreated':
        return begun(state, event, null);
      case 'JoinConfirmationSent': {
        const { invitee, invitationId, linkId } = event.data;
        const addressHash = invitee && addressHashOf(invitee.email);
        return withMail(begun(state, event, addressHash), event, { invitationId, senderId: null, linkId, addressHash });
      }
      case 'InvitationResent': {
        const { invitationId } = event.data;
        const before = state.byId.get(invitationId);
        const addressHash = before?.addressHash ?? null;
        const mailedAt = event.metadata?.at ?? null;
        const again = before
          ? withInvitation(state, { ...before, mailedAt, resentAt: mailedAt, isMailRefused: false })
          : state;
        return withMail(again, event, {
          invitationId,
          senderId: event.metadata?.actorId ?? null,
          linkId: null,
          addressHash,
        });
      }
      case 'InvitationMailRefused': {
        const before = state.byId.get(event.data.invitationId);
        return before ? withInvitation(state, { ...before, isMailRefused: true }) : state;
      }
      case 'InvitationRevoked':
        return ended(state, event.data.invitationId, 'revoked');
      case 'InvitationExpired':
        return ended(state, event.data.invitationId, 'expired');
      case 'InvitationAccepted':
        return ended(state, event.data.invitationId, 'accepted');
      case 'InvitationCompleted':
        return ended(state, event.data.invitationId, 'completed');
      default:
        event satisfies never;
        return state;
    }
  },
};

const withInvitation = (state: InvitationsState, invitation: Invitation): InvitationsState => ({
  ...state,
  byId: state.byId.set(invitation.id, invitation),
});

/** Counts the mail that an event of the log has caused. */
const withMail = (
  state: InvitationsState,
  { metadata }: Folded<InvitationEvent>,
  mail: Omit<SentMail, 'at'>,
): InvitationsState => (metadata ? { ...state, mails: mailed(state.mails, { ...mail, at: metadata.at }) } : state);

function begun(
  state: InvitationsState,
  event: Folded<InvitationSent | InvitationLinkCreated | JoinConfirmationSent>,
  addressHash: string | null,
): InvitationsState {
  const { invitationId: id, inviterId, keyId, tokenHash, expiresAt } = event.data;
  const status = 'pending';
  const mailedAt = event.metadata?.at ?? null;
  const head = { id, status, inviterId, keyId, tokenHash, expiresAt, addressHash, mailedAt, resentAt: null } as const;
  const own: Invitation = { ...head, isMailRefused: false, ...ownOf(event, state) };
  return {
    byId: state.byId.set(id, own),
    idByTokenHash: state.idByTokenHash.set(tokenHash, id),
    pendingIdByAddress:
      addressHash === null || own.kind !== 'mailed'
        ? state.pendingIdByAddress
        : state.pendingIdByAddress.set(addressHash, id),
    pendingIds: state.pendingIds.add(id),
    lastId: Math.max(state.lastId, id),
    mails: state.mails,
  };
}

function ownOf(
  { type, data }: InvitationSent | InvitationLinkCreated | JoinConfirmationSent,
  { byId }: InvitationsState,
): Pick<Invitation, 'kind' | 'linkId' | 'terms' | 'notifiesInviter'> {
  switch (type) {
    case 'InvitationSent':
      return { kind: 'mailed', linkId: null, terms: data.terms, notifiesInviter: data.notifiesInviter };
    case 'InvitationLinkCreated':
      // The published parameters of links leave the choice out; its default is to tell.
      return { kind: 'for many', linkId: null, terms: data.terms, notifiesInviter: true };
    default: {
      const { linkId } = data;
      return { kind: 'confirmation', linkId, terms: byId.get(linkId)?.terms ?? NO_TERMS, notifiesInviter: true };
    }
  }
}

const NO_TERMS: InvitationTerms = { role: ROLES.guest, channelIds: [], groupIds: [], withDefaultChannels: false };

function ended(state: InvitationsState, id: number, status: Invitation['status']): InvitationsState {
  const before = state.byId.get(id);
  if (!before) return state;
  const { addressHash } = before;
  const isOfAddress = addressHash !== null && state.pendingIdByAddress.get(addressHash) === id;
  return {
    ...state,
    byId: state.byId.set(id, { ...before, status, addressHash: null }),
    pendingIdByAddress: isOfAddress ? state.pendingIdByAddress.delete(addressHash) : state.pendingIdByAddress,
    pendingIds: state.pendingIds.delete(id),
  };
}
