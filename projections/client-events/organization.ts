import type { OrganizationRecord } from '../../src/directory/directory.records.js';
import {
  type LinkifierForClients,
  linkifiersForClients,
  type PlaygroundForClients,
  type ProfileFieldForClients,
  playgroundsForClients,
  profileFieldsForClients,
} from '../../src/directory/organization-for-clients.js';
import type {
  DefaultChannelAdded,
  DefaultChannelRemoved,
  OrganizationEvent,
  RealmSettingChanged,
} from '../../src/events/organization/organization.events.js';
import {
  isTold,
  type PLAIN_REALM_SETTINGS,
  REALM_SETTINGS,
  type RealmSetting,
  type RealmSettings,
} from '../../src/events/organization/realm.settings.js';
import { ROLES } from '../../src/events/shared/role.js';
import { type OlderName, olderFlags } from '../../src/events/shared/settings.js';
import type { UserRoleChanged } from '../../src/events/users/users.events.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import type { OwnDocuments } from '../../src/platform/read-models/projection.js';
import { ALL_BUT_GUESTS, EVERYONE, staticClientEvent } from './client-event.js';
import type { ClientEventDocument } from './client-events.documents.js';
import { type ClientEventRule, type ClientEventRules, noClientEvent } from './directory-rules.js';
import { changedFullMembers } from './system-groups.js';
import { valueForClients } from './values-for-clients.js';

/** Tells a setting by its name, and by its older names. */
type RealmData = Readonly<
  Partial<Record<RealmSetting | OlderName<typeof PLAIN_REALM_SETTINGS>, RealmSettings[RealmSetting]>>
>;

export const realmUpdate = staticClientEvent<{
  readonly property: RealmSetting;
  readonly value: RealmSettings[RealmSetting];
}>()({ kind: 'realm/update', rank: 1024 });

/** Settings, or a picture of the organization's. */
type RealmDict =
  | { readonly property: 'default'; readonly data: RealmData }
  | { readonly property: 'icon' | 'logo' | 'night_logo'; readonly data: Readonly<Record<string, string>> };

export const realmUpdateDict = staticClientEvent<RealmDict>()({ kind: 'realm/update_dict', rank: 1024 });

export const defaultStreams = staticClientEvent<{ readonly default_streams: readonly number[] }>()({
  kind: 'default_streams',
  rank: 1024,
});

export const customProfileFields = staticClientEvent<{ readonly fields: readonly ProfileFieldForClients[] }>()({
  kind: 'custom_profile_fields',
  rank: 1024,
});

export const realmLinkifiers = staticClientEvent<{ readonly realm_linkifiers: readonly LinkifierForClients[] }>()({
  kind: 'realm_linkifiers',
  rank: 1024,
});

export const realmPlaygrounds = staticClientEvent<{ readonly realm_playgrounds: readonly PlaygroundForClients[] }>()({
  kind: 'realm_playgrounds',
  rank: 1024,
});

/** Tells every setting to everybody: the register response shows them to everybody, too. */
const realmSettingChanged: ClientEventRule<RealmSettingChanged> = async (event, _after, documents) => [
  ...(isTold(event.data.setting) ? [await settingChanged(event, documents)] : []),
  ...(await fullMembersChanged(event, documents)),
];

async function settingChanged(
  event: Recorded<RealmSettingChanged>,
  documents: OwnDocuments,
): Promise<ClientEventDocument> {
  const { setting, to } = event.data;
  // A log may hold settings that only a newer version knows.
  const row: (typeof REALM_SETTINGS)[RealmSetting] | undefined = REALM_SETTINGS[setting];
  if (row?.clientEvent) return realmUpdate.of(event, EVERYONE, { property: setting, value: to });
  const value = typeof to === 'object' && to !== null ? await valueForClients(to, documents) : to;
  const data = { [setting]: value, ...Object.fromEntries(olderFlags(REALM_SETTINGS, setting, to)) };
  return realmUpdateDict.of(event, EVERYONE, { property: 'default', data });
}

/** Tells which users become or cease to be full members when the waiting period changes. */
async function fullMembersChanged(
  event: Recorded<RealmSettingChanged>,
  documents: OwnDocuments,
): Promise<readonly ClientEventDocument[]> {
  const { setting, from, to } = event.data;
  if (setting !== 'waiting_period_threshold' || typeof from !== 'number' || typeof to !== 'number') return [];
  return changedFullMembers(event, from, to, documents);
}

/** Tells the whole list of default channels. Guests are told nothing. */
const defaultChannelsChanged: ClientEventRule<DefaultChannelAdded | DefaultChannelRemoved> = (event, after) => {
  const { defaultChannelIds } = after('organization', 'organization');
  return [defaultStreams.of(event, ALL_BUT_GUESTS, { default_streams: defaultChannelIds })];
};

/** Tells the default channels to a guest who becomes a member, and none to a member who becomes a guest. */
export async function defaultChannelsWithRole(
  event: Recorded<UserRoleChanged>,
  documents: OwnDocuments,
): Promise<ClientEventDocument[]> {
  const { userId, from, to } = event.data;
  if (from !== ROLES.guest && to !== ROLES.guest) return [];
  const organization = await documents.collection<OrganizationRecord>('organization').findOne({ _id: 'organization' });
  const default_streams = to === ROLES.guest ? [] : (organization?.defaultChannelIds ?? []);
  return [defaultStreams.of(event, { userIds: [userId] }, { default_streams }, { nth: 1 })];
}

/** Tells all profile fields, as of the event. */
const profileFieldsChanged: ClientEventRule<OrganizationEvent> = (event, after) => {
  const fields = profileFieldsForClients(after('organization', 'organization'));
  return [customProfileFields.of(event, EVERYONE, { fields })];
};

/** Tells all linkifiers. Clients that expect linkifiers without templates are told nothing. */
const linkifiersChanged: ClientEventRule<OrganizationEvent> = (event, after) => {
  const realm_linkifiers = linkifiersForClients(after('organization', 'organization'));
  const without = { capability: 'linkifier_url_template', instead: null };
  return [realmLinkifiers.of(event, EVERYONE, { realm_linkifiers }, { without })];
};

const playgroundsChanged: ClientEventRule<OrganizationEvent> = (event, after) => {
  const realm_playgrounds = playgroundsForClients(after('organization', 'organization'));
  return [realmPlaygrounds.of(event, EVERYONE, { realm_playgrounds })];
};

export const organizationRules: ClientEventRules<OrganizationEvent> = {
  OrganizationCreated: noClientEvent,
  RealmSettingChanged: realmSettingChanged,
  DefaultChannelAdded: defaultChannelsChanged,
  DefaultChannelRemoved: defaultChannelsChanged,
  ProfileFieldCreated: profileFieldsChanged,
  ProfileFieldChanged: profileFieldsChanged,
  ProfileFieldRemoved: profileFieldsChanged,
  ProfileFieldsReordered: profileFieldsChanged,
  LinkifierAdded: linkifiersChanged,
  LinkifierChanged: linkifiersChanged,
  LinkifierRemoved: linkifiersChanged,
  LinkifiersReordered: linkifiersChanged,
  PlaygroundAdded: playgroundsChanged,
  PlaygroundRemoved: playgroundsChanged,
};
