import type {
  DefaultChannelAdded,
  DefaultChannelRemoved,
  OrganizationCreated,
  OrganizationEvent,
  RealmSettingChanged,
} from '../../../events/organization/organization.events.js';
import {
  ascending,
  inOrder,
  type Linkifier,
  type Playground,
  type ProfileField,
  replaced,
  without,
} from '../../../events/organization/organization.settings.js';
import { REALM_DEFAULTS, type RealmSettings, settingsInForce } from '../../../events/organization/realm.settings.js';
import { namesOf } from '../../../events/shared/settings.js';
import { Command, type Decide, type Decider } from '../../../platform/kernel/deciding.js';
import { UnavailableError } from '../../../platform/kernel/outcome-errors.js';

interface Organization {
  readonly status: 'created';
  /** All settings. A setting that was never changed has its default. */
  readonly settings: RealmSettings;
  /** Ids of the channels that new users are subscribed to, ascending. */
  readonly defaultChannelIds: readonly number[];
  /** In order of display. */
  readonly profileFields: readonly ProfileField[];
  /** In order of application. */
  readonly linkifiers: readonly Linkifier[];
  readonly playgrounds: readonly Playground[];
  /** Highest id ever used by each list: ids of removed entries are not used again. */
  readonly lastIds: {
    readonly profileField: number;
    readonly linkifier: number;
    readonly playground: number;
  };
}

export type OrganizationState = { readonly status: 'absent' } | Organization;

/** The actor's permission to change the organization's lists (D4). */
export interface Administration {
  readonly mayAdminister: boolean;
}

export const organization: Decider<OrganizationState, OrganizationEvent> = {
  initialState: { status: 'absent' },
  evolve: (state, event) => {
    if (event.type === 'OrganizationCreated') return begun(event);
    return state.status === 'absent' ? state : changed(state, event);
  },
};

/** Tells whether two events are about the same default channel. */
export const isOfSameDefault = (a: OrganizationEvent, b: OrganizationEvent): boolean =>
  isOfDefault(a) && isOfDefault(b) && a.data.channelId === b.data.channelId;

const isOfDefault = (event: OrganizationEvent): event is DefaultChannelAdded | DefaultChannelRemoved =>
  event.type === 'DefaultChannelAdded' || event.type === 'DefaultChannelRemoved';

/** Tells whether two events set the same setting. */
export const isOfSameSetting = (a: OrganizationEvent, b: OrganizationEvent): boolean =>
  a.type === 'RealmSettingChanged' && b.type === 'RealmSettingChanged' && a.data.setting === b.data.setting;

/** @throws UnavailableError if the organization has not been created yet */
export const existing = (state: OrganizationState): Organization => {
  if (state.status === 'absent') throw new UnavailableError('the organization has not been created yet');
  return state;
};

const begun = ({ data }: OrganizationCreated): Organization => ({
  status: 'created',
  settings: { ...REALM_DEFAULTS, name: data.name },
  defaultChannelIds: [],
  profileFields: [],
  linkifiers: [],
  playgrounds: [],
  lastIds: { profileField: 0, linkifier: 0, playground: 0 },
});

function changed(now: Organization, event: Exclude<OrganizationEvent, OrganizationCreated>): Organization {
  const { defaultChannelIds, profileFields, linkifiers, playgrounds, lastIds } = now;
  switch (event.type) {
    case 'RealmSettingChanged':
      return { ...now, settings: settingsInForce({ ...now.settings, [event.data.setting]: event.data.to }) };
    case 'DefaultChannelAdded':
      return { ...now, defaultChannelIds: ascending([...defaultChannelIds, event.data.channelId]) };
    case 'DefaultChannelRemoved':
      return { ...now, defaultChannelIds: defaultChannelIds.filter((id) => id !== event.data.channelId) };
    case 'ProfileFieldCreated': {
      const { field } = event.data;
      const profileField = Math.max(lastIds.profileField, field.id);
      return { ...now, profileFields: [...profileFields, field], lastIds: { ...lastIds, profileField } };
    }
    case 'ProfileFieldChanged':
      return { ...now, profileFields: replaced(profileFields, event.data.to) };
    case 'ProfileFieldRemoved':
      return { ...now, profileFields: without(profileFields, event.data.field.id) };
    case 'ProfileFieldsReordered':
      return { ...now, profileFields: inOrder(profileFields, event.data.to) };
    case 'LinkifierAdded': {
      const linkifier = Math.max(lastIds.linkifier, event.data.linkifier.id);
      return { ...now, linkifiers: [...linkifiers, event.data.linkifier], lastIds: { ...lastIds, linkifier } };
    }
    case 'LinkifierChanged':
      return { ...now, linkifiers: replaced(linkifiers, event.data.to) };
    case 'LinkifierRemoved':
      return { ...now, linkifiers: without(linkifiers, event.data.linkifier.id) };
    case 'LinkifiersReordered':
      return { ...now, linkifiers: inOrder(linkifiers, event.data.to) };
    case 'PlaygroundAdded': {
      const playground = Math.max(lastIds.playground, event.data.playground.id);
      return { ...now, playgrounds: [...playgrounds, event.data.playground], lastIds: { ...lastIds, playground } };
    }
    case 'PlaygroundRemoved':
      return { ...now, playgrounds: without(playgrounds, event.data.playground.id) };
    default:
      event satisfies never;
      return now;
  }
}

/** Checks and applies a new order. @param wanted must contain each id exactly once */
export function newOrder(
  now: readonly { readonly id: number }[],
  wanted: readonly number[],
): 'invalid' | 'same' | { readonly from: readonly number[]; readonly to: readonly number[] } {
  const from = now.map(({ id }) => id);
  const ids = new Set(wanted);
  if (ids.size !== wanted.length || wanted.length !== from.length || !from.every((id) => ids.has(id))) return 'invalid';
  return from.every((id, index) => id === wanted[index]) ? 'same' : { from, to: [...wanted] };
}

export class CreateOrganization extends Command<{ name: string }> {}

export const decideCreateOrganization: Decide<CreateOrganization, OrganizationState, OrganizationCreated> = (
  { name },
  state,
) => {
  if (state.status === 'created') return [];
  return [{ type: 'OrganizationCreated', data: { name } }];
};

/** Records what the push service says about the organization's right to push. The server itself sends it. */
export class RecordPushPermission extends Command<{
  isAllowed: boolean;
  /** Seconds since 1970; null: no end is known. */
  endsAt: number | null;
}> {}

export const decideRecordPushPermission: Decide<RecordPushPermission, OrganizationState, RealmSettingChanged> = (
  { isAllowed, endsAt },
  state,
) => {
  if (state.status === 'absent') return [];
  const { settings } = state;
  const now = { push_notifications_enabled: isAllowed, push_notifications_enabled_end_timestamp: endsAt };
  return namesOf(now)
    .filter((setting) => settings[setting] !== now[setting])
    .map((setting) => ({ type: 'RealmSettingChanged', data: { setting, from: settings[setting], to: now[setting] } }));
};
