import { accountLinks } from '../../../../projections/account-links/account-links.projection.js';
import { clientEvents } from '../../../../projections/client-events/client-events.projection.js';
import type { AccountLinkEvent } from '../../../events/users/account-links.events.js';
import { USERS_STREAM, type UserEvent } from '../../../events/users/users.events.js';
import type { CommandStream } from '../../../platform/commands/decisions.js';
import { type UsersState, users } from '../domain/users.state.js';

export const usersStream: CommandStream<UsersState, UserEvent | AccountLinkEvent> = {
  stream: USERS_STREAM,
  decider: users,
  expects: 'any',
  waitsFor: { documents: [clientEvents, accountLinks], also: 'organization' },
};
