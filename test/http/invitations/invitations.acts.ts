import type { InvitationEvent } from '../../../src/events/invitations/invitations.events.js';
import { AcceptInvitation } from '../../../src/features/invitations/domain/accept-invitation.js';
import { DomainError } from '../../../src/platform/kernel/deciding.js';
import type { Scene } from '../../support/client-state/scene.js';
import type { Act } from '../../support/client-state/storm.js';
import { oneOf, type Roll } from '../../support/dice.js';
import { by } from '../../support/servers/annals.js';

export function invitationActs(scene: Scene): readonly Act[] {
  const { annals, owner } = scene;

  /** The invited address. */
  const invite = async (roll: Roll): Promise<string> => {
    const email = `invited${scene.next()}@example.com`;
    await owner.api.post('/invites', {
      invitee_emails: email,
      stream_ids: roll(2) === 0 ? [scene.channelId(roll)] : [],
      invite_as: oneOf([300, 400, 600], roll),
      include_realm_default_subscriptions: roll(2) === 0,
    });
    return email;
  };

  /** Is refused if an archived channel refused the invitation, or if another act has ended it. */
  const join = async (email: string): Promise<void> => {
    const events = (await annals.events('invitations')) as unknown as InvitationEvent[];
    const sent = events.find((event) => event.type === 'InvitationSent' && event.data.invitee?.email === email);
    if (sent?.type !== 'InvitationSent') return;
    const applicant = { email, fullName: `Joiner ${scene.next()}`, password: 'a good password', welcomeText: null };
    await annals
      .execute(new AcceptInvitation({ tokenHash: sent.data.tokenHash, applicant, by }))
      .catch((error: unknown) => {
        if (!(error instanceof DomainError)) throw error;
      });
  };

  return [
    { name: 'somebody is invited, and joins', run: async (roll) => join(await invite(roll)) },
    { name: 'somebody is invited', run: invite },
    {
      name: 'an invitation is revoked',
      run: async (roll) => {
        const { invites } = (await owner.api.get('/invites')).body;
        if (invites.length === 0) return;
        const { id, is_multiuse } = oneOf<{ id: number; is_multiuse: boolean }>(invites, roll);
        await owner.api.delete(is_multiuse ? `/invites/multiuse/${id}` : `/invites/${id}`);
      },
    },
    { name: 'a link for many is made', run: () => owner.api.post('/invites/multiuse') },
  ];
}
