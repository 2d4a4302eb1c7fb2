/** What some realm settings are chosen from. The register response offers the same to clients. */

/** What kind of organisation it is (`org_type`), as published. */
export const ORGANIZATION_TYPES = [0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000] as const;

/** `video_chat_provider`: those that need nothing of the server. */
export const VIDEO_CHAT_PROVIDERS = {
  disabled: { id: 0, name: 'None' },
  jitsi_meet: { id: 1, name: 'Jitsi Meet' },
} as const;

/** `giphy_rating`: there is no key for GIFs. */
export const GIPHY_RATINGS = { disabled: { id: 0, name: 'No GIFs' } } as const;

export const EDIT_HISTORY_POLICIES = ['all', 'moves', 'none'] as const;

/** `default_language`: codes that clients of this API have texts for. */
export const LANGUAGES = [
  ...['ar', 'be', 'bg', 'bn', 'ca', 'cs', 'cy', 'da', 'de', 'el', 'en', 'en-gb', 'eo', 'es', 'et', 'eu', 'fa', 'fi'],
  ...['fr', 'gl', 'gu', 'he', 'hi', 'hr', 'hu', 'hy', 'id', 'is', 'it', 'ja', 'ka', 'kk', 'ko', 'lt', 'lv', 'mk', 'ml'],
  ...['mn', 'mr', 'ms', 'nb', 'nl', 'nn', 'pa', 'pl', 'pt', 'pt-br', 'pt-pt', 'ro', 'ru', 'si', 'sk', 'sl', 'sq', 'sr'],
  ...['sv', 'sw', 'ta', 'te', 'th', 'tr', 'uk', 'ur', 'uz', 'vi', 'zh-hans', 'zh-hant', 'zh-tw'],
];
