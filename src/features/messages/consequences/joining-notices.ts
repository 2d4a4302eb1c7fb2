import type { InvitationAccepted } from '../../../events/invitations/invitations.events.js';
import { ORGANIZATION_STREAM } from '../../../events/organization/organization.events.js';
import type { CommandRunner } from '../../../platform/commands/command-runner.js';
import { processManager } from '../../../platform/consumers/process-manager.js';
import { derivedId } from '../../../platform/kernel/derived-id.js';
import { organization } from '../../organization/domain/organization.state.js';
import { accountMadeBy } from '../../users/consequences/invited-account.js';
import { isActive, sendNotice } from './direct-notices.js';

/** Who joined before servers greeted is not greeted when all events are handled again. */
const GREETED_WITHIN_MS = 86_400_000;
const HOW_IT_WORKS =
  'Everything is said in a channel, under a topic that tells what it is about, or between people. Reply to a topic, or begin one with words of your own.';

/** Welcomes a new user, also with the invitation's text or else the organization's, and tells the inviter. */
export const joiningNotices = processManager<InvitationAccepted>({
  name: 'joining-notices',
  on: 'InvitationAccepted',
  appends: ['MessageSent'],
  react: async (event, runner) => {
    const { applicant, inviterId, notifiesInviter } = event.data;
    const userId = applicant === null ? null : await accountMadeBy(event, runner);
    if (applicant === null || userId === null) return event.position;
    const { welcomeText, fullName } = applicant;
    const isLate = event.metadata.at < Date.now() - GREETED_WITHIN_MS;
    const text = await welcomeTo(welcomeText, isLate, runner);
    const idOf = (kind: 'welcome' | 'accepted') => derivedId('joining-notice', event.id, kind);
    let reached = event.position;
    if (text !== '') reached = await sendNotice({ id: idOf('welcome'), readerId: userId, text }, event, runner);
    if (!notifiesInviter || !(await isActive(inviterId, runner))) return reached;
    const news = `@_**${fullName}|${userId}** accepted your invitation to join!`;
    const userById = (id: number) => (id === userId ? { id, fullName, isActive: true } : undefined);
    const accepted = { id: idOf('accepted'), readerId: inviterId, text: news, userById };
    return Math.max(reached, await sendNotice(accepted, event, runner));
  },
});

/** @param own the invitation's text; empty: nothing is added; null: what the organization adds */
async function welcomeTo(own: string | null, isLate: boolean, runner: CommandRunner): Promise<string> {
  const state = await runner.stateOf({ stream: ORGANIZATION_STREAM, decider: organization });
  if (state.status === 'absent') return '';
  const { name, welcome_message_custom_text: usual } = state.settings;
  const added = (own ?? usual).trimEnd();
  return (isLate ? [added] : [`Hello, and welcome to ${name}!`, HOW_IT_WORKS, added]).filter(Boolean).join('\n\n');
}
