import { olderKindOf, type UserSetting } from '../../src/personal/domain/user.settings.js';
import type { UserSettingChanged } from '../../src/personal/domain/user-settings.events.js';
import type { ToldKind } from '../client-events.documents.js';
import type { TellingRules } from './directory-rules.js';
import { EVERYONE, told } from './entries.js';

/** What clients are that were told of every setting as one object. */
const KNOWS_OBJECT = 'user_settings_object';

/** A user's own clients are told, and everybody of what accounts show of it. */
export const userSettingTelling: TellingRules<UserSettingChanged> = {
  UserSettingChanged: (event, after) => {
    const { userId, property, to } = event.data;
    const { email } = after('users', userId);
    const own = { userIds: [userId] };
    const language = property === 'default_language' ? { language_name: languages.of(String(to)) } : {};
    const older = OLDER[olderKindOf(property as UserSetting) ?? 'unknown'];
    return [
      told(event, 'user_settings/update', own, { property, value: to, ...language }),
      ...(older
        ? [told(event, older.kind, own, { user: email, [older.name]: property, setting: to, ...language }, KNOWN)]
        : []),
      ...(property === 'timezone'
        ? [told(event, 'realm_user/update', EVERYONE, { person: { user_id: userId, email, timezone: to } })]
        : []),
    ];
  },
};

const languages = new Intl.DisplayNames(['en'], { type: 'language' });

const KNOWN = { unless: KNOWS_OBJECT };

const OLDER: Readonly<Record<string, { readonly kind: ToldKind; readonly name: string } | undefined>> = {
  display: { kind: 'update_display_settings', name: 'setting_name' },
  notifications: { kind: 'update_global_notifications', name: 'notification_name' },
};
