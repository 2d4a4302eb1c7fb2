import { describe, expect, it } from '@jest/globals';
import { clientEvents } from '../../../projections/client-events/client-events.projection.js';
import { type InvitationDocument, invitations } from '../../../projections/invitations/invitations.projection.js';
import { INVITATIONS_STREAM, type InvitationEvent } from '../../../src/events/invitations/invitations.events.js';
import type { DomainEvent } from '../../../src/platform/kernel/event.js';
import {
  accepted,
  completed,
  confirmationSent,
  expired,
  linkCreated,
  mailRefused,
  member,
  NOW,
  resent,
  revoked,
  sent,
} from '../../features/invitations/invitations.events.js';
import { history } from '../../support/events/history.js';
import { projected } from '../../support/projections/projected.js';

const of = (...events: InvitationEvent[]) =>
  history(...events.map((event): [string, DomainEvent] => [INVITATIONS_STREAM, event]));
const pending = async (...events: InvitationEvent[]) => (await projected(invitations, of(...events))).invitations;

describe('the documents of invitations', () => {
  it('hold pending invitations and links, with the time of the last mail', async () => {
    expect(await pending(sent(1), linkCreated(2), resent(1))).toEqual([
      {
        _id: 1,
        inviterId: 7,
        keyId: 'key 1',
        tokenHash: 'hash 1',
        mailed: { role: 400, email: 'ann@example.com', notifiesInviter: true },
        welcomeText: null,
        invitedAt: 1_700_000_003_000,
        expiresAt: NOW + 1000,
        position: 3,
      },
      {
        _id: 2,
        inviterId: 7,
        keyId: 'key 2',
        tokenHash: 'hash 2',
        forMany: member,
        welcomeText: null,
        invitedAt: 1_700_000_002_000,
        expiresAt: null,
        position: 2,
      },
    ]);
  });

  it('say that the last mail was refused, until another one follows', async () => {
    const isMailRefused = async (...events: InvitationEvent[]) =>
      ((await pending(sent(1), ...events)) as InvitationDocument[]).map(({ mailed }) => mailed?.isMailRefused);
    expect(await isMailRefused(mailRefused(1))).toEqual([true]);
    expect(await isMailRefused(mailRefused(1), resent(1))).toEqual([undefined]);
    expect(await isMailRefused(mailRefused(1), revoked(1), mailRefused(1))).toEqual([]);
  });

  it('hold the confirmations of those who use a link', async () => {
    const [, confirmation] = (await pending(linkCreated(1), confirmationSent(2))) ?? [];
    expect(confirmation).toMatchObject({
      _id: 2,
      tokenHash: 'hash 2',
      confirmation: { role: 400, email: 'ann@example.com' },
    });
    const [link] = (await pending(linkCreated(1))) ?? [];
    expect(await pending(linkCreated(1), confirmationSent(2), accepted(2))).toEqual([link]);
    expect(await pending(confirmationSent(2))).toEqual([]);
  });

  it.each<[string, InvitationEvent[]]>([
    ['revoked', [revoked(1)]],
    ['expired', [expired(1)]],
    ['accepted', [accepted(1), completed(1)]],
  ])('hold none that is %s', async (_, events) => {
    expect(await pending(sent(1), ...events)).toEqual([]);
  });

  it('hold none whose key is destroyed', async () => {
    expect(await pending(sent(1, { invitee: null }), linkCreated(2, { welcome: null }), resent(1))).toEqual([]);
  });
});

describe('client events of invitations', () => {
  const told = async (...events: InvitationEvent[]) =>
    (await projected(clientEvents, of(...events))).events?.map((event) => ({ ...event, _id: 0, at: 0 }));
  const changed = (position: number) => ({
    _id: 0,
    at: 0,
    position,
    kind: 'invites_changed',
    part: 'organization',
    audience: { roles: [100, 200], userIds: [7] },
    payload: { body: {} },
  });

  it('tell administrators and the inviter that the list has changed', async () => {
    expect(await told(sent(1), linkCreated(2), revoked(2), accepted(1))).toEqual([1, 2, 3, 4].map(changed));
  });

  it('tell once of all invitations of a request, with the last one', async () => {
    expect(await told(sent(1, { followedBy: 2 }), sent(2, { followedBy: 1 }), sent(3))).toEqual([changed(3)]);
    const ended = [revoked(1, 'inviter deactivated', 7, 1), revoked(2, 'inviter deactivated')];
    expect(await told(sent(1, { followedBy: 1 }), sent(2), ...ended)).toEqual([2, 4].map(changed));
  });

  it('tell them that a mail was refused', async () => {
    expect(await told(sent(1), mailRefused(1))).toEqual([1, 2].map(changed));
  });

  it('tell of a replaced invitation once, and not of a repeated mail or a confirmation', async () => {
    expect(await told(sent(1), revoked(1, 'replaced'), sent(2), resent(2))).toEqual([1, 3].map(changed));
    const link = [linkCreated(1), confirmationSent(2), revoked(1), revoked(2, 'link ended')];
    expect(await told(...link)).toEqual([1, 3].map(changed));
  });
});
