import type { UserGroupRecord } from '../../src/directory/directory.records.js';
import type { Recorded } from '../../src/kernel/event.js';
import type { UserGroupEvent } from '../../src/user-groups/domain/user-groups.events.js';
import type { Audience, ClientEventDocument, ToldKind, UserGroupPayload } from '../client-events.documents.js';
import type { OwnDocuments } from '../projection.js';
import type { TellingRules } from './directory-rules.js';
import { EVERYONE, entry, told } from './entries.js';
import { activeOnly, toldValue } from './told-values.js';

/** Clients without it know of no deactivated group: they are told that it goes, then nothing, then that it is there. */
const CAPABILITY = 'include_deactivated_groups';

export const userGroupTelling: TellingRules<UserGroupEvent> = {
  UserGroupCreated: (event, after) => {
    const group = payloadOf(after('userGroups', event.data.groupId));
    return [entry(event, 'user_group/add', EVERYONE, { group, toldBefore: null })];
  },
  UserGroupRenamed: (event, _after, documents) => updated(event, { name: event.data.to }, documents),
  UserGroupDescriptionChanged: (event, _after, documents) => updated(event, { description: event.data.to }, documents),
  UserGroupPermissionChanged: async (event, _after, documents) =>
    updated(event, { [event.data.setting]: await toldValue(event.data.to, documents) }, documents),
  UserGroupDeactivated: (event) => {
    const { groupId: group_id } = event.data;
    const without = { capability: CAPABILITY, instead: { kind: 'user_group/remove', body: { group_id } } } as const;
    return [told(event, 'user_group/update', EVERYONE, { group_id, data: { deactivated: true } }, { without })];
  },
  UserGroupReactivated: (event, after) => {
    const { groupId: group_id } = event.data;
    const group = payloadOf(after('userGroups', group_id));
    const without = { capability: CAPABILITY, instead: null };
    return [
      entry(event, 'user_group/add', EVERYONE, { group, toldBefore: CAPABILITY }),
      told(event, 'user_group/update', EVERYONE, { group_id, data: { deactivated: false } }, { without }),
    ];
  },
  UserGroupMembersAdded: async (event, _after, documents) => {
    const userIds = await activeOnly(event.data.userIds, documents);
    if (userIds.length === 0) return [];
    const told = await ofGroup(event, 'user_group/add_members', { user_ids: userIds }, documents);
    return [...told, ...comeToSee(event, { userIds })];
  },
  UserGroupMembersRemoved: async (event, _after, documents) => {
    const { userIds } = event.data;
    const told = await ofGroup(event, 'user_group/remove_members', { user_ids: userIds }, documents);
    return [...told, entry(event, 'stream/lost', { userIds }, {})];
  },
  UserGroupSubgroupsAdded: async (event, _after, documents) => {
    const { subgroupIds } = event.data;
    const body = { direct_subgroup_ids: subgroupIds };
    const told = await ofGroup(event, 'user_group/add_subgroups', body, documents);
    return [...told, ...comeToSee(event, { groups: subgroupIds })];
  },
  UserGroupSubgroupsRemoved: async (event, _after, documents) => {
    const { subgroupIds } = event.data;
    const body = { direct_subgroup_ids: subgroupIds };
    const told = await ofGroup(event, 'user_group/remove_subgroups', body, documents);
    return [...told, entry(event, 'stream/lost', { groups: subgroupIds }, {})];
  },
};

const updated = (
  event: Recorded<UserGroupEvent>,
  data: object,
  documents: OwnDocuments,
): Promise<readonly ClientEventDocument[]> => ofGroup(event, 'user_group/update', { data }, documents);

/** Channels may be seen by those in a group: who is in it now, through any number of groups, may see more of them. */
const comeToSee = (event: Recorded<UserGroupEvent>, audience: Audience): readonly ClientEventDocument[] => [
  entry(event, 'stream/gained', audience, {}),
  entry(event, 'subscription/gained', audience, {}),
];

/** Of a group that stays as active as it was. */
async function ofGroup(
  event: Recorded<UserGroupEvent>,
  kind: ToldKind,
  body: object,
  documents: OwnDocuments,
): Promise<readonly ClientEventDocument[]> {
  const { groupId: group_id } = event.data;
  const group = await documents.collection<UserGroupRecord>('userGroups').findOne({ _id: group_id });
  return [told(event, kind, EVERYONE, { group_id, ...body }, group?.isDeactivated ? ONLY_WITH_CAPABILITY : {})];
}

export const ONLY_WITH_CAPABILITY = { without: { capability: CAPABILITY, instead: null } } as const;

function payloadOf(record: UserGroupRecord): UserGroupPayload {
  const { nameKey: _key, position: _position, subgroupIntervals, ...facts } = record;
  const held = subgroupIntervals.filter(({ to }) => to === null);
  return { ...facts, subgroupIds: held.map(({ groupId }) => groupId).sort((a, b) => a - b) };
}
