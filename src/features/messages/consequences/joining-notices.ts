import type { InvitationAccepted } from '../../../events/invitations/invitations.events.js';
import { ORGANIZATION_STREAM } from '../../../events/organization/organization.events.js';
import type { CommandRunner } from '../../../platform/commands/command-runner.js';
import { processManager } from '../../../platform/consumers/process-manager.js';
import { derivedId } from '../../../platform/kernel/derived-id.js';
import { organization } from '../../organization/domain/organization.state.js';
import { accountMadeBy } from '../../users/consequences/invited-account.js';
import { isActive, sendNotice } from './direct-notices.js';

/** Welcomes a new user with the invitation's text, or else the organization's, and tells the inviter. */
export const joiningNotices = processManager<InvitationAccepted>({
  name: 'joining-notices',
  on: 'InvitationAccepted',
  appends: ['MessageSent'],
  react: async (event, runner) => {
    const { applicant, inviterId, notifiesInviter } = event.data;
    const userId = applicant === null ? null : await accountMadeBy(event, runner);
    if (applicant === null || userId === null) return event.position;
    const { welcomeText, fullName } = applicant;
    const welcome = welcomeText ?? (await organizationsWelcome(runner));
    const idOf = (kind: 'welcome' | 'accepted') => derivedId('joining-notice', event.id, kind);
    let reached = event.position;
    if (welcome.trim() !== '')
      reached = await sendNotice({ id: idOf('welcome'), readerId: userId, text: welcome.trimEnd() }, event, runner);
    if (!notifiesInviter || !(await isActive(inviterId, runner))) return reached;
    const text = `@_**${fullName}|${userId}** accepted your invitation to join!`;
    const userById = (id: number) => (id === userId ? { id, fullName, isActive: true } : undefined);
    const accepted = { id: idOf('accepted'), readerId: inviterId, text, userById };
    return Math.max(reached, await sendNotice(accepted, event, runner));
  },
});

async function organizationsWelcome(runner: CommandRunner): Promise<string> {
  const state = await runner.stateOf({ stream: ORGANIZATION_STREAM, decider: organization });
  return state.status === 'absent' ? '' : state.settings.welcome_message_custom_text;
}
