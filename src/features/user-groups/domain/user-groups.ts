import { type GroupSettingUpdate, groupsOf } from '../../../events/shared/group-setting.js';
import {
  changedGroupSetting,
  type GroupFacts,
  initialPermissions,
} from '../../../events/shared/group-setting-rules.js';
import type {
  UserGroupCreated,
  UserGroupDeactivated,
  UserGroupDescriptionChanged,
  UserGroupPermissionChanged,
  UserGroupReactivated,
  UserGroupRenamed,
} from '../../../events/user-groups/user-groups.events.js';
import {
  USER_GROUP_PERMISSIONS,
  type UserGroupPermission,
  type UserGroupPermissions,
} from '../../../events/user-groups/user-groups.settings.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import {
  type AccountFacts,
  activeGroups,
  activeUsers,
  anonymousGroupId,
  changeableGroup,
  settingFacts,
  type UserGroup,
  type UserGroupsState,
  usableDescription,
  usableName,
} from './user-groups.state.js';

/** Creates a group. The creator may add all users and groups: the new group's permissions do not apply yet. */
export class CreateUserGroup extends Command<
  {
    group: {
      readonly name: string;
      readonly description: string;
      readonly memberIds: readonly number[];
      readonly subgroupIds: readonly number[];
      /** The permissions that the creator chose. */
      readonly permissions: Partial<UserGroupPermissions>;
    };
  },
  number
> {}

interface CreateUserGroupFacts extends AccountFacts {
  readonly mayCreate: boolean;
}

export const decideCreateUserGroup: Decide<CreateUserGroup, UserGroupsState, UserGroupCreated, CreateUserGroupFacts> = (
  { group, by },
  state,
  facts,
) => {
  if (!facts.mayCreate) refuse('NOT_AUTHORIZED');
  const groupId = state.lastId + 1;
  const name = usableName(group.name, state, groupId);
  const description = usableDescription(group.description);
  const memberIds = activeUsers(group.memberIds, facts);
  const subgroupIds = activeGroups(group.subgroupIds, state);
  return [
    {
      type: 'UserGroupCreated',
      data: {
        groupId,
        name,
        description,
        creatorId: by.actorId,
        memberIds,
        subgroupIds,
        permissions: initialPermissions(
          USER_GROUP_PERMISSIONS,
          group.permissions,
          by.actorId,
          settingFacts(state, facts),
        ),
      },
    },
  ];
};

/** Absent fields stay unchanged. */
export interface UserGroupChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** false reactivates the group. true has no effect, because deactivation has its own command. */
  readonly deactivated?: boolean | undefined;
  readonly permissions: Partial<Readonly<Record<UserGroupPermission, GroupSettingUpdate>>>;
}

export class UpdateUserGroup extends Command<{ groupId: number; changes: UserGroupChanges }> {}

interface UpdateUserGroupFacts extends AccountFacts {
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

export class DeactivateUserGroup extends Command<{ groupId: number }> {}

/** Permission settings outside this stream that name the group. */
interface SettingsNaming {
  readonly realm: readonly string[];
  /** Settings of channels that are not archived. */
  readonly channels: readonly { readonly channelId: number; readonly settings: readonly string[] }[];
}

interface DeactivateUserGroupFacts {
  readonly mayManage: boolean;
  readonly named: SettingsNaming;
}

/** A use of the group, in the published form. */
type Objection =
  | { readonly type: 'subgroup'; readonly supergroup_ids: readonly number[] }
  | { readonly type: 'channel'; readonly channel_id: number; readonly settings: readonly string[] }
  | { readonly type: 'user_group'; readonly group_id: number; readonly settings: readonly string[] }
  | { readonly type: 'realm'; readonly settings: readonly string[] };

export const decideDeactivateUserGroup: Decide<
  DeactivateUserGroup,
  UserGroupsState,
  UserGroupDeactivated,
  DeactivateUserGroupFacts
> = ({ groupId }, state, { mayManage, named }) => {
  const group = changeableGroup(state, groupId);
  if (!mayManage) refuse('NOT_AUTHORIZED');
  if (group.status === 'deactivated') refuse('USER_GROUP_DEACTIVATED');
  refuseWhere([...fromGroups(groupId, state), ...fromElsewhere(named)]);
  return [{ type: 'UserGroupDeactivated', data: { groupId } }];
};

/** Checks the uses in other streams again after the append: they may have changed since the first check. */
export const requireUnnamed = (named: SettingsNaming): void => refuseWhere(fromElsewhere(named));

function refuseWhere(objections: readonly Objection[]): void {
  if (objections.length > 0) refuse('CANNOT_DEACTIVATE_GROUP_IN_USE', { objections });
}

/** Lists uses in other active groups. The group's own settings end with the group. */
function fromGroups(groupId: number, state: UserGroupsState): Objection[] {
  const others = [...state.byId.values()]
    .filter(({ id, status }) => id !== groupId && status === 'active')
    .sort((a, b) => a.id - b.id);
  const supergroups = others.filter(({ subgroupIds }) => subgroupIds.has(groupId));
  const asSubgroup: Objection[] =
    supergroups.length > 0 ? [{ type: 'subgroup', supergroup_ids: supergroups.map(({ id }) => id) }] : [];
  return [
    ...asSubgroup,
    ...others.flatMap(({ id, permissions }): Objection[] => {
      const settings = Object.entries(permissions).flatMap(([name, value]) =>
        groupsOf(value).includes(groupId) ? [name] : [],
      );
      return settings.length > 0 ? [{ type: 'user_group', group_id: id, settings }] : [];
    }),
  ];
}

const fromElsewhere = ({ realm, channels }: SettingsNaming): Objection[] => [
  ...channels.map(({ channelId, settings }): Objection => ({ type: 'channel', channel_id: channelId, settings })),
  ...(realm.length > 0 ? [{ type: 'realm', settings: realm } as const] : []),
];

/**
 * Reactivates groups that a permission names. Permissions of channels and of the organization are in other streams, so a
 * permission may name a group at the same moment at which the group is deactivated.
 */
export class ReturnNamedGroups extends Command<{ groupIds: readonly number[] }> {}

export const decideReturnNamedGroups: Decide<ReturnNamedGroups, UserGroupsState, UserGroupReactivated> = (
  { groupIds },
  state,
) =>
  groupIds
    .filter((groupId) => state.byId.get(groupId)?.status === 'deactivated')
    .map((groupId) => ({ type: 'UserGroupReactivated', data: { groupId } }));
