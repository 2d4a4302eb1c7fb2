import type { Concerned } from '../../platform/kernel/concerned.js';
import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import { concernsChannel, concernsNobody, usersNamedIn } from '../shared/concerned.js';
import type { AnonymousGroup } from '../shared/group-setting.js';
import type { Linkifier, Playground, ProfileField } from './organization.settings.js';
import { CHANNEL_SETTINGS, NO_CHANNEL, type RealmSetting, type RealmSettings } from './realm.settings.js';

export const ORGANIZATION_STREAM = 'organization';

/** The organization is there. The first event of a log. */
export type OrganizationCreated = DomainEvent<'OrganizationCreated', { readonly name: string }>;

/** A realm setting has changed, named without `realm_`. Permissions are realm settings too. */
export type RealmSettingChanged = DomainEvent<
  'RealmSettingChanged',
  {
    readonly setting: RealmSetting;
    readonly from: RealmSettings[RealmSetting];
    readonly to: RealmSettings[RealmSetting];
  }
>;

/** New accounts are subscribed to the channel from now on. */
export type DefaultChannelAdded = DomainEvent<'DefaultChannelAdded', { readonly channelId: number }>;

/** New accounts are no longer subscribed to the channel. */
export type DefaultChannelRemoved = DomainEvent<'DefaultChannelRemoved', { readonly channelId: number }>;

/** Profiles have another field. */
export type ProfileFieldCreated = DomainEvent<'ProfileFieldCreated', { readonly field: ProfileField }>;

/** A field of profiles has another name, hint or setting. */
export type ProfileFieldChanged = DomainEvent<
  'ProfileFieldChanged',
  { readonly from: ProfileField; readonly to: ProfileField }
>;

/** A field of profiles is removed. Holds the field as it was. */
export type ProfileFieldRemoved = DomainEvent<'ProfileFieldRemoved', { readonly field: ProfileField }>;

/** The fields of profiles are shown in another order. Ids of all fields. */
export type ProfileFieldsReordered = DomainEvent<
  'ProfileFieldsReordered',
  { readonly from: readonly number[]; readonly to: readonly number[] }
>;

/** Texts that match a pattern become links in messages that are written from now on. */
export type LinkifierAdded = DomainEvent<'LinkifierAdded', { readonly linkifier: Linkifier }>;

/** A linkifier has another pattern or another target. */
export type LinkifierChanged = DomainEvent<'LinkifierChanged', { readonly from: Linkifier; readonly to: Linkifier }>;

/** A linkifier is removed. Holds the linkifier as it was. */
export type LinkifierRemoved = DomainEvent<'LinkifierRemoved', { readonly linkifier: Linkifier }>;

/** Linkifiers are applied in another order. Ids of all linkifiers. */
export type LinkifiersReordered = DomainEvent<
  'LinkifiersReordered',
  { readonly from: readonly number[]; readonly to: readonly number[] }
>;

/** Code of a language can be opened in a playground. */
export type PlaygroundAdded = DomainEvent<'PlaygroundAdded', { readonly playground: Playground }>;

/** A playground is removed. Holds the playground as it was. */
export type PlaygroundRemoved = DomainEvent<'PlaygroundRemoved', { readonly playground: Playground }>;

export type OrganizationEvent =
  | OrganizationCreated
  | RealmSettingChanged
  | DefaultChannelAdded
  | DefaultChannelRemoved
  | ProfileFieldCreated
  | ProfileFieldChanged
  | ProfileFieldRemoved
  | ProfileFieldsReordered
  | LinkifierAdded
  | LinkifierChanged
  | LinkifierRemoved
  | LinkifiersReordered
  | PlaygroundAdded
  | PlaygroundRemoved;

/** The channels of a setting that names one, and the users of a permission. */
function concernedBySetting({
  data: { setting, from, to },
}: {
  readonly data: RealmSettingChanged['data'];
}): Concerned {
  const named = [from, to];
  const isOfChannel = CHANNEL_SETTINGS.some((name) => name === setting);
  return {
    channelIds: isOfChannel ? named.filter((id) => typeof id === 'number').filter((id) => id !== NO_CHANNEL) : [],
    userIds: usersNamedIn(...named.filter((value) => isAnonymousGroup(value))),
  };
}

const isAnonymousGroup = (value: RealmSettings[RealmSetting]): value is AnonymousGroup =>
  typeof value === 'object' && value !== null && 'direct_members' in value;

export const organizationEvents = [
  defineEvent<OrganizationCreated>({ type: 'OrganizationCreated', concerns: concernsNobody }),
  defineEvent<RealmSettingChanged>({
    type: 'RealmSettingChanged',
    concerns: concernedBySetting,
    unsealed: { from: 'a setting', to: 'a setting' },
  }),
  defineEvent<DefaultChannelAdded>({ type: 'DefaultChannelAdded', concerns: concernsChannel }),
  defineEvent<DefaultChannelRemoved>({ type: 'DefaultChannelRemoved', concerns: concernsChannel }),
  defineEvent<ProfileFieldCreated>({ type: 'ProfileFieldCreated', concerns: concernsNobody }),
  defineEvent<ProfileFieldChanged>({ type: 'ProfileFieldChanged', concerns: concernsNobody }),
  defineEvent<ProfileFieldRemoved>({ type: 'ProfileFieldRemoved', concerns: concernsNobody }),
  defineEvent<ProfileFieldsReordered>({ type: 'ProfileFieldsReordered', concerns: concernsNobody }),
  defineEvent<LinkifierAdded>({ type: 'LinkifierAdded', concerns: concernsNobody }),
  defineEvent<LinkifierChanged>({ type: 'LinkifierChanged', concerns: concernsNobody }),
  defineEvent<LinkifierRemoved>({ type: 'LinkifierRemoved', concerns: concernsNobody }),
  defineEvent<LinkifiersReordered>({ type: 'LinkifiersReordered', concerns: concernsNobody }),
  defineEvent<PlaygroundAdded>({ type: 'PlaygroundAdded', concerns: concernsNobody }),
  defineEvent<PlaygroundRemoved>({ type: 'PlaygroundRemoved', concerns: concernsNobody }),
];
