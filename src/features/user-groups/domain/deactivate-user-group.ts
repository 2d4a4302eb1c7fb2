import { groupsOf } from '../../../events/shared/group-setting.js';
import type { UserGroupDeactivated } from '../../../events/user-groups/user-groups.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { changeableGroup } from './user-group-rules.js';
import type { UserGroupsState } from './user-groups.state.js';

export class DeactivateUserGroup extends Command<{ groupId: number }> {}

/** Permission settings outside this stream that name the group. */
export interface SettingsNaming {
  readonly realm: readonly string[];
  /** Settings of channels that are not archived. */
  readonly channels: readonly { readonly channelId: number; readonly settings: readonly string[] }[];
}

export interface DeactivateUserGroupFacts {
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
