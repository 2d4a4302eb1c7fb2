import { seersOf } from '../../src/directory/channel-sight.js';
import type {
  MembershipRecord,
  OrganizationRecord,
  UserGroupRecord,
  UserRecord,
} from '../../src/directory/directory.records.js';
import type { Recorded } from '../../src/kernel/event.js';
import type { GroupSettingValue } from '../../src/kernel/group-setting.js';
import { REALM_PERMISSIONS } from '../../src/organization/domain/realm.settings.js';
import type { UserReactivated } from '../../src/users/domain/users.events.js';
import type { ClientEventDocument, FeedChannel } from '../client-events.documents.js';
import type { OwnDocuments } from '../projection.js';
import { EVERYONE, told } from './entries.js';
import { forThoseWhoKnow } from './subscriptions.js';
import { joinedSystemGroups } from './system-groups.js';
import { toldValue } from './told-values.js';
import { ONLY_WITH_CAPABILITY } from './user-groups.js';

/** Room for ids under one event. Of who is in more groups, or named by more, the rest is told with the next registration. */
const MOST = { groups: 900, groupSettings: 400, channelSettings: 400 } as const;
/** Behind what is told of the account and of its subscriptions. */
const BEHIND_THE_ACCOUNT = 64;

/**
 * An account that is there again is in its groups again, and in the permissions that name it. When it went, clients took
 * it out of both by themselves.
 */
export async function memberAgain(
  event: Recorded<UserReactivated>,
  user: Pick<UserRecord, '_id' | 'role' | 'createdAt'>,
  documents: OwnDocuments,
): Promise<readonly ClientEventDocument[]> {
  const systemGroups = await joinedSystemGroups(event, user, documents);
  return [
    ...systemGroups,
    ...(await inGroups(event, systemGroups.length, documents)),
    ...(await inGroupSettings(event, documents)),
    ...(await inChannelSettings(event, documents)),
    ...(await inRealmSettings(event, documents)),
  ];
}

async function inGroups(
  event: Recorded<UserReactivated>,
  before: number,
  documents: OwnDocuments,
): Promise<ClientEventDocument[]> {
  const { userId } = event.data;
  const all = await documents.collection<MembershipRecord>('memberships').find({ userId }, { sort: { _id: 1 } });
  const groupIds = all.flatMap(({ groupId, intervals }) => (intervals.at(-1)?.to === null ? [groupId] : []));
  const groups = await documents.collection<UserGroupRecord>('userGroups').find({ _id: { $in: groupIds } });
  return [...groups]
    .sort((a, b) => a._id - b._id)
    .slice(0, MOST.groups)
    .map(({ _id: group_id, isDeactivated }, index) => {
      const more = { nth: before + index, ...(isDeactivated ? ONLY_WITH_CAPABILITY : {}) };
      return told(event, 'user_group/add_members', EVERYONE, { group_id, user_ids: [userId] }, more);
    });
}

async function inGroupSettings(
  event: Recorded<UserReactivated>,
  documents: OwnDocuments,
): Promise<ClientEventDocument[]> {
  const groups = await documents
    .collection<UserGroupRecord>('userGroups')
    .find({ _id: { $gt: 0 } }, { sort: { _id: 1 } });
  const entries: ClientEventDocument[] = [];
  for (const { _id: group_id, permissions, isDeactivated } of groups) {
    const data = await settingsNaming(event.data.userId, permissions, documents);
    if (Object.keys(data).length === 0) continue;
    const more = { nth: entries.length, ...(isDeactivated ? ONLY_WITH_CAPABILITY : {}) };
    entries.push(told(event, 'user_group/update', EVERYONE, { group_id, data }, more));
  }
  return entries.slice(0, MOST.groupSettings);
}

async function inChannelSettings(
  event: Recorded<UserReactivated>,
  documents: OwnDocuments,
): Promise<ClientEventDocument[]> {
  const channels = await documents.collection<FeedChannel>('channels').find({ _id: { $gt: 0 } }, { sort: { _id: 1 } });
  const entries: ClientEventDocument[] = [];
  for (const channel of channels) {
    const { _id: stream_id, name, permissions } = channel;
    const audience = { ...seersOf(channel), subscribersOf: stream_id };
    const settings = await settingsNaming(event.data.userId, permissions, documents);
    for (const [property, value] of Object.entries(settings)) {
      const body = { stream_id, name, property, value };
      const more = { nth: BEHIND_THE_ACCOUNT + entries.length, ...forThoseWhoKnow(channel) };
      entries.push(told(event, 'stream/update', audience, body, more));
    }
  }
  return entries.slice(0, MOST.channelSettings);
}

async function inRealmSettings(
  event: Recorded<UserReactivated>,
  documents: OwnDocuments,
): Promise<ClientEventDocument[]> {
  const organization = await documents.collection<OrganizationRecord>('organization').findOne({ _id: 'organization' });
  const chosen = Object.entries(organization?.settings ?? {}).filter(([name]) => name in REALM_PERMISSIONS);
  const data = await settingsNaming(
    event.data.userId,
    Object.fromEntries(chosen) as Record<string, GroupSettingValue>,
    documents,
  );
  if (Object.keys(data).length === 0) return [];
  const body = { property: 'default', data };
  return [told(event, 'realm/update_dict', EVERYONE, body, { nth: BEHIND_THE_ACCOUNT })];
}

/** Those that name the user, as clients are told of them now. */
async function settingsNaming(
  userId: number,
  values: Readonly<Record<string, GroupSettingValue>>,
  documents: OwnDocuments,
): Promise<Record<string, GroupSettingValue>> {
  const told: Record<string, GroupSettingValue> = {};
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'number' || !value.direct_members.includes(userId)) continue;
    told[name] = await toldValue(value, documents, userId);
  }
  return told;
}
