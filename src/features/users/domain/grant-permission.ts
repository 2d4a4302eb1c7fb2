import type { PermissionGranted, PermissionRevoked } from '../../../events/users/users.events.js';
import type { SpecialPermission } from '../../../events/users/users.settings.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import type { UsersState } from './users.state.js';

/** Grants a permission that no role has. Only the server's operator can grant it. */
export class GrantPermission extends Command<{ permission: SpecialPermission; userId: number }, boolean> {}

export class RevokePermission extends Command<{ permission: SpecialPermission; userId: number }, boolean> {}

export const decideGrantPermission: Decide<GrantPermission, UsersState, PermissionGranted> = (
  { permission, userId },
  state,
) => {
  const account = state.byId.get(userId);
  if (account?.status !== 'active') refuse('USER_NOT_FOUND');
  if (account.specialPermissions.includes(permission)) return [];
  return [{ type: 'PermissionGranted', data: { userId, permission } }];
};

/** Accepts deactivated accounts, too: they may be reactivated. */
export const decideRevokePermission: Decide<RevokePermission, UsersState, PermissionRevoked> = (
  { permission, userId },
  state,
) => {
  const account = state.byId.get(userId) ?? refuse('USER_NOT_FOUND');
  if (!account.specialPermissions.includes(permission)) return [];
  return [{ type: 'PermissionRevoked', data: { userId, permission } }];
};
