import type { PermissionGranted, PermissionRevoked } from '../../../events/users/users.events.js';
import type { SpecialPermission } from '../../../events/users/users.settings.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { foldCase } from '../../../platform/kernel/fold-case.js';
import type { UsersState } from './users.state.js';

/** Grants a permission that no role has. Only the server's operator can grant it. */
export class GrantPermission extends Command<
  {
    permission: SpecialPermission;
    /** The account's id, or its address in any case. */
    user: number | string;
  },
  boolean
> {}

export class RevokePermission extends Command<{ permission: SpecialPermission; user: number | string }, boolean> {}

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

/** Accepts deactivated accounts, too: they may be reactivated. */
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
  typeof user === 'number' ? user : state.idByEmail.get(foldCase(user));
