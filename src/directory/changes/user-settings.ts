import type { UserSettingChanged } from '../../events/personal/user-settings.events.js';
import { alters, type Rules } from './rule.js';

export const userSettingRules: Rules<UserSettingChanged> = {
  UserSettingChanged: alters(
    'users',
    ({ data }) => data.userId,
    ({ data }, { settings }) => ({ settings: { ...settings, [data.property]: data.to } }),
  ),
};
