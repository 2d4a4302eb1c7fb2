import type { RealmSettingChanged } from '../../../events/organization/organization.events.js';
import {
  CHANNEL_SETTINGS,
  NO_CHANNEL,
  type PlainRealmSettings,
  REALM_PERMISSIONS,
  REALM_SETTINGS,
  type RealmPermission,
  type RealmSetting,
  type RealmSettings,
} from '../../../events/organization/realm.settings.js';
import type { GroupSettingUpdate } from '../../../events/shared/group-setting.js';
import { changedGroupSetting, type GroupFacts } from '../../../events/shared/group-setting-rules.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { existing, type OrganizationState } from './organization.js';

type PermissionUpdates = { readonly [Name in RealmPermission]?: GroupSettingUpdate };

/** Settings by name, with checked values. Absent settings stay unchanged. */
export class ChangeRealmSettings extends Command<{
  plain: Partial<PlainRealmSettings>;
  permissions: PermissionUpdates;
}> {}

export interface ChangeRealmSettingsFacts extends GroupFacts {
  readonly mayAdminister: boolean;
  readonly mayOwn: boolean;
  /** Finds a channel that is not archived and that the caller may see. */
  readonly isChannel: (id: number) => boolean;
}

const isOwners = (name: RealmSetting): boolean => REALM_SETTINGS[name].changedBy === 'owners';

export const decideChangeRealmSettings: Decide<
  ChangeRealmSettings,
  OrganizationState,
  RealmSettingChanged,
  ChangeRealmSettingsFacts
> = ({ plain, permissions }, state, facts) => {
  if (!facts.mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const named = [...namesOf(plain), ...namesOf(permissions)];
  if (!facts.mayOwn && named.some(isOwners)) refuse('OWNER_REQUIRED');
  if (plain.name !== undefined && plain.name.trim() === '') refuse('REALM_NAME_EMPTY');
  for (const name of CHANNEL_SETTINGS) requireChannel(plain[name], facts);

  const { settings } = existing(state);
  return [
    ...namesOf(plain).flatMap((name) => changed(settings, name, plain[name])),
    ...namesOf(permissions).flatMap((name) => permissionChanged(settings, name, permissions[name], facts)),
  ];
};

function changed<Name extends RealmSetting>(
  settings: RealmSettings,
  setting: Name,
  to: RealmSettings[Name] | undefined,
): RealmSettingChanged[] {
  if (to === undefined || to === settings[setting]) return [];
  return [{ type: 'RealmSettingChanged', data: { setting, from: settings[setting], to } }];
}

function permissionChanged(
  settings: RealmSettings,
  name: RealmPermission,
  update: GroupSettingUpdate | undefined,
  facts: GroupFacts,
): RealmSettingChanged[] {
  if (!update) return [];
  const to = changedGroupSetting(name, REALM_PERMISSIONS[name], settings[name], update, facts);
  return to === null ? [] : changed(settings, name, to);
}

function requireChannel(id: number | undefined, { isChannel }: ChangeRealmSettingsFacts): void {
  if (id !== undefined && id !== NO_CHANNEL && !isChannel(id)) refuse('INVALID_CHANNEL_ID');
}

/** Sorts settings by name, so that the order in the request does not change the events. */
const namesOf = <Settings extends object>(settings: Settings): (keyof Settings & string)[] =>
  (Object.keys(settings) as (keyof Settings & string)[]).sort();
