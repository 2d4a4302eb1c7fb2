import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { may, type UserGroupAction } from '../../../directory/permissions.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';

/** Finds the actor's current record; null for the server itself. */
export function actorOf({ actorId }: CommandContext, directory: Directory): UserRecord | null {
  if (actorId === null) return null;
  const actor = directory.user(actorId);
  if (!actor) throw new Error(`user ${actorId} acts, and does not exist`);
  return actor;
}

/** Gives the actor's rights on a group. Nobody has rights on a missing group or a system group. */
export function groupPermissions(
  groupId: number,
  by: CommandContext,
  directory: Directory,
): (action: UserGroupAction) => boolean {
  const actor = actorOf(by, directory);
  const group = directory.groups.group(groupId);
  return (to) => group !== undefined && may(actor, { group, to }, directory);
}
