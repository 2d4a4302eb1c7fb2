import type { UserSettingValues } from '../domain/user.settings.js';
import type { SettingsParameters } from './settings.parameters.js';

/** Of settings, those that were sent. */
export const settingsGiven = (parameters: SettingsParameters): Partial<UserSettingValues> =>
  Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));
