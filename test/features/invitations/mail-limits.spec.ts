import { describe, expect, it } from '@jest/globals';
import type { InvitationEvent } from '../../../src/events/invitations/invitations.events.js';
import { ConfirmJoin, decideConfirmJoin } from '../../../src/features/invitations/domain/accept-invitation.js';
import { invitations } from '../../../src/features/invitations/domain/invitations.state.js';
import { mailedAgain, mailedTooOften } from '../../../src/features/invitations/domain/invitees.js';
import { mailsOfDay } from '../../../src/features/invitations/domain/mail-limits.js';
import {
  decideResendInvitation,
  ResendInvitation,
} from '../../../src/features/invitations/domain/manage-invitation.js';
import {
  decideSendInvitations,
  notInvitedAnew,
  SendInvitations,
  type SendInvitationsFacts,
} from '../../../src/features/invitations/domain/send-invitations.js';
import { given } from '../../support/events/given.js';
import { processorTime } from '../../support/processor-time.js';
import { byInviter, confirmationSent, limits, linkCreated, member, resent, sent } from './invitations.events.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Milliseconds since 1970. */
const NOW = 10 * DAY;

type History = readonly InvitationEvent[];

/** The event as it was appended so long ago. */
const ago = (before: number, event: InvitationEvent, actorId = 7): InvitationEvent =>
  Object.assign({}, event, { metadata: { at: NOW - before, actorId } });
const to = (email: string) => ({ invitee: { email, welcomeText: null } });
const sentTo = (id: number, email: string, inviterId = 7) =>
  sent(id, { ...to(email), inviterId, expiresAt: NOW + DAY });

const facts: SendInvitationsFacts = {
  mayInvite: true,
  role: 400,
  isAdministrator: false,
  isOwner: false,
  managerId: 7,
  channel: () => null,
  mayAddToGroup: () => false,
  now: NOW,
  limits: { ...limits, member: 3, administrator: 4, organization: 6 },
  accountOf: () => null,
  link: (index) => ({ keyId: `key ${index}`, tokenHash: `hash ${index}` }),
};
const invite = (history: History, invitees: string, changes: Partial<SendInvitationsFacts> = {}) => {
  const options = { expiresAt: null, notifiesInviter: true, welcomeText: null };
  const command = new SendInvitations({ inviterId: 7, invitees, terms: member, options, by: byInviter });
  return given(invitations, history).when(decideSendInvitations, command, { ...facts, ...changes });
};
const mailAgain = (history: History, changes: Partial<SendInvitationsFacts> = {}) =>
  given(invitations, history).when(decideResendInvitation, new ResendInvitation({ invitationId: 1, by: byInviter }), {
    ...facts,
    ...changes,
  });

const expectAllowed = ({ thenRefuses }: ReturnType<typeof invite>) =>
  expect(() => thenRefuses('a refusal')).toThrow('the command was not refused');

const failed = (summary: string, errors: readonly unknown[] = []) => ({
  summary,
  errors,
  sent_invitations: false,
  license_limit_reached: false,
  daily_limit_reached: errors.length === 0,
});

describe('the mails that an inviter has sent in a day', () => {
  const two = [ago(HOUR, sentTo(1, 'a@x.org')), ago(HOUR, sentTo(2, 'b@x.org'))];

  it('are limited, all of a request or none', () => {
    expectAllowed(invite(two, 'c@x.org'));
    invite(two, 'c@x.org,d@x.org').thenRefuses(
      'INVITATION_FAILED',
      failed('You can send 3 invitations a day, and 1 more now.'),
    );
  });

  it('count repeats, to who asked for them', () => {
    invite([...two, ago(HOUR, resent(1))], 'c@x.org').thenRefuses('INVITATION_FAILED');
    expectAllowed(invite([...two, ago(HOUR, resent(1), 8)], 'c@x.org'));
    mailAgain([...two, ago(HOUR, sentTo(3, 'c@x.org'))]).thenRefuses('INVITATION_FAILED');
  });

  it('are more for administrators', () => {
    expectAllowed(invite(two, 'c@x.org,d@x.org', { isAdministrator: true }));
    invite(two, 'c@x.org,d@x.org,e@x.org', { isAdministrator: true }).thenRefuses('INVITATION_FAILED');
  });

  it('are forgotten after a day, and do not count the mails of those who join by a link', () => {
    const old = two.map((event) => ago(DAY, event));
    const joining = ago(HOUR, confirmationSent(3, { linkId: 4, ...to('j@x.org') }));
    expectAllowed(invite([...old, joining], 'c@x.org,d@x.org,e@x.org'));
  });

  it('have no limit if it is 0, or for the server itself', () => {
    const none = { ...limits, member: 0, organization: 0 };
    for (const changes of [{ limits: none }, { managerId: null }])
      expectAllowed(invite(two, 'c@x.org,d@x.org', changes));
  });
});

it('the mails of all inviters together are limited', () => {
  const others = ['a', 'b', 'c', 'd', 'e'].map((name, index) =>
    ago(HOUR, sentTo(index + 1, `${name}@x.org`, 20 + index)),
  );
  expectAllowed(invite(others, 'f@x.org'));
  invite(others, 'f@x.org,g@x.org').thenRefuses(
    'INVITATION_FAILED',
    failed('This organization has sent as many invitations as it may in a day. Try again tomorrow.'),
  );
});

