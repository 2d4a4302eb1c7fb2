import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import { changedGroupSetting, type GroupFacts, type GroupSettingUpdate } from '../../kernel/group-setting-rules.js';
import { type AccountFacts, changeableGroup, settingFacts, usableDescription, usableName } from './user-group-rules.js';
import type {
  UserGroupDescriptionChanged,
  UserGroupPermissionChanged,
  UserGroupReactivated,
  UserGroupRenamed,
} from './user-groups.events.js';
import { USER_GROUP_PERMISSIONS, type UserGroupPermission } from './user-groups.settings.js';
import type { UserGroup, UserGroupsState } from './user-groups.state.js';

/** What is absent stays as it is. */
export interface UserGroupChanges {
  readonly name?: string;
  readonly description?: string;
  /** false reactivates; true says nothing: deactivating has a command of its own. */
  readonly deactivated?: boolean;
  readonly permissions: Partial<Readonly<Record<UserGroupPermission, GroupSettingUpdate>>>;
}

export class UpdateUserGroup {
  constructor(
    readonly groupId: number,
    readonly changes: UserGroupChanges,
    readonly by: CommandContext,
  ) {}
}

export interface UpdateUserGroupFacts extends AccountFacts {
  readonly mayManage: boolean;
}

type Changed = UserGroupReactivated | UserGroupRenamed | UserGroupDescriptionChanged | UserGroupPermissionChanged;

/** Deactivated groups are changed like others (published description, update-user-group). */
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
  const permissions = permissionsChanged(group, changes, settingFacts(state, facts));

  const events: Changed[] = [];
  if (changes.deactivated === false && group.status === 'deactivated')
    events.push({ type: 'UserGroupReactivated', data: { groupId } });
  if (name !== group.name) events.push({ type: 'UserGroupRenamed', data: { groupId, from: group.name, to: name } });
  if (description !== group.description)
    events.push({
      type: 'UserGroupDescriptionChanged',
      data: { groupId, from: group.description, to: description },
    });
  return [...events, ...permissions];
};

const saysNothing = ({ permissions, ...others }: UserGroupChanges): boolean =>
  Object.keys(permissions).length === 0 && Object.values(others).every((value) => value === undefined);

function permissionsChanged(
  { id, permissions }: UserGroup,
  changes: UserGroupChanges,
  facts: GroupFacts,
): UserGroupPermissionChanged[] {
  const updates = Object.entries(changes.permissions) as [UserGroupPermission, GroupSettingUpdate][];
  return updates.flatMap(([setting, update]) => {
    const from = permissions[setting];
    const to = changedGroupSetting(setting, USER_GROUP_PERMISSIONS[setting], from, update, facts);
    return to === null ? [] : [{ type: 'UserGroupPermissionChanged', data: { groupId: id, setting, from, to } }];
  });
}
