import type { CommandContext } from '../../../platform/kernel/deciding.js';
import { ChangeUserSettings } from '../domain/change-user-settings.js';
import type { SettingsParameters } from './settings.parameters.js';

/**
 * Takes the settings that were sent. An empty password or address counts as none: clients send all fields of a form.
 * @param keyHash SHA-256 of the request's API key, hexadecimal
 */
export function changeUserSettings(
  userId: number,
  {
    full_name: fullName,
    email: typed = '',
    old_password: old = '',
    new_password: to = '',
    ...settings
  }: SettingsParameters,
  keyHash: string,
  by: CommandContext,
): ChangeUserSettings {
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  const email = typed.trim() === '' ? undefined : typed.trim();
  const password = to === '' ? undefined : { old, to, keyHash };
  const oldPassword = email === undefined || old === '' ? undefined : old;
  return new ChangeUserSettings({ userId, settings: given, by, account: { fullName, password, email, oldPassword } });
}
