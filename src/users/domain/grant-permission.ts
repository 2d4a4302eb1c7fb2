import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import { fold } from '../../kernel/fold.js';
import type { PermissionGranted, PermissionRevoked } from './users.events.js';
import type { SpecialPermission } from './users.settings.js';
import type { UsersState } from './users.state.js';

/** Gives what no role brings; only whoever runs the server can. */
export class GrantPermission {
  constructor(
    readonly permission: SpecialPermission,
    /** The account's id, or its address in any case. */
    readonly user: number | string,
    readonly by: CommandContext,
  ) {}
}

export class RevokePermission {
  constructor(
    readonly permission: SpecialPermission,
    readonly user: number | string,
    readonly by: CommandContext,
  ) {}
}

export const decideGrantPermission: Decide<GrantPermission, UsersState, PermissionGranted> = (
  { permission, user },
  state,
) => {
  const userId = idOf(user, state);
  const account = userId === undefined ? undefined : state.byId.get(userId);
  if (userId === undefined || account?.status !== 'active') refuse('USER_NOT_FOUND');
  if (account.specialPermissions.includes(permission)) return [];
  return [{ type: 'PermissionGranted', data: { userId, permission } }];
};

/** Of deactivated accounts too: they may be reactivated. */
export const decideRevokePermission: Decide<RevokePermission, UsersState, PermissionRevoked> = (
  { permission, user },
  state,
) => {
  const userId = idOf(user, state);
  const account = userId === undefined ? undefined : state.byId.get(userId);
  if (userId === undefined || !account) refuse('USER_NOT_FOUND');
  if (!account.specialPermissions.includes(permission)) return [];
  return [{ type: 'PermissionRevoked', data: { userId, permission } }];
};

const idOf = (user: number | string, state: UsersState): number | undefined =>
  typeof user === 'number' ? user : state.idByEmail.get(fold(user));
