import type { InvitationAccepted } from '../../../events/invitations/invitations.events.js';
import { MESSAGES_STREAM, type MessageSent } from '../../../events/messages/messages.events.js';
import { ORGANIZATION_STREAM } from '../../../events/organization/organization.events.js';
import { NOTIFICATION_BOT } from '../../../events/shared/system-bots.js';
import { USERS_STREAM } from '../../../events/users/users.events.js';
import type { CommandRunner } from '../../../platform/commands/command-runner.js';
import { processManager } from '../../../platform/consumers/process-manager.js';
import { derivedId } from '../../../platform/kernel/derived-id.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import type { Position } from '../../../platform/kernel/position.js';
import { NO_CONTENT_FACTS, NO_NAMES } from '../../markdown/content-facts.js';
import { organization } from '../../organization/domain/organization.state.js';
import { accountMadeBy } from '../../users/consequences/invited-account.js';
import { users } from '../../users/domain/users.state.js';
import { contentOf } from '../domain/message-content.js';

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
    let reached = event.position;
    if (welcome.trim() !== '') reached = await send(userId, welcome.trimEnd(), 'welcome', event, runner);
    if (!notifiesInviter || !(await isActive(inviterId, runner))) return reached;
    const text = `@_**${fullName}|${userId}** accepted your invitation to join!`;
    return Math.max(reached, await send(inviterId, text, 'accepted', event, runner, { id: userId, fullName }));
  },
});

async function organizationsWelcome(runner: CommandRunner): Promise<string> {
  const state = await runner.stateOf({ stream: ORGANIZATION_STREAM, decider: organization });
  return state.status === 'absent' ? '' : state.settings.welcome_message_custom_text;
}

async function isActive(userId: number, runner: CommandRunner): Promise<boolean> {
  const { byId } = await runner.stateOf({ stream: USERS_STREAM, decider: users });
  return byId.get(userId)?.status === 'active';
}

/** Sends a direct message from the server's own account. */
async function send(
  readerId: number,
  text: string,
  kind: 'welcome' | 'accepted',
  cause: Recorded<InvitationAccepted>,
  runner: CommandRunner,
  mentioned?: { readonly id: number; readonly fullName: string },
): Promise<Position> {
  const userById = (id: number) => (id === mentioned?.id ? { ...mentioned, isActive: true } : undefined);
  const notice: MessageSent = {
    type: 'MessageSent',
    data: {
      senderId: NOTIFICATION_BOT.id,
      recipient: { type: 'direct', userIds: [readerId, NOTIFICATION_BOT.id].sort((a, b) => a - b) },
      readBySender: true,
      localEcho: null,
      sendKey: null,
      content: contentOf(text, { ...NO_CONTENT_FACTS, names: { ...NO_NAMES, userById } }),
    },
  };
  const by = { actorId: null, client: 'Internal', correlationId: cause.metadata.correlationId };
  const id = derivedId('joining-notice', cause.id, kind);
  const { position } = await runner.reportFollowing(MESSAGES_STREAM, notice, by, { id, cause });
  return position;
}
