import { USER_SETTINGS } from '../../../events/personal/user.settings.js';
import { inAlphabet } from '../../../events/shared/settings.js';
import { Sendable, settingsOf } from '../../../platform/http/parameters/parameter-decorators.js';
import { text } from '../../../platform/kernel/value-type.js';

/** Longer than any name or password; the account checks the length of a name. */
const anyText = text(1000);

/** `PATCH /settings`: fields of the account, and every setting. */
export class SettingsParameters extends settingsOf(inAlphabet(USER_SETTINGS)) {
  @Sendable(anyText) readonly full_name?: string;
  @Sendable(anyText) readonly email?: string;
  @Sendable(anyText) readonly old_password?: string;
  @Sendable(anyText) readonly new_password?: string;
}
