import { CommandRunner } from '../command-runner/command-runner.js';
import type { EngineSettings } from '../config/engine-settings.js';
import type { Engines } from '../config/engines.js';
import { EventCodec } from '../event-codec/event-codec.js';
import type { CommandContext } from '../kernel/command-context.js';
import { newEventId } from '../kernel/new-event-id.js';
import {
  decideGrantPermission,
  decideRevokePermission,
  GrantPermission,
  RevokePermission,
} from '../users/domain/grant-permission.js';
import { USERS_STREAM } from '../users/domain/users.events.js';
import type { SpecialPermission } from '../users/domain/users.settings.js';
import { users } from '../users/domain/users.state.js';
import { OrganizationIdentity } from './organization-identity.js';

/** What an operator asks for. */
export interface PermissionChange {
  readonly permission: SpecialPermission;
  /** Id or address. */
  readonly user: string;
  readonly isGranted: boolean;
}

/** As the server itself: nobody who has an account may do it. */
export function permissionCommand({
  permission,
  user,
  isGranted,
}: PermissionChange): GrantPermission | RevokePermission {
  const by: CommandContext = { actorId: null, client: 'annals', correlationId: newEventId() };
  const named = /^\d+$/.test(user) ? Number(user) : user;
  return isGranted ? new GrantPermission(permission, named, by) : new RevokePermission(permission, named, by);
}

/**
 * Where no server runs that could be asked, or many do: they follow the log.
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
  const runner = new CommandRunner(eventStore, contentKeys, new EventCodec(contentKeys));
  const command = permissionCommand(change);
  const on = { stream: USERS_STREAM, decider: users, context: undefined, by: command.by };
  const { events } =
    command instanceof GrantPermission
      ? await runner.decide({ ...on, command, decide: decideGrantPermission })
      : await runner.decide({ ...on, command, decide: decideRevokePermission });
  return events.length > 0;
}
