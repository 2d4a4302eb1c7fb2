import type { GroupSettingUpdate } from '../../../events/shared/group-setting.js';
import { changedGroupSetting, type GroupFacts } from '../../../events/shared/group-setting-rules.js';
import type {
  UserGroupDescriptionChanged,
  UserGroupPermissionChanged,
  UserGroupReactivated,
  UserGroupRenamed,
} from '../../../events/user-groups/user-groups.events.js';
import { USER_GROUP_PERMISSIONS, type UserGroupPermission } from '../../../events/user-groups/user-groups.settings.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { anonymousGroupId } from './anonymous-groups.js';
import { type AccountFacts, changeableGroup, settingFacts, usableDescription, usableName } from './user-group-rules.js';
import type { UserGroup, UserGroupsState } from './user-groups.state.js';

/** Absent fields stay unchanged. */
export interface UserGroupChanges {
  readonly name?: string;
  readonly description?: string;
  /** false reactivates the group. true has no effect, because deactivation has its own command. */
  readonly deactivated?: boolean;
  readonly permissions: Partial<Readonly<Record<UserGroupPermission, GroupSettingUpdate>>>;
}

export class UpdateUserGroup extends Command<{ groupId: number; changes: UserGroupChanges }> {}

export interface UpdateUserGroupFacts extends AccountFacts {
  readonly mayManage: boolean;
}

type Changed = UserGroupReactivated | UserGroupRenamed | UserGroupDescriptionChanged | UserGroupPermissionChanged;

/** Deactivated groups can be changed, too (published description, update-user-group). */
export const decideUpdateUserGroup: Decide<UpdateUserGroup, UserGroupsState, Changed, UpdateUserGroupFacts> = (
  { groupId, changes },
  state,
  facts,
) => {
  if (saysNothing(changes)) refuse('NO_GROUP_CHANGES');
  const group = changeableGroup(state, groupId);
  if (!facts.mayManage) refuse('NOT_AUTHORIZED');
  const name = changes.name === undefined ? group.name : usableName(changes.name, state, groupId);
  const description = usableDescription(changes.description ?? group.description);
  return [
    ...reactivated(group, changes),
    ...renamed(group, name),
    ...descriptionChanged(group, description),
    ...permissionsChanged(group, changes, settingFacts(state, facts)),
  ];
};

const saysNothing = ({ permissions, ...others }: UserGroupChanges): boolean =>
  Object.keys(permissions).length === 0 && Object.values(others).every((value) => value === undefined);

function reactivated({ id, status }: UserGroup, { deactivated }: UserGroupChanges): UserGroupReactivated[] {
  if (deactivated !== false || status === 'active') return [];
  return [{ type: 'UserGroupReactivated', data: { groupId: id } }];
}

function renamed({ id, name: from }: UserGroup, to: string): UserGroupRenamed[] {
  if (to === from) return [];
  return [{ type: 'UserGroupRenamed', data: { groupId: id, from, to } }];
}

function descriptionChanged({ id, description: from }: UserGroup, to: string): UserGroupDescriptionChanged[] {
  if (to === from) return [];
  return [{ type: 'UserGroupDescriptionChanged', data: { groupId: id, from, to } }];
}

function permissionsChanged(
  { id, permissions }: UserGroup,
  changes: UserGroupChanges,
  facts: GroupFacts,
): UserGroupPermissionChanged[] {
  const updates = Object.entries(changes.permissions) as [UserGroupPermission, GroupSettingUpdate][];
  return updates.flatMap(([setting, update]) => {
    const from = permissions[setting];
    const ownId = anonymousGroupId({ groupId: id, permission: setting });
    const to = changedGroupSetting(setting, USER_GROUP_PERMISSIONS[setting], from, update, facts, ownId);
    if (to === null) return [];
    return [{ type: 'UserGroupPermissionChanged', data: { groupId: id, setting, from, to } }];
  });
}
