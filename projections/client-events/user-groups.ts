import type { UserGroupRecord } from '../../src/directory/directory.records.js';
import type { GroupSettingValue } from '../../src/events/shared/group-setting.js';
import type { UserGroupEvent } from '../../src/events/user-groups/user-groups.events.js';
import type { UserGroupPermission } from '../../src/events/user-groups/user-groups.settings.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import type { OwnDocuments } from '../../src/platform/read-models/projection.js';
import { channelsAppear, channelsDisappear } from './channels.js';
import { clientEvent, EVERYONE, type StaticEventKind, staticClientEvent } from './client-event.js';
import type { Audience, ClientEventDocument } from './client-events.documents.js';
import type { ClientEventRules } from './directory-rules.js';
import { subscribersAppear } from './subscriptions.js';
import { activeOnly, valueForClients } from './values-for-clients.js';

/** Clients without this capability are told that a deactivated group is removed. */
const CAPABILITY = 'include_deactivated_groups';

/** A group's own facts at the event. The directory's intervals tell its members. */
interface UserGroupPayload extends Omit<UserGroupRecord, 'nameKey' | 'position' | 'subgroupIntervals'> {
  /** Ids of direct subgroups, ascending. */
  readonly subgroupIds: readonly number[];
}

type UserGroupChange =
  | { readonly name: string }
  | { readonly description: string }
  | { readonly deactivated: boolean }
  | Readonly<Partial<Record<UserGroupPermission, GroupSettingValue>>>;

interface OfGroup {
  readonly group_id: number;
}

interface Members extends OfGroup {
  readonly user_ids: readonly number[];
}

interface Subgroups extends OfGroup {
  readonly direct_subgroup_ids: readonly number[];
}

export const userGroupAdd = clientEvent<{
  readonly group: UserGroupPayload;
  /** Clients with this capability know the group already. null if the group is new to all clients. */
  readonly toldBefore: string | null;
}>()({ kind: 'user_group/add', rank: 1024 });

export const userGroupRemove = staticClientEvent<OfGroup>()({ kind: 'user_group/remove', rank: 1024 });

export const userGroupUpdate = staticClientEvent<OfGroup & { readonly data: UserGroupChange }>()({
  kind: 'user_group/update',
  rank: 1152,
});

export const userGroupAddSubgroups = staticClientEvent<Subgroups>()({ kind: 'user_group/add_subgroups', rank: 1536 });

export const userGroupRemoveSubgroups = staticClientEvent<Subgroups>()({
  kind: 'user_group/remove_subgroups',
  rank: 1536,
});

export const userGroupRemoveMembers = staticClientEvent<Members>()({ kind: 'user_group/remove_members', rank: 1792 });

export const userGroupAddMembers = staticClientEvent<Members>()({ kind: 'user_group/add_members', rank: 3136 });

export const userGroupRules: ClientEventRules<UserGroupEvent> = {
  UserGroupCreated: (event, after) => {
    const group = payloadOf(after('userGroups', event.data.groupId));
    return [userGroupAdd.of(event, EVERYONE, { group, toldBefore: null })];
  },
  UserGroupRenamed: (event, _after, documents) => updated(event, { name: event.data.to }, documents),
  UserGroupDescriptionChanged: (event, _after, documents) => updated(event, { description: event.data.to }, documents),
  UserGroupPermissionChanged: async (event, _after, documents) =>
    updated(event, { [event.data.setting]: await valueForClients(event.data.to, documents) }, documents),
  UserGroupDeactivated: (event) => {
    const { groupId: group_id } = event.data;
    const without = { capability: CAPABILITY, instead: userGroupRemove.instead({ group_id }) };
    return [userGroupUpdate.of(event, EVERYONE, { group_id, data: { deactivated: true } }, { without })];
  },
  UserGroupReactivated: (event, after) => {
    const { groupId: group_id } = event.data;
    const group = payloadOf(after('userGroups', group_id));
    const without = { capability: CAPABILITY, instead: null };
    return [
      userGroupAdd.of(event, EVERYONE, { group, toldBefore: CAPABILITY }),
      userGroupUpdate.of(event, EVERYONE, { group_id, data: { deactivated: false } }, { without }),
    ];
  },
  UserGroupMembersAdded: async (event, _after, documents) => {
    const userIds = await activeOnly(event.data.userIds, documents);
    if (userIds.length === 0) return [];
    const added = await ofGroup(userGroupAddMembers, event, { user_ids: userIds }, documents);
    return [added, ...comeToSee(event, { userIds })];
  },
  UserGroupMembersRemoved: async (event, _after, documents) => {
    const { userIds } = event.data;
    const removed = await ofGroup(userGroupRemoveMembers, event, { user_ids: userIds }, documents);
    return [removed, channelsDisappear.of(event, { userIds }, {})];
  },
  UserGroupSubgroupsAdded: async (event, _after, documents) => {
    const { subgroupIds } = event.data;
    const added = await ofGroup(userGroupAddSubgroups, event, { direct_subgroup_ids: subgroupIds }, documents);
    return [added, ...comeToSee(event, { groups: subgroupIds })];
  },
  UserGroupSubgroupsRemoved: async (event, _after, documents) => {
    const { subgroupIds } = event.data;
    const removed = await ofGroup(userGroupRemoveSubgroups, event, { direct_subgroup_ids: subgroupIds }, documents);
    return [removed, channelsDisappear.of(event, { groups: subgroupIds }, {})];
  },
};

const updated = async (
  event: Recorded<UserGroupEvent>,
  data: UserGroupChange,
  documents: OwnDocuments,
): Promise<readonly ClientEventDocument[]> => [await ofGroup(userGroupUpdate, event, { data }, documents)];

/** Tells new members about the channels that they may see as members of the group. */
const comeToSee = (event: Recorded<UserGroupEvent>, audience: Audience): readonly ClientEventDocument[] => [
  channelsAppear.of(event, audience, {}),
  subscribersAppear.of(event, audience, {}),
];

/** Makes a client event about a group, for clients that know the group. */
async function ofGroup<Body extends OfGroup>(
  kind: Pick<StaticEventKind<Body, string>, 'of'>,
  event: Recorded<UserGroupEvent>,
  body: Omit<Body, 'group_id'>,
  documents: OwnDocuments,
): Promise<ClientEventDocument> {
  const { groupId: group_id } = event.data;
  const group = await documents.collection<UserGroupRecord>('userGroups').findOne({ _id: group_id });
  return kind.of(event, EVERYONE, { group_id, ...body } as Body, group?.isDeactivated ? ONLY_WITH_CAPABILITY : {});
}

export const ONLY_WITH_CAPABILITY = { without: { capability: CAPABILITY, instead: null } } as const;

function payloadOf(record: UserGroupRecord): UserGroupPayload {
  const { nameKey: _key, position: _position, subgroupIntervals, ...facts } = record;
  const held = subgroupIntervals.filter(({ to }) => to === null);
  return { ...facts, subgroupIds: held.map(({ groupId }) => groupId).sort((a, b) => a - b) };
}
