import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import { changedGroupSetting, type GroupFacts, type GroupSettingUpdate } from '../../kernel/group-setting-rules.js';
import type { RealmSettingChanged } from './organization.events.js';
import { existing, type OrganizationState } from './organization.state.js';
import {
  CHANNEL_SETTINGS,
  NO_CHANNEL,
  type PlainRealmSettings,
  REALM_PERMISSIONS,
  type RealmPermission,
  type RealmSetting,
  type RealmSettings,
} from './realm.settings.js';

export type PermissionUpdates = { readonly [Name in RealmPermission]?: GroupSettingUpdate };

/** Settings by their names; what is not named stays as it is. The values are of the settings' types and ranges. */
export class ChangeRealmSettings {
  constructor(
    readonly plain: Partial<PlainRealmSettings>,
    readonly permissions: PermissionUpdates,
    readonly by: CommandContext,
  ) {}
}

export interface ChangeRealmSettingsFacts extends GroupFacts {
  readonly mayAdminister: boolean;
  readonly mayOwn: boolean;
  /** Of a channel that is not archived and that the caller may know of. */
  readonly isChannel: (id: number) => boolean;
}

/**
 * Who joins, how long words are kept, and who may undo what owners have set up: owners alone decide these. Neither
 * api.md nor the published description says which they are; the list is that of Zulip 11's `PATCH /realm`.
 */
const OWNERS_SETTINGS: ReadonlySet<RealmSetting> = new Set([
  'can_create_groups',
  'can_invite_users_group',
  'can_manage_all_groups',
  'can_manage_billing_group',
  'create_multiuse_invite_group',
  'disallow_disposable_email_addresses',
  'emails_restricted_to_domains',
  'invite_required',
  'message_retention_days',
  'waiting_period_threshold',
]);

export const decideChangeRealmSettings: Decide<
  ChangeRealmSettings,
  OrganizationState,
  RealmSettingChanged,
  ChangeRealmSettingsFacts
> = ({ plain, permissions }, state, facts) => {
  if (!facts.mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const named = [...namesOf(plain), ...namesOf(permissions)];
  if (!facts.mayOwn && named.some((name) => OWNERS_SETTINGS.has(name))) refuse('OWNER_REQUIRED');
  if (plain.name !== undefined && plain.name.trim() === '') refuse('REALM_NAME_EMPTY');
  for (const name of CHANNEL_SETTINGS) requireChannel(plain[name], facts);

  const { settings } = existing(state);
  return [
    ...namesOf(plain).flatMap((name) => changed(settings, name, plain[name])),
    ...namesOf(permissions).flatMap((name) => {
      const update = permissions[name];
      if (!update) return [];
      const to = changedGroupSetting(name, REALM_PERMISSIONS[name], settings[name], update, facts);
      return to === null ? [] : changed(settings, name, to);
    }),
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

function requireChannel(id: number | undefined, { isChannel }: ChangeRealmSettingsFacts): void {
  if (id !== undefined && id !== NO_CHANNEL && !isChannel(id)) refuse('INVALID_CHANNEL_ID');
}

/** In the order of the alphabet: the same request is the same events, however it was sent. */
const namesOf = <Settings extends object>(settings: Settings): (keyof Settings & string)[] =>
  (Object.keys(settings) as (keyof Settings & string)[]).sort();
