import type { InvitationAccepted } from '../../../events/invitations/invitations.events.js';
import { USERS_STREAM } from '../../../events/users/users.events.js';
import type { CommandRunner } from '../../../platform/commands/command-runner.js';
import { decideAfter, processManager } from '../../../platform/consumers/process-manager.js';
import type { Recorded } from '../../../platform/kernel/event.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import { decideCreateInvitedUser } from '../domain/create-user.js';
import { users } from '../domain/users.state.js';

/** Makes the account of an accepted invitation. The key of the acceptance is destroyed once all has followed. */
export const invitedAccount = processManager<InvitationAccepted>({
  name: 'invited-account',
  on: 'InvitationAccepted',
  appends: ['UserCreated'],
  react: async ({ id, data: { applicant, account }, metadata, position }, runner) => {
    if (applicant === null) return position;
    const outcome = await decideAfter({ id, metadata, position }, runner, {
      stream: USERS_STREAM,
      decider: users,
      decide: decideCreateInvitedUser,
      command: { applicant, account },
      context: undefined,
      ids: () => accountId(id),
    });
    return outcome.position;
  },
});

/** Finds the id of the account that an acceptance has made; null: none, because the address had one. */
export async function accountMadeBy(
  event: Recorded<InvitationAccepted>,
  runner: CommandRunner,
): Promise<number | null> {
  const created = await runner.firstFollowed(event, [accountId(event.id)], USERS_STREAM);
  return typeof created?.data.userId === 'number' ? created.data.userId : null;
}

/** Id of the account's first event. */
const accountId = (acceptanceId: string): string => derivedId('invited-account', acceptanceId);
