import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import type { Linkifier, Playground, ProfileField } from './organization.settings.js';
import type { RealmSetting, RealmSettings } from './realm.settings.js';

export const ORGANIZATION_STREAM = 'organization';

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

export type DefaultChannelAdded = DomainEvent<'DefaultChannelAdded', { readonly channelId: number }>;

export type DefaultChannelRemoved = DomainEvent<'DefaultChannelRemoved', { readonly channelId: number }>;

export type ProfileFieldCreated = DomainEvent<'ProfileFieldCreated', { readonly field: ProfileField }>;

export type ProfileFieldChanged = DomainEvent<
  'ProfileFieldChanged',
  { readonly from: ProfileField; readonly to: ProfileField }
>;

/** Holds the field as it was. */
export type ProfileFieldRemoved = DomainEvent<'ProfileFieldRemoved', { readonly field: ProfileField }>;

export type ProfileFieldsReordered = DomainEvent<
  'ProfileFieldsReordered',
  /** Ids of all fields, in order of display. */
  { readonly from: readonly number[]; readonly to: readonly number[] }
>;

export type LinkifierAdded = DomainEvent<'LinkifierAdded', { readonly linkifier: Linkifier }>;

export type LinkifierChanged = DomainEvent<'LinkifierChanged', { readonly from: Linkifier; readonly to: Linkifier }>;

/** Holds the linkifier as it was. */
export type LinkifierRemoved = DomainEvent<'LinkifierRemoved', { readonly linkifier: Linkifier }>;

export type LinkifiersReordered = DomainEvent<
  'LinkifiersReordered',
  /** Ids of all linkifiers, in order of application. */
  { readonly from: readonly number[]; readonly to: readonly number[] }
>;

export type PlaygroundAdded = DomainEvent<'PlaygroundAdded', { readonly playground: Playground }>;

/** Holds the playground as it was. */
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

export const organizationEvents = [
  defineEvent<OrganizationCreated>({ type: 'OrganizationCreated', version: 1 }),
  defineEvent<RealmSettingChanged>({
    type: 'RealmSettingChanged',
    version: 1,
    unsealed: { from: 'a setting', to: 'a setting' },
  }),
  defineEvent<DefaultChannelAdded>({ type: 'DefaultChannelAdded', version: 1 }),
  defineEvent<DefaultChannelRemoved>({ type: 'DefaultChannelRemoved', version: 1 }),
  defineEvent<ProfileFieldCreated>({ type: 'ProfileFieldCreated', version: 1 }),
  defineEvent<ProfileFieldChanged>({ type: 'ProfileFieldChanged', version: 1 }),
  defineEvent<ProfileFieldRemoved>({ type: 'ProfileFieldRemoved', version: 1 }),
  defineEvent<ProfileFieldsReordered>({ type: 'ProfileFieldsReordered', version: 1 }),
  defineEvent<LinkifierAdded>({ type: 'LinkifierAdded', version: 1 }),
  defineEvent<LinkifierChanged>({ type: 'LinkifierChanged', version: 1 }),
  defineEvent<LinkifierRemoved>({ type: 'LinkifierRemoved', version: 1 }),
  defineEvent<LinkifiersReordered>({ type: 'LinkifiersReordered', version: 1 }),
  defineEvent<PlaygroundAdded>({ type: 'PlaygroundAdded', version: 1 }),
  defineEvent<PlaygroundRemoved>({ type: 'PlaygroundRemoved', version: 1 }),
];
