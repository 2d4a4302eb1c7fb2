import { describe, expect, it } from '@jest/globals';
import type { InvitationAccepted, InvitationEvent } from '../../../src/events/invitations/invitations.events.js';
import { ROLES } from '../../../src/events/shared/role.js';
import {
  AcceptInvitation,
  type AcceptInvitationFacts,
  CompleteInvitation,
  ConfirmJoin,
  type ConfirmJoinFacts,
  decideAcceptInvitation,
  decideCompleteInvitation,
  decideConfirmJoin,
} from '../../../src/features/invitations/domain/accept-invitation.js';
import type { InviterNow } from '../../../src/features/invitations/domain/invitation-terms.js';
import { invitations } from '../../../src/features/invitations/domain/invitations.state.js';
import {
  decideEndInvitationsOf,
  decideEndInvitationsTo,
  decideExpireInvitations,
  decideResendInvitation,
  decideRevokeInvitation,
  decideRevokeInvitationLink,
  EndInvitationsOf,
  EndInvitationsTo,
  ExpireInvitations,
  ResendInvitation,
  RevokeInvitation,
  RevokeInvitationLink,
} from '../../../src/features/invitations/domain/manage-invitation.js';
import { PasswordRule } from '../../../src/features/users/domain/password.js';
import { given } from '../../support/events/given.js';
import {
  accepted,
  account,
  ann,
  byInviter,
  completed,
  confirmationSent,
  expired,
  limits,
  linkCreated,
  member,
  NOW,
  resent,
  revoked,
  sent,
} from './invitations.events.js';

type History = readonly InvitationEvent[];
const inviter = { managerId: 7, isAdministrator: false, isOwner: false, now: NOW, limits };
const stranger = { ...inviter, managerId: 8 };
const administrator = { ...stranger, isAdministrator: true };
const owner = { ...administrator, isOwner: true };
const inviterNow: InviterNow = { isActive: true, fullName: 'Mila', mayInvite: true, role: ROLES.member };
const toOwner = sent(1, { terms: { ...member, role: ROLES.owner } });

describe('revoking a mailed invitation', () => {
  const revoke = (history: History, facts = inviter) =>
    given(invitations, history).when(
      decideRevokeInvitation,
      new RevokeInvitation({ invitationId: 1, by: byInviter }),
      facts,
    );

  it('is for its inviter and for administrators', () => {
    revoke([sent(1)]).then([revoked(1)]);
    revoke([sent(1)], administrator).then([revoked(1)]);
    revoke([sent(1)], stranger).thenRefuses('ADMINISTRATOR_REQUIRED');
  });

  it('is for owners only, if another has invited an owner', () => {
    revoke([toOwner], administrator).thenRefuses('OWNER_REQUIRED');
    revoke([toOwner], owner).then([revoked(1)]);
  });

  it('refuses an unknown one and a link for many', () => {
    revoke([]).thenRefuses('INVITATION_NOT_FOUND');
    revoke([linkCreated(1)]).thenRefuses('INVITATION_NOT_FOUND');
  });

  it.each<[string, History]>([
    ['was revoked', [sent(1), revoked(1)]],
    ['has expired', [sent(1), expired(1)]],
    ['was accepted', [sent(1), accepted(1)]],
    ['is completed', [sent(1), accepted(1), completed(1)]],
    ['is over by time, though nobody has noticed', [sent(1, { expiresAt: NOW })]],
  ])('refuses one that %s', (_, history) => {
    revoke(history).thenRefuses('INVITATION_FINISHED');
  });
});

describe('revoking a link for many', () => {
  const revoke = (history: History, facts = inviter) =>
    given(invitations, history).when(
      decideRevokeInvitationLink,
      new RevokeInvitationLink({ invitationId: 1, by: byInviter }),
      facts,
    );

  it('is for its maker and for administrators', () => {
    revoke([linkCreated(1)]).then([revoked(1)]);
    revoke([linkCreated(1)], administrator).then([revoked(1)]);
    revoke([linkCreated(1)], stranger).thenRefuses('ADMINISTRATOR_REQUIRED');
  });

  it('refuses an unknown link, a mailed invitation, and a link that has ended', () => {
    revoke([]).thenRefuses('INVITATION_NOT_FOUND');
    revoke([sent(1)]).thenRefuses('INVITATION_NOT_FOUND');
    revoke([linkCreated(1), revoked(1)]).thenRefuses('INVITATION_LINK_REVOKED');
  });
});

describe('resending an invitation', () => {
  const resend = (history: History, facts = inviter) =>
    given(invitations, history).when(
      decideResendInvitation,
      new ResendInvitation({ invitationId: 1, by: byInviter }),
      facts,
    );

  it('mails the same link, as often as asked', () => {
    resend([sent(1)]).then([resent(1)]);
    resend([sent(1), resent(1)]).then([resent(1)]);
  });

  it('has the conditions of revoking', () => {
    resend([sent(1)], stranger).thenRefuses('ADMINISTRATOR_REQUIRED');
    resend([]).thenRefuses('INVITATION_NOT_FOUND');
    resend([sent(1), revoked(1)]).thenRefuses('INVITATION_FINISHED');
  });

  it('does not extend the time', () => {
    resend([sent(1, { expiresAt: NOW }), resent(1)]).thenRefuses('INVITATION_FINISHED');
  });
});

