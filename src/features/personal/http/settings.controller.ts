import { Controller, Patch } from '@nestjs/common';
import { Caller, CallersKeyHash } from '../../../directory/http/caller.decorator.js';
import { USER_SETTINGS } from '../../../events/personal/user.settings.js';
import { inAlphabet } from '../../../events/shared/settings.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { LimitPasswordAttempts } from '../../../platform/http/login-attempts.interceptor.js';
import { Sendable, settingsOf } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import type { CommandContext } from '../../../platform/kernel/deciding.js';
import { text } from '../../../platform/kernel/value-type.js';
import { ChangeUserSettings } from '../domain/change-user-settings.js';

/** Longer than any name or password; the account checks the length of a name. */
const anyText = text(1000);

/** `PATCH /settings`: fields of the account, and every setting. */
class SettingsParameters extends settingsOf(inAlphabet(USER_SETTINGS)) {
  @Sendable(anyText) readonly full_name?: string;
  @Sendable(anyText) readonly email?: string;
  @Sendable(anyText) readonly old_password?: string;
  @Sendable(anyText) readonly new_password?: string;
}

/**
 * Takes the settings that were sent. An empty password or address counts as none: clients send all fields of a form.
 * @param keyHash SHA-256 of the request's API key, hexadecimal
 */
function changeUserSettings(
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

@Controller('settings')
export class SettingsController {
  constructor(private readonly dispatch: Dispatch) {}

  /** Older clients use one path for display settings and one for notification settings. */
  @LimitPasswordAttempts()
  @Patch(['', 'display', 'notifications'])
  async update(
    @Caller() { user, by }: Caller,
    @CallersKeyHash() keyHash: string,
    @Parameters() parameters: SettingsParameters,
  ): Promise<void> {
    await this.dispatch.do(changeUserSettings(user._id, parameters, keyHash, by));
  }
}
