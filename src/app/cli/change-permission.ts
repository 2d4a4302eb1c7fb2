import { USERS_STREAM } from '../../events/users/users.events.js';
import type { SpecialPermission } from '../../events/users/users.settings.js';
import {
  decideGrantPermission,
  decideRevokePermission,
  GrantPermission,
  RevokePermission,
} from '../../features/users/domain/grant-permission.js';
import { users } from '../../features/users/domain/users.state.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import type { EngineSettings } from '../../platform/engines/engine-settings.js';
import type { Engines } from '../../platform/engines/engines.js';
import type { CommandContext } from '../../platform/kernel/deciding.js';
import { OrganizationIdentity } from '../roles/organization-identity.js';
import { openCodec } from '../roles/skipped-events.js';

/** A change of a special permission, as an operator types it. */
export interface PermissionChange {
  readonly permission: SpecialPermission;
  /** Id or address of the user. */
  readonly user: string;
  readonly isGranted: boolean;
  /** Correlation id of all events of the command. */
  readonly requestId: string;
}

/** Makes the command. The server itself gives it: no account may change special permissions. */
export function permissionCommand({
  permission,
  user,
  isGranted,
  requestId,
}: PermissionChange): GrantPermission | RevokePermission {
  const by: CommandContext = { actorId: null, client: 'annals', correlationId: requestId };
  const named = /^\d+$/.test(user) ? Number(user) : user;
  return isGranted
    ? new GrantPermission({ permission, user: named, by })
    : new RevokePermission({ permission, user: named, by });
}

/**
 * Appends the change to the log: for a log with no running server, or with several, which follow it.
 * @returns whether anything changed
 * @throws DomainError USER_NOT_FOUND
 */
export async function changePermissionInLog(
  engines: Engines,
  settings: EngineSettings,
  change: PermissionChange,
): Promise<boolean> {
  await new OrganizationIdentity(engines, settings).check();
  const { eventStore, contentKeys } = engines;
  const runner = new CommandRunner(eventStore, contentKeys, await openCodec({ eventStore, contentKeys }));
  const command = permissionCommand(change);
  const on = { stream: USERS_STREAM, decider: users, expects: 'any' as const, context: undefined, by: command.by };
  const { events } =
    command instanceof GrantPermission
      ? await runner.decide({ ...on, command, decide: decideGrantPermission })
      : await runner.decide({ ...on, command, decide: decideRevokePermission });
  return events.length > 0;
}
