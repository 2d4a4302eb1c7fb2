import type { AccountLinkEvent } from '../../../events/users/account-links.events.js';
import { USERS_STREAM, type UserEvent } from '../../../events/users/users.events.js';
import type { CommandStream } from '../../../platform/commands/decisions.js';
import { type UsersState, users } from '../domain/users.state.js';

export const usersStream: CommandStream<UsersState, UserEvent | AccountLinkEvent> = {
  stream: USERS_STREAM,
  decider: users,
  expects: 'any',
};