describe('invitations that end without a request', () => {
  const bob = { invitee: { email: 'bob@example.com', welcomeText: null } };

  it('end with the deactivation of their inviter, links included', () => {
    const history = [sent(1), sent(2, { ...bob, inviterId: 8 }), linkCreated(3)];
    const end = new EndInvitationsOf({ inviterId: 7, by: byInviter, only: null });
    const ended = [revoked(1, 'inviter deactivated', 7, 1), revoked(3, 'inviter deactivated')];
    given(invitations, history).when(decideEndInvitationsOf, end, undefined).then(ended);
    given(invitations, [...history, ...ended])
      .when(decideEndInvitationsOf, end, undefined)
      .thenNothing();
    given(invitations, history)
      .when(decideEndInvitationsOf, new EndInvitationsOf({ inviterId: 7, by: byInviter, only: 1 }), undefined)
      .then([revoked(1, 'inviter deactivated')]);
  });

  it('end when their address has an account', () => {
    const end = new EndInvitationsTo({ email: 'Ann@Example.com', by: byInviter });
    const history = [sent(1), sent(2, bob)];
    given(invitations, history)
      .when(decideEndInvitationsTo, end, undefined)
      .then([revoked(1, 'joined')]);
    given(invitations, [...history, accepted(1)])
      .when(decideEndInvitationsTo, end, undefined)
      .thenNothing();
    const confirmations = [confirmationSent(3, { linkId: 9 }), confirmationSent(4, { linkId: 9, inviterId: 8 })];
    given(invitations, [...history, ...confirmations])
      .when(decideEndInvitationsTo, end, undefined)
      .then([revoked(1, 'joined', 7, 1), revoked(3, 'joined'), revoked(4, 'joined', 8)]);
  });

  it('expire at their time, unless they never do', () => {
    const history = [sent(1, { expiresAt: NOW }), sent(2, { ...bob, expiresAt: NOW + 1 }), linkCreated(3)];
    const expire = new ExpireInvitations({ by: byInviter });
    given(invitations, history)
      .when(decideExpireInvitations, expire, { now: NOW })
      .then([expired(1)]);
    given(invitations, [...history, expired(1)])
      .when(decideExpireInvitations, expire, { now: NOW })
      .thenNothing();
  });
});

describe('accepting an invitation', () => {
  const usual: AcceptInvitationFacts = {
    now: NOW,
    passwordHash: 'argon2id',
    passwords: new PasswordRule(),
    isNameTaken: false,
    hasAccount: false,
    inviter: ({ inviterId }) => ({ ...inviterNow, isActive: inviterId === 7 }),
    account: (terms) => ({ ...account, role: terms.role }),
  };
  const accept = (history: History, applicant = ann, facts: Partial<AcceptInvitationFacts> = {}) =>
    given(invitations, history).when(
      decideAcceptInvitation,
      new AcceptInvitation({ tokenHash: 'hash 1', applicant, by: byInviter }),
      {
        ...usual,
        ...facts,
      },
    );

  it('uses the link', () => {
    accept([sent(1)]).then([accepted(1)]);
    accept([sent(1), resent(1)]).then([accepted(1)]);
  });

  it.each<[string, History]>([
    ['that nobody was sent', []],
    ['that was used', [sent(1), accepted(1)]],
    ['whose account is made', [sent(1), accepted(1), completed(1)]],
    ['that was revoked', [sent(1), revoked(1)]],
    ['that has expired', [sent(1), expired(1)]],
    ['that is over by time', [sent(1, { expiresAt: NOW })]],
    ['whose key is destroyed', [sent(1, { invitee: null })]],
    ['for many, which leads to a mail first', [linkCreated(1)]],
    ['whose inviter is deactivated', [sent(1, { inviterId: 8 })]],
  ])('refuses a link %s', (_, history) => {
    accept(history).thenRefuses('LINK_UNUSABLE');
  });

  it('refuses another address than the invited one', () => {
    accept([sent(1)], { ...ann, email: 'eve@example.com' }).thenRefuses('LINK_UNUSABLE');
  });

  it('gives the rights of the link for many, if the link was confirmed by mail', () => {
    const terms = { ...member, role: ROLES.guest };
    const history = [linkCreated(2, { terms }), confirmationSent(1, { linkId: 2 })];
    const { data } = accepted(1) as InvitationAccepted;
    accept(history).then([
      { type: 'InvitationAccepted', data: { ...data, account: { ...account, role: ROLES.guest } } },
    ]);
  });

  it('refuses a bad name, a taken name, a weak password and an address with an account', () => {
    accept([sent(1)], { ...ann, fullName: ' ' }).thenRefuses('NAME_EMPTY');
    accept([sent(1)], ann, { isNameTaken: true }).thenRefuses('NAME_TAKEN');
    accept([sent(1)], { ...ann, password: 'seven c' }).thenRefuses('PASSWORD_TOO_WEAK');
    accept([sent(1)], { ...ann, password: 'x'.repeat(101) }).thenRefuses('PASSWORD_TOO_LONG');
    accept([sent(1)], { ...ann, fullName: ' ', password: '' }).thenRefuses('NAME_EMPTY');
    accept([sent(1)], ann, { hasAccount: true }).thenRefuses('EMAIL_TAKEN');
  });

  it('gives a role only while its inviter may invite to it', () => {
    const now = (changes: Partial<InviterNow>) => ({ inviter: () => ({ ...inviterNow, ...changes }) });
    accept([sent(1)], ann, now({ mayInvite: false })).thenRefuses('INVITER_MAY_NOT_INVITE', { inviter: 'Mila' });
    accept([toOwner], ann, now({ role: ROLES.administrator })).thenRefuses('INVITER_MAY_NOT_INVITE');
    accept([sent(1)], ann, now({ role: ROLES.guest })).thenRefuses('INVITER_MAY_NOT_INVITE');
    accept([sent(1)], ann, now({ role: ROLES.moderator })).then([accepted(1)]);
    accept([sent(1)], ann, now({ mayInvite: false, isActive: false })).thenRefuses('LINK_UNUSABLE');
    const confirmed = [linkCreated(2), confirmationSent(1, { linkId: 2 })];
    accept(confirmed, ann, now({ mayInvite: false })).thenRefuses('INVITER_MAY_NOT_INVITE');
  });

  it('is completed once', () => {
    const complete = (history: History) =>
      given(invitations, history).when(
        decideCompleteInvitation,
        new CompleteInvitation({ invitationId: 1, userId: 9, by: byInviter }),
        undefined,
      );
    complete([sent(1), accepted(1)]).then([completed(1)]);
    complete([sent(1), accepted(1), completed(1)]).thenNothing();
    complete([sent(1)]).thenNothing();
  });
});

