import type {
  InvitationEvent,
  InvitationLinkCreated,
  InvitationSent,
  InvitationTerms,
  JoinConfirmationSent,
  RevocationReason,
} from '../../../src/events/invitations/invitations.events.js';
import { ROLES } from '../../../src/events/shared/role.js';
import type { MailLimits } from '../../../src/features/invitations/domain/mail-limits.js';

/** Limits that no test meets by chance. */
export const limits: MailLimits = { member: 5000, administrator: 5000, organization: 10_000, link: 100, pause: 60_000 };

/** Milliseconds since 1970. */
export const NOW = 1_000_000;

export const byInviter = { actorId: 7, client: 'test', correlationId: 'c' };

export const member: InvitationTerms = { role: ROLES.member, channelIds: [], groupIds: [], withDefaultChannels: false };

/** User 7 invites Ann. */
export const sent = (invitationId: number, data: Partial<InvitationSent['data']> = {}): InvitationEvent => ({
  type: 'InvitationSent',
  data: {
    invitationId,
    inviterId: 7,
    keyId: `key ${invitationId}`,
    tokenHash: `hash ${invitationId}`,
    terms: member,
    expiresAt: NOW + 1000,
    notifiesInviter: true,
    followedBy: 0,
    invitee: { email: 'ann@example.com', welcomeText: null },
    ...data,
  },
});

export const linkCreated = (
  invitationId: number,
  data: Partial<InvitationLinkCreated['data']> = {},
): InvitationEvent => ({
  type: 'InvitationLinkCreated',
  data: {
    invitationId,
    inviterId: 7,
    keyId: `key ${invitationId}`,
    tokenHash: `hash ${invitationId}`,
    terms: member,
    expiresAt: null,
    welcome: { text: null },
    ...data,
  },
});

export const confirmationSent = (
  invitationId: number,
  data: Partial<JoinConfirmationSent['data']> = {},
): InvitationEvent => ({
  type: 'JoinConfirmationSent',
  data: {
    invitationId,
    inviterId: 7,
    linkId: 1,
    keyId: `key ${invitationId}`,
    tokenHash: `hash ${invitationId}`,
    expiresAt: NOW + 1000,
    invitee: { email: 'ann@example.com', welcomeText: null },
    ...data,
  },
});

export const revoked = (
  invitationId: number,
  reason: RevocationReason = 'asked',
  inviterId = 7,
  followedBy = 0,
): InvitationEvent => ({
  type: 'InvitationRevoked',
  data: { invitationId, inviterId, keyId: `key ${invitationId}`, reason, followedBy },
});

export const expired = (invitationId: number): InvitationEvent => ({
  type: 'InvitationExpired',
  data: { invitationId, keyId: `key ${invitationId}` },
});

export const resent = (invitationId: number): InvitationEvent => ({ type: 'InvitationResent', data: { invitationId } });

export const mailRefused = (invitationId: number, mailedAt = 0): InvitationEvent => ({
  type: 'InvitationMailRefused',
  data: { invitationId, inviterId: 7, mailedAt, reason: 'refused', code: 550 },
});

export const ann = { email: 'ann@example.com', fullName: 'Ann Lee', password: 'a good one', welcomeText: null };

export const account = { role: ROLES.member, channelIds: [3], groupIds: [4] };

export const accepted = (invitationId: number): InvitationEvent => ({
  type: 'InvitationAccepted',
  data: {
    invitationId,
    inviterId: 7,
    notifiesInviter: true,
    account,
    applicant: { email: ann.email, fullName: ann.fullName, passwordHash: 'argon2id', welcomeText: null },
  },
});

export const completed = (invitationId: number, userId: number | null = 9): InvitationEvent => ({
  type: 'InvitationCompleted',
  data: { invitationId, keyId: `key ${invitationId}`, userId },
});
