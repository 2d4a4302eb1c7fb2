import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { requireMember } from '../../../directory/permissions.js';
import { isSystemGroupId } from '../../../events/shared/group-setting.js';
import { refuse } from '../../../platform/kernel/domain-error.js';

/** Refuses readers without access to groups, and groups that do not exist. System and deactivated groups are readable. */
export function requireReadableGroup(reader: UserRecord, groupId: number, directory: Directory): void {
  requireMember(reader);
  if (!isSystemGroupId(groupId) && !directory.groups.group(groupId)) refuse('USER_GROUP_NOT_FOUND');
}
