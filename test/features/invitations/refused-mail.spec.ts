import { describe, expect, it } from '@jest/globals';
import type { InvitationEvent } from '../../../src/events/invitations/invitations.events.js';
import { invitations } from '../../../src/features/invitations/domain/invitations.state.js';
import {
  decideRefuseInvitationMail,
  RefuseInvitationMail,
} from '../../../src/features/invitations/domain/manage-invitation.js';
import type { Folded } from '../../../src/platform/kernel/deciding.js';
import {
  accepted,
  byInviter,
  confirmationSent,
  expired,
  linkCreated,
  mailRefused,
  NOW,
  resent,
  revoked,
  sent,
} from './invitations.events.js';

const at = (time: number, event: InvitationEvent): Folded<InvitationEvent> => ({
  ...event,
  metadata: { actorId: 7, at: time },
});

/** Decides that the mail of an event at a time is refused. */
function decided(events: readonly Folded<InvitationEvent>[], id: number, mailedAt: number, now = NOW) {
  const state = events.reduce(invitations.evolve, invitations.initialState);
  const command = new RefuseInvitationMail({
    invitationId: id,
    mailedAt,
    refusal: { reason: 'refused', code: 550 },
    by: byInviter,
  });
  return decideRefuseInvitationMail(command, state, { now });
}

describe('a refused mail of an invitation', () => {
  it('is recorded, once', () => {
    expect(decided([at(5, sent(1))], 1, 5)).toStrictEqual([mailRefused(1, 5)]);
    expect(decided([at(5, sent(1)), at(6, mailRefused(1, 5))], 1, 5)).toStrictEqual([]);
  });

  it('is recorded for the last mail only', () => {
    const again = [at(5, sent(1)), at(6, mailRefused(1, 5)), at(9, resent(1))];
    expect(decided(again, 1, 5)).toStrictEqual([]);
    expect(decided(again, 1, 9)).toStrictEqual([mailRefused(1, 9)]);
  });

  it.each<[string, InvitationEvent]>([
    ['revoked', revoked(1)],
    ['expired', expired(1)],
    ['accepted', accepted(1)],
  ])('is not recorded for an invitation that is %s', (_, end) => {
    expect(decided([at(5, sent(1)), at(6, end)], 1, 5)).toStrictEqual([]);
  });

  it('is not recorded for an invitation whose time is over, an unknown one, or the confirmation of a join', () => {
    expect(decided([at(5, sent(1))], 1, 5, NOW + 1000)).toStrictEqual([]);
    expect(decided([], 1, 5)).toStrictEqual([]);
    expect(decided([at(4, linkCreated(1)), at(5, confirmationSent(2))], 2, 5)).toStrictEqual([]);
  });

  it('changes nothing of the invitation', () => {
    const fold = (...events: InvitationEvent[]) => events.reduce(invitations.evolve, invitations.initialState);
    const { byId, pendingIds } = fold(sent(1), mailRefused(1));
    expect(byId.get(1)).toEqual({ ...fold(sent(1)).byId.get(1), isMailRefused: true });
    expect([...pendingIds]).toEqual([1]);
  });
});