describe('joining by a link for many', () => {
  const usual: ConfirmJoinFacts = {
    now: NOW,
    hasAccount: false,
    inviter: ({ inviterId }) => ({ ...inviterNow, isActive: inviterId === 7 }),
    link: { keyId: 'key 2', tokenHash: 'hash 2' },
    welcomeText: null,
    limits,
  };
  const ask = (history: History, facts: Partial<ConfirmJoinFacts> = {}, email = 'ann@example.com') =>
    given(invitations, history).when(
      decideConfirmJoin,
      new ConfirmJoin({ tokenHash: 'hash 1', email, by: byInviter }),
      {
        ...usual,
        ...facts,
      },
    );

  it('mails a link that is valid for a day, and no longer than the link for many', () => {
    ask([linkCreated(1)]).then([confirmationSent(2, { expiresAt: NOW + 86_400_000 })]);
    ask([linkCreated(1, { expiresAt: NOW + 1 })]).then([confirmationSent(2, { expiresAt: NOW + 1 })]);
  });

  it('is refused once its maker may not make such links', () => {
    const inviter = () => ({ ...inviterNow, mayInvite: false });
    ask([linkCreated(1)], { inviter }).thenRefuses('INVITER_MAY_NOT_INVITE', { inviter: 'Mila' });
  });

  it('replaces the earlier mail to the address, and leaves invitations alone', () => {
    const history = [linkCreated(1), sent(2), confirmationSent(3)];
    ask(history).then([
      revoked(3, 'replaced'),
      confirmationSent(4, { keyId: 'key 2', tokenHash: 'hash 2', expiresAt: NOW + 86_400_000 }),
    ]);
  });

  it.each<[string, History]>([
    ['unknown', []],
    ['mailed to one', [sent(1)]],
    ['revoked', [linkCreated(1), revoked(1)]],
    ['over by time', [linkCreated(1, { expiresAt: NOW })]],
    ['of a deactivated user', [linkCreated(1, { inviterId: 8 })]],
  ])('refuses a link that is %s', (_, history) => {
    ask(history).thenRefuses('LINK_UNUSABLE');
  });

  it('refuses a malformed address, and one that has an account', () => {
    ask([linkCreated(1)], {}, 'ann').thenRefuses('INVALID_NEW_EMAIL');
    ask([linkCreated(1)], { hasAccount: true }).thenRefuses('EMAIL_TAKEN');
  });

  it('ends with the link', () => {
    given(invitations, [linkCreated(1), confirmationSent(2)])
      .when(decideRevokeInvitationLink, new RevokeInvitationLink({ invitationId: 1, by: byInviter }), inviter)
      .then([revoked(1), revoked(2, 'link ended')]);
  });
});

describe('the remembered state', () => {
  it('holds no address and no name', () => {
    const { state } = given(invitations, [sent(1), accepted(1)]);
    const { state: pending } = given(invitations, [sent(1)]);
    expect(JSON.stringify([state, pending])).not.toMatch(/ann@|ann lee/i);
  });
});
