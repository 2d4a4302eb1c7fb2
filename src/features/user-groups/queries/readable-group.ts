import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { requireMember } from '../../../directory/permissions.js';
import { type GroupSettingValue, isSystemGroupId } from '../../../events/shared/group-setting.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { anonymousGroupName } from '../domain/anonymous-groups.js';

/**
 * Finds a group by its id: the id itself, or the value of a permission. Refuses readers without access to groups, and groups
 * that do not exist. System and deactivated groups are readable.
 */
export function readableGroup(reader: UserRecord, groupId: number, directory: Directory): GroupSettingValue {
  requireMember(reader);
  if (isSystemGroupId(groupId) || directory.groups.group(groupId)) return groupId;
  const name = anonymousGroupName(groupId);
  const value = name && directory.groups.group(name.groupId)?.permissions[name.permission];
  return value && typeof value !== 'number' ? value : refuse('USER_GROUP_NOT_FOUND');
}
