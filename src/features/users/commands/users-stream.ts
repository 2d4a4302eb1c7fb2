import { clientEvents } from '../../../../projections/client-events/client-events.projection.js';
import { USERS_STREAM, type UserEvent } from '../../../events/users/users.events.js';
import type { CommandStream } from '../../../platform/commands/decisions.js';
import { type UsersState, users } from '../domain/users.state.js';

export const usersStream: CommandStream<UsersState, UserEvent> = {
  stream: USERS_STREAM,
  decider: users,
  expects: 'any',
  waitsFor: { documents: [clientEvents], also: 'organization' },
};
