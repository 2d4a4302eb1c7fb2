import type { RealmSettingChanged } from '../../../events/organization/organization.events.js';
import { namesOf } from '../../../events/shared/settings.js';
import { Command, type Decide } from '../../../platform/kernel/deciding.js';
import type { OrganizationState } from './organization.state.js';

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
