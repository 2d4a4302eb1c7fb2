import type { InvitationAccepted } from '../../../events/invitations/invitations.events.js';
import { ORGANIZATION_STREAM } from '../../../events/organization/organization.events.js';
import { WELCOME_BOT } from '../../../events/shared/system-bots.js';
import type { UserCreated } from '../../../events/users/users.events.js';
import type { CommandRunner } from '../../../platform/commands/command-runner.js';
import { processManager } from '../../../platform/consumers/process-manager.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import { organization } from '../../organization/domain/organization.js';
import { accountMadeBy } from '../../users/consequences/invited-account.js';
import { mayReadNotices, sendNotice } from './direct-notices.js';

/** Accounts that are older are not greeted when all events are handled again: servers did not always greet. */
const GREETED_WITHIN_MS = 86_400_000;
const HOW_IT_WORKS =
  'Everything is said in a channel, under a topic that tells what it is about, or between people. Reply to a topic, or begin one with words of your own.';

/** Welcomes who joins, also with the invitation's text or else the organization's. */
const joining = processManager<InvitationAccepted>({
  name: 'joining-notices',
  on: 'InvitationAccepted',
  appends: ['MessageSent'],
  welcomes: true,
  react: async (event, runner) => {
    const { applicant } = event.data;
    const readerId = applicant === null ? null : await accountMadeBy(event, runner);
    if (applicant === null || readerId === null) return event.position;
    const text = await welcomeTo(applicant.welcomeText, isLate(event), runner);
    if (text === '') return event.position;
    const id = derivedId('joining-notice', event.id, 'welcome');
    return sendNotice({ id, readerId, sender: WELCOME_BOT, text }, event, runner);
  },
});

/** Welcomes whom somebody has added. The first account is the owner's, who has added it themselves. */
const addition = processManager<UserCreated>({
  name: 'addition-notices',
  on: 'UserCreated',
  appends: ['MessageSent'],
  welcomes: true,
  react: async (event, runner) => {
    const { userId: readerId } = event.data;
    const isInvited = event.metadata.causationId !== null;
    if (isInvited || event.revision === 0 || isLate(event)) return event.position;
    if (!(await mayReadNotices(readerId, runner))) return event.position;
    const text = await welcomeTo(null, false, runner);
    if (text === '') return event.position;
    const id = derivedId('addition-notice', event.id);
    return sendNotice({ id, readerId, sender: WELCOME_BOT, text }, event, runner);
  },
});

/** Tells an inviter who wants to know that somebody has joined. */
const acceptance = processManager<InvitationAccepted>({
  name: 'acceptance-notices',
  on: 'InvitationAccepted',
  appends: ['MessageSent'],
  react: async (event, runner) => {
    const { applicant, inviterId, notifiesInviter } = event.data;
    const userId = applicant === null ? null : await accountMadeBy(event, runner);
    if (applicant === null || userId === null) return event.position;
    if (!notifiesInviter || !(await mayReadNotices(inviterId, runner))) return event.position;
    const { fullName } = applicant;
    return sendNotice(
      {
        id: derivedId('joining-notice', event.id, 'accepted'),
        readerId: inviterId,
        text: `@_**${fullName}|${userId}** accepted your invitation to join!`,
        userById: (id) => (id === userId ? { id, fullName, isActive: true } : undefined),
      },
      event,
      runner,
    );
  },
});

export const welcoming = [joining, addition, acceptance];

const isLate = ({ metadata }: Recorded): boolean => metadata.at < Date.now() - GREETED_WITHIN_MS;

/** @param own the invitation's text; empty: nothing is added; null: what the organization adds */
async function welcomeTo(own: string | null, isLate: boolean, runner: CommandRunner): Promise<string> {
  const state = await runner.stateOf({ stream: ORGANIZATION_STREAM, decider: organization });
  if (state.status === 'absent') return '';
  const { name, welcome_message_custom_text: usual } = state.settings;
  const added = (own ?? usual).trimEnd();
  return (isLate ? [added] : [`Hello, and welcome to ${name}!`, HOW_IT_WORKS, added]).filter(Boolean).join('\n\n');
}
