import {
  DEFAULT_USER_SETTINGS,
  NOTIFICATION_SOUNDS,
  olderSettings,
  type UserSettingValues,
} from '../../../events/personal/user.settings.js';

const CHOICES = {
  available_notification_sounds: NOTIFICATION_SOUNDS,
  emojiset_choices: [
    { key: 'google', text: 'Google' },
    { key: 'twitter', text: 'Twitter' },
    { key: 'text', text: 'Plain text' },
  ],
} as const;

/** `user_settings`. */
export const userSettingsForClients = (settings: UserSettingValues): object => ({ ...settings, ...CHOICES });

/** `realm_user_settings_defaults`: without settings that belong to one account. */
export const realmUserSettingsDefaults = ((): object => {
  const { timezone: _timezone, ...defaults } = DEFAULT_USER_SETTINGS;
  return { ...defaults, ...CHOICES };
})();

/** Settings at the top level, for clients older than `user_settings`. */
export const legacyNotificationSettings = (settings: UserSettingValues): object => ({
  ...olderSettings(settings, 'notifications'),
  available_notification_sounds: CHOICES.available_notification_sounds,
});

export const legacyDisplaySettings = (settings: UserSettingValues): object => ({
  ...olderSettings(settings, 'display'),
  emojiset_choices: CHOICES.emojiset_choices,
});