describe('an address', () => {
  /** Five mails to the address of Ann, the oldest 23 hours ago. */
  const five = [23, 22, 21, 20, 19].map((hours, index) =>
    ago(hours * HOUR, sentTo(index + 1, 'ann@x.org', 20 + index)),
  );

  it('gets five mails a day at most, whoever sends them; others are invited', () => {
    invite(five, 'Ann@x.org').thenRefuses(
      'INVITATION_FAILED',
      failed("We weren't able to invite anyone.", [mailedTooOften('Ann@x.org')]),
    );
    invite(five, 'ann@x.org,bob@x.org').then([
      sent(6, { keyId: 'key 1', tokenHash: 'hash 1', expiresAt: null, ...to('bob@x.org') }),
    ]);
  });

  it('gets no repeat beyond them, until the oldest is a day old', () => {
    const history = [sentTo(1, 'ann@x.org'), ...five.slice(1), ago(23 * HOUR, sentTo(1, 'ann@x.org'))];
    mailAgain(history).thenRefuses('RATE_LIMIT_HIT', { 'retry-after': 2 * 3600 });
  });

  it('is told of to its inviter if it was mailed again, or not', () => {
    const { state } = given(invitations, [sentTo(1, 'ann@x.org', 20), sentTo(2, 'bob@x.org', 20)]);
    expect(notInvitedAnew(['ann@x.org', 'bob@x.org', 'eve@x.org'], [resent(1), sentTo(3, 'eve@x.org')], state)).toEqual(
      [mailedAgain('ann@x.org'), mailedTooOften('bob@x.org')],
    );
  });
});

describe('an invitation', () => {
  it('is mailed again at once, and then only after a pause', () => {
    mailAgain([ago(1000, sentTo(1, 'ann@x.org'))]).then([resent(1)]);
    const repeated = (before: number) => [ago(HOUR, sentTo(1, 'ann@x.org')), ago(before, resent(1))];
    mailAgain(repeated(59_000)).thenRefuses('RATE_LIMIT_HIT', { 'retry-after': 1 });
    mailAgain(repeated(60_000)).then([resent(1)]);
    mailAgain([ago(HOUR, sentTo(1, 'ann@x.org')), ago(30_000, resent(1))]).thenRefuses('RATE_LIMIT_HIT');
  });

  it('of somebody else is not mailed again in the pause by inviting to its address', () => {
    invite([ago(1000, sentTo(1, 'ann@x.org', 20))], 'ann@x.org').thenRefuses('INVITATION_FAILED');
    invite([ago(HOUR, sentTo(1, 'ann@x.org', 20))], 'ann@x.org').then([resent(1)]);
  });
});

describe('a link for many', () => {
  const ask = (history: History, email: string) =>
    given(invitations, history).when(
      decideConfirmJoin,
      new ConfirmJoin({ tokenHash: 'hash 1', email, by: byInviter }),
      {
        now: NOW,
        hasAccount: false,
        inviter: () => ({ isActive: true, fullName: 'Mila', mayInvite: true, role: 400 }),
        link: { keyId: 'key', tokenHash: 'hash' },
        welcomeText: null,
        limits: { ...limits, link: 2, organization: 4 },
      },
    );
  const confirmation = (id: number, linkId: number) =>
    ago(HOUR, confirmationSent(id, { linkId, ...to(`${id}@x.org`), expiresAt: NOW + DAY }));

  it('causes a limited number of mails a day', () => {
    const link = ago(DAY, linkCreated(1));
    expectAllowed(ask([link, confirmation(2, 1), confirmation(3, 9)], 'ann@x.org'));
    ask([link, confirmation(2, 1), confirmation(3, 1)], 'ann@x.org').thenRefuses('RATE_LIMIT_HIT', {
      'retry-after': 23 * 3600,
    });
  });

  it('causes no more when all links together have caused as many mails as the organization may send', () => {
    const link = ago(DAY, linkCreated(1));
    const mails = [10, 11, 12].map((linkId) => confirmation(linkId + 10, linkId));
    expectAllowed(ask([link, ...mails, ago(HOUR, sentTo(2, 'mila@x.org'))], 'ann@x.org'));
    ask([link, ...mails, confirmation(30, 13)], 'ann@x.org').thenRefuses('RATE_LIMIT_HIT', {
      'retry-after': 23 * 3600,
    });
  });

  it('sends five mails a day to an address at most', () => {
    const mails = [1, 2, 3, 4, 5].map((id) => ago(HOUR, sentTo(id + 1, 'ann@x.org', 20 + id)));
    ask([linkCreated(1), ...mails], 'ann@x.org').thenRefuses('RATE_LIMIT_HIT');
  });
});

it('10,000 mails of a day are looked through in milliseconds', () => {
  const history = Array.from({ length: 10_000 }, (_, index) => ago(DAY - index, sentTo(index + 1, `${index}@x.org`)));
  const { state } = given(invitations, [...history, ago(0, sentTo(10_001, 'last@x.org'))]);
  expect(state.mails.size).toBe(10_000);
  const took = processorTime(() => {
    for (let round = 0; round < 10; round++) expect(mailsOfDay(state.mails, NOW).invitations).toBe(10_000);
  });
  expect(took).toBeLessThan(2000);
});
