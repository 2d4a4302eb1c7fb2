import { olderKindOf, type UserSetting } from '../../src/events/personal/user.settings.js';
import type { UserSettingChanged, UserSettingValue } from '../../src/events/personal/user-settings.events.js';
import { statusUpdate } from '../user-statuses/user-statuses.projection.js';
import { EVERYONE, staticClientEvent } from './client-event.js';
import type { ClientEventRules } from './directory-rules.js';
import { userUpdate } from './users.js';

/** The capability of clients that are told of every setting as one object. */
const KNOWS_OBJECT = 'user_settings_object';

/** `language_name` is the name of the language that is set. */
interface Named {
  readonly language_name?: string | undefined;
}

export const userSettingsUpdate = staticClientEvent<
  Named & { readonly property: string; readonly value: UserSettingValue }
>()({ kind: 'user_settings/update', rank: 1020 });

type OlderBody<Name extends string> = Named & { readonly user: string; readonly setting: UserSettingValue } & Readonly<
    Record<Name, string>
  >;

export const displaySettings = staticClientEvent<OlderBody<'setting_name'>>()({
  kind: 'update_display_settings',
  rank: 1021,
});

export const notificationSettings = staticClientEvent<OlderBody<'notification_name'>>()({
  kind: 'update_global_notifications',
  rank: 1021,
});

/** Tells the user's own clients. Everybody is told about settings that accounts show. */
export const userSettingRules: ClientEventRules<UserSettingChanged> = {
  UserSettingChanged: (event, after) => {
    const { userId, property, to } = event.data;
    const { email } = after('users', userId);
    const own = { userIds: [userId] };
    const language = property === 'default_language' ? { language_name: languages.of(String(to)) } : {};
    const older = { setting: to, ...language };
    const kind = olderKindOf(property as UserSetting);
    return [
      userSettingsUpdate.of(event, own, { property, value: to, ...language }),
      ...(kind === 'display'
        ? [displaySettings.of(event, own, { user: email, setting_name: property, ...older }, KNOWN)]
        : []),
      ...(kind === 'notifications'
        ? [notificationSettings.of(event, own, { user: email, notification_name: property, ...older }, KNOWN)]
        : []),
      ...(property === 'presence_enabled' ? [statusUpdate.of(event, EVERYONE, { userId, away: to === false })] : []),
      ...(property === 'timezone'
        ? [userUpdate.of(event, EVERYONE, { person: { user_id: userId, email, timezone: to } })]
        : []),
    ];
  },
};

const languages = new Intl.DisplayNames(['en'], { type: 'language' });

const KNOWN = { unless: KNOWS_OBJECT };
