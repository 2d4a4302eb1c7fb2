import {
  DEFAULT_USER_SETTINGS,
  type UserSetting,
  type UserSettingValues,
} from '../../../events/personal/user.settings.js';
import type { UserSettingChanged } from '../../../events/personal/user-settings.events.js';
import { Command, type Decide } from '../../../platform/kernel/deciding.js';
import type { PersonalState } from './personal.state.js';

/** Changes of the account in the same request; the account decides on them. */
interface AccountChanges {
  readonly fullName?: string | undefined;
  readonly email?: string | undefined;
  readonly oldPassword?: string | undefined;
  readonly password?: { readonly old: string; readonly to: string; readonly keyHash: string } | undefined;
}

/** Changes settings by name; others stay as they are. Values are of the settings' types and ranges. */
export class ChangeUserSettings extends Command<{
  userId: number;
  settings: Partial<UserSettingValues>;
  /** Changes of the account in the same request. */
  account: AccountChanges;
}> {}

export const decideChangeUserSettings: Decide<ChangeUserSettings, PersonalState, UserSettingChanged, undefined> = (
  { userId, settings },
  state,
) =>
  namesOf(settings).flatMap((property) => {
    const from = state.settings.get(property) ?? DEFAULT_USER_SETTINGS[property];
    const to = settings[property];
    if (to === undefined || to === from) return [];
    return [{ type: 'UserSettingChanged', data: { userId, property, from, to } }];
  });

/** In alphabetical order: the same request gives the same events, in whatever order it was sent. */
const namesOf = (settings: Partial<UserSettingValues>): UserSetting[] =>
  (Object.keys(settings) as UserSetting[]).sort();
