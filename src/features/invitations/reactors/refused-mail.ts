import { INVITATIONS_STREAM } from '../../../events/invitations/invitations.events.js';
import { newEventId } from '../../../platform/kernel/ids.js';
import type { RefusedMails } from '../../../platform/mail/mailer.js';
import { invitations } from '../domain/invitations.state.js';
import { decideRefuseInvitationMail, RefuseInvitationMail } from '../domain/refuse-mail.js';

/** Lets the inviter see that an invitation did not arrive. */
export const refusedInvitationMails: RefusedMails = {
  about: 'invitation',
  record: async ({ id, at }, refusal, runner) => {
    const by = { actorId: null, client: 'annals', correlationId: newEventId() };
    await runner.decide({
      stream: INVITATIONS_STREAM,
      decider: invitations,
      expects: 'any',
      decide: decideRefuseInvitationMail,
      command: new RefuseInvitationMail({ invitationId: id, mailedAt: at, refusal, by }),
      context: { now: Date.now() },
      by,
    });
  },
};
