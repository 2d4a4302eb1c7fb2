import { describe, expect, it } from '@jest/globals';
import type { InvitationEvent, InvitationTerms } from '../../../src/events/invitations/invitations.events.js';
import { ROLES } from '../../../src/events/shared/role.js';
import { invitations } from '../../../src/features/invitations/domain/invitations.state.js';
import { addressesIn } from '../../../src/features/invitations/domain/invitees.js';
import {
  CreateInvitationLink,
  decideCreateInvitationLink,
  decideSendInvitations,
  SendInvitations,
  type SendInvitationsFacts,
} from '../../../src/features/invitations/domain/send-invitations.js';
import { given } from '../../support/events/given.js';
import { byInviter, expired, limits, linkCreated, member, NOW, revoked, sent } from './invitations.events.js';

const options = { expiresAt: NOW + 1000, notifiesInviter: true, welcomeText: null };
const inviter: SendInvitationsFacts = {
  mayInvite: true,
  role: ROLES.member,
  isAdministrator: false,
  isOwner: false,
  managerId: 7,
  channel: (id) => (id === 11 ? null : { isDefault: id === 1, mayAddSubscribers: id === 2 }),
  mayAddToGroup: (id) => id === 4,
  now: NOW,
  limits,
  accountOf: () => null,
  link: (index) => ({ keyId: `key ${index}`, tokenHash: `hash ${index}` }),
};
const administrator = { ...inviter, role: ROLES.administrator, isAdministrator: true };
const owner = { ...administrator, role: ROLES.owner, isOwner: true };

interface Sending {
  readonly to?: string;
  readonly terms?: Partial<InvitationTerms>;
  readonly welcomeText?: string;
  readonly facts?: Partial<SendInvitationsFacts>;
  readonly history?: readonly InvitationEvent[];
}

const when = ({ to = 'ann@example.com', terms = {}, welcomeText, facts = {}, history = [] }: Sending) =>
  given(invitations, history).when(
    decideSendInvitations,
    new SendInvitations({
      inviterId: 7,
      invitees: to,
      terms: { ...member, ...terms },
      options: { ...options, welcomeText: welcomeText ?? null },
      by: byInviter,
    }),
    { ...inviter, ...facts },
  );

const failed = (summary: string, errors: readonly unknown[]) => ({
  summary,
  errors,
  sent_invitations: false,
  license_limit_reached: false,
  daily_limit_reached: false,
});

describe('the addresses of invitations', () => {
  it('are separated by commas and line breaks, without blanks and duplicates', () => {
    expect(addressesIn('a@x.org, b@x.org\r\n\n,, A@X.org\nc@x.org')).toEqual(['a@x.org', 'b@x.org', 'c@x.org']);
  });

  it('may follow a name', () => {
    expect(addressesIn('Ann Lee <ann@x.org>\n<bob@x.org> ')).toEqual(['ann@x.org', 'bob@x.org']);
  });
});

