import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import type { PersonalState } from './personal.state.js';
import { DEFAULT_USER_SETTINGS, type UserSetting, type UserSettingValues } from './user.settings.js';
import type { UserSettingChanged } from './user-settings.events.js';

/** What may come with settings in one request; the account decides on it. */
export interface AccountChanges {
  readonly fullName?: string | undefined;
  readonly password?: { readonly old: string; readonly to: string } | undefined;
}

/** Settings by their names; what is not named stays as it is. The values are of the settings' types and ranges. */
export class ChangeUserSettings {
  constructor(
    readonly userId: number,
    readonly settings: Partial<UserSettingValues>,
    readonly by: CommandContext,
    /** What the same request changes of the account itself. */
    readonly account: AccountChanges = {},
  ) {}
}

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

/** In the order of the alphabet: the same request is the same events, however it was sent. */
const namesOf = (settings: Partial<UserSettingValues>): UserSetting[] =>
  (Object.keys(settings) as UserSetting[]).sort();
