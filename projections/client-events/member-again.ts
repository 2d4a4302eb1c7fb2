import { seersOf } from '../../src/directory/channel-visibility.js';
import type {
  MembershipRecord,
  OrganizationRecord,
  UserGroupRecord,
  UserRecord,
} from '../../src/directory/directory.records.js';
import { isTold, REALM_PERMISSIONS, type RealmPermission } from '../../src/events/organization/realm.settings.js';
import type { GroupSettingValue } from '../../src/events/shared/group-setting.js';
import type { UserReactivated } from '../../src/events/users/users.events.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import type { OwnDocuments } from '../../src/platform/read-models/projection.js';
import { channelUpdate, forThoseWhoKnow } from './channels.js';
import { EVERYONE } from './client-event.js';
import type { ClientEventDocument } from './client-events.documents.js';
import { realmUpdateDict } from './organization.js';
import type { FeedChannel } from './records.js';
import { joinedSystemGroups } from './system-groups.js';
import { ONLY_WITH_CAPABILITY, userGroupAddMembers, userGroupUpdate } from './user-groups.js';
import { valueForClients } from './values-for-clients.js';

/** Maximum numbers of client events of one domain event. Clients learn of the rest when they register again. */
const MOST = { groups: 900, groupSettings: 400, channelSettings: 400 } as const;
/** First `nth` of the settings' events. Lower numbers belong to the events on the account and its subscriptions. */
const AFTER_ACCOUNT_EVENTS = 64;

/** Tells the groups and permissions of a reactivated account. Clients removed the account from both at its deactivation. */
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
      return userGroupAddMembers.of(event, EVERYONE, { group_id, user_ids: [userId] }, more);
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
    const settings = await settingsNaming(event.data.userId, permissions, documents);
    if (settings.length === 0) continue;
    const data = Object.fromEntries(settings);
    const more = { nth: entries.length, ...(isDeactivated ? ONLY_WITH_CAPABILITY : {}) };
    entries.push(userGroupUpdate.of(event, EVERYONE, { group_id, data }, more));
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
    for (const [property, value] of settings) {
      const body = { stream_id, name, property, value };
      const more = { nth: AFTER_ACCOUNT_EVENTS + entries.length, ...forThoseWhoKnow(channel) };
      entries.push(channelUpdate.of(event, audience, body, more));
    }
  }
  return entries.slice(0, MOST.channelSettings);
}

async function inRealmSettings(
  event: Recorded<UserReactivated>,
  documents: OwnDocuments,
): Promise<ClientEventDocument[]> {
  const organization = await documents.collection<OrganizationRecord>('organization').findOne({ _id: 'organization' });
  const chosen = Object.entries(organization?.settings ?? {}).filter(
    ([name]) => name in REALM_PERMISSIONS && isTold(name),
  );
  const settings = await settingsNaming(
    event.data.userId,
    Object.fromEntries(chosen) as Record<RealmPermission, GroupSettingValue>,
    documents,
  );
  if (settings.length === 0) return [];
  const body = { property: 'default', data: Object.fromEntries(settings) } as const;
  return [realmUpdateDict.of(event, EVERYONE, body, { nth: AFTER_ACCOUNT_EVENTS })];
}

/** Lists the settings that name the user, with their new values for clients. */
async function settingsNaming<Name extends string>(
  userId: number,
  values: Readonly<Record<Name, GroupSettingValue>>,
  documents: OwnDocuments,
): Promise<readonly (readonly [Name, GroupSettingValue])[]> {
  const naming: (readonly [Name, GroupSettingValue])[] = [];
  for (const [name, value] of Object.entries(values) as [Name, GroupSettingValue][]) {
    if (typeof value === 'number' || !value.direct_members.includes(userId)) continue;
    naming.push([name, await valueForClients(value, documents, userId)]);
  }
  return naming;
}
