import type { Applicant, NewAccount } from '../../../events/invitations/invitations.events.js';
import type { UserCreated } from '../../../events/users/users.events.js';
import type { Decide } from '../../../platform/kernel/deciding.js';
import { foldCase } from '../../../platform/kernel/text.js';
import type { UsersState } from './users.state.js';

export interface CreateInvitedUser {
  readonly applicant: Applicant;
  readonly account: NewAccount;
}

/**
 * Creates the account of an accepted invitation. Nothing happens if the address has an account by now. A name that has
 * been taken since the acceptance is kept.
 */
export const decideCreateInvitedUser: Decide<CreateInvitedUser, UsersState, UserCreated> = (
  { applicant: { email, fullName, passwordHash }, account: { role, channelIds } },
  { idByEmail, lastId },
) => {
  if (idByEmail.has(foldCase(email))) return [];
  const userId = lastId + 1;
  return [{ type: 'UserCreated', data: { userId, email, fullName, role, passwordHash, channelIds } }];
};