describe('sending invitations', () => {
  it('invites each address, with ids that count from 1', () => {
    when({ to: 'ann@example.com,bob@example.com' }).then([
      sent(1, { keyId: 'key 0', tokenHash: 'hash 0', followedBy: 1 }),
      sent(2, { keyId: 'key 1', tokenHash: 'hash 1', invitee: { email: 'bob@example.com', welcomeText: null } }),
    ]);
  });

  it('refuses inviters without the permission before anything else', () => {
    when({ to: '', terms: { role: ROLES.owner }, facts: { mayInvite: false } }).thenRefuses('NOT_AUTHORIZED');
  });

  it('invites only to roles with equal or stricter restrictions', () => {
    when({ terms: { role: ROLES.owner }, facts: administrator }).thenRefuses('OWNER_REQUIRED');
    when({ terms: { role: ROLES.administrator } }).thenRefuses('ADMINISTRATOR_REQUIRED');
    when({ terms: { role: ROLES.moderator } }).thenRefuses('ADMINISTRATOR_REQUIRED');
    const terms = { ...member, role: ROLES.moderator };
    when({ terms, facts: { role: ROLES.moderator } }).then([sent(1, { keyId: 'key 0', tokenHash: 'hash 0', terms })]);
  });

  it('refuses a text without addresses, after the role and before channels', () => {
    when({ to: ' ,\n', terms: { channelIds: [11] } }).thenRefuses('NOBODY_TO_INVITE');
    when({ to: '', terms: { role: ROLES.owner } }).thenRefuses('OWNER_REQUIRED');
  });

  it('refuses channels that the inviter cannot reach or may not subscribe others to, except default channels', () => {
    when({ terms: { channelIds: [3, 11] } }).thenRefuses('INVITATION_CHANNEL_UNKNOWN', { channelId: 11 });
    when({ terms: { channelIds: [3] } }).thenRefuses('MAY_NOT_SUBSCRIBE_OTHERS');
    const terms = { ...member, channelIds: [1, 2], groupIds: [4] };
    when({ terms }).then([sent(1, { keyId: 'key 0', tokenHash: 'hash 0', terms })]);
  });

  it('refuses groups that the inviter may not add members to', () => {
    when({ terms: { groupIds: [4, 5] } }).thenRefuses('NOT_AUTHORIZED');
  });

  it('takes a welcome text from administrators only, also an empty one', () => {
    when({ welcomeText: '' }).thenRefuses('ADMINISTRATOR_REQUIRED');
    const invitee = { email: 'ann@example.com', welcomeText: '' };
    when({ welcomeText: '', facts: administrator }).then([sent(1, { keyId: 'key 0', tokenHash: 'hash 0', invitee })]);
  });

  it('invites nobody if an address is malformed', () => {
    when({ to: 'ann@example.com,nobody' }).thenRefuses(
      'INVITATION_FAILED',
      failed("Some emails did not validate, so we didn't send any invitations.", [
        ['nobody', 'Invalid address.', false],
      ]),
    );
  });

  it('invites at most 1000 people at once', () => {
    const to = (count: number) => Array.from({ length: count }, (_, index) => `a${index}@x.org`).join();
    when({ to: to(1001) }).thenRefuses('INVITATION_FAILED', {
      ...failed('At most 1000 people can be invited at once.', []),
      daily_limit_reached: true,
    });
    expect(() => when({ to: to(1000) }).thenRefuses('INVITATION_FAILED')).toThrow();
  });

  it('invites nobody if all addresses have accounts', () => {
    const accounts = {
      'ann@example.com': 'active',
      'bob@example.com': 'deactivated',
      'bot@x.org': 'system bot',
    } as const;
    const accountOf = (email: string) => accounts[email as keyof typeof accounts];
    when({ to: Object.keys(accounts).join(), facts: { accountOf } }).thenRefuses(
      'INVITATION_FAILED',
      failed("We weren't able to invite anyone.", [
        ['ann@example.com', 'Already has an account.', false],
        ['bob@example.com', 'Account has been deactivated.', true],
        ['bot@x.org', 'Reserved for system bots.', false],
      ]),
    );
  });

  it('invites the others if some addresses have accounts', () => {
    const accountOf = (email: string) => (email === 'bob@example.com' ? ('active' as const) : null);
    when({ to: 'bob@example.com,ann@example.com', facts: { accountOf } }).then([
      sent(1, { keyId: 'key 0', tokenHash: 'hash 0' }),
    ]);
  });

  it("replaces an earlier invitation to the address, which is the inviter's own", () => {
    when({ to: 'ANN@example.com', history: [sent(1)] }).then([
      revoked(1, 'replaced'),
      sent(2, { keyId: 'key 0', tokenHash: 'hash 0', invitee: { email: 'ANN@example.com', welcomeText: null } }),
    ]);
  });

  it('keeps an invitation that the inviter may not revoke, and mails it again', () => {
    const history = [sent(1, { inviterId: 8, terms: { ...member, role: ROLES.owner } })];
    const resent = { type: 'InvitationResent' as const, data: { invitationId: 1 } };
    when({ history }).then([resent]);
    when({ history, facts: administrator }).then([resent]);
    when({ history, facts: owner }).then([revoked(1, 'replaced', 8), sent(2, { keyId: 'key 0', tokenHash: 'hash 0' })]);
  });

  it("replaces another's invitation whose time is over", () => {
    when({ history: [sent(1, { inviterId: 8, expiresAt: NOW })] }).then([
      revoked(1, 'replaced', 8),
      sent(2, { keyId: 'key 0', tokenHash: 'hash 0' }),
    ]);
  });

  it('invites anew after the earlier invitation has ended', () => {
    when({ history: [sent(1), expired(1)] }).then([sent(2, { keyId: 'key 0', tokenHash: 'hash 0' })]);
  });
});

describe('making a link for many', () => {
  const make = (terms: Partial<InvitationTerms>, facts: Partial<SendInvitationsFacts> = {}) =>
    given(invitations, [sent(1)]).when(
      decideCreateInvitationLink,
      new CreateInvitationLink({
        inviterId: 7,
        terms: { ...member, ...terms },
        options: { expiresAt: null, welcomeText: null },
        by: byInviter,
      }),
      { ...inviter, ...facts, link: { keyId: 'key 2', tokenHash: 'hash 2' } },
    );

  it('counts its id together with mailed invitations', () => {
    make({}).then([linkCreated(2)]);
  });

  it('has the same conditions as an invitation by mail', () => {
    make({}, { mayInvite: false }).thenRefuses('NOT_AUTHORIZED');
    make({ role: ROLES.owner }).thenRefuses('OWNER_REQUIRED');
    make({ channelIds: [11] }).thenRefuses('INVITATION_CHANNEL_UNKNOWN', { channelId: 11 });
    make({ channelIds: [3] }).thenRefuses('MAY_NOT_SUBSCRIBE_OTHERS');
  });
});
