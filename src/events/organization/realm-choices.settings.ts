import type { OlderPolicies } from '../shared/group-setting.js';

/** The choices of some realm settings. The register response offers the same to clients. */

/** `org_type`: kinds of organizations, by the API's numbers. */
export const ORGANIZATION_TYPES = [0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000] as const;

/** `video_chat_provider`: the providers that need nothing of the server. */
export const VIDEO_CHAT_PROVIDERS = {
  disabled: { id: 0, name: 'None' },
  jitsi_meet: { id: 1, name: 'Jitsi Meet' },
} as const;

/** `giphy_rating`: the server has no key for GIFs. */
export const GIPHY_RATINGS = { disabled: { id: 0, name: 'No GIFs' } } as const;

export const idsOf = <Id extends number>(choices: Readonly<Record<string, { readonly id: Id }>>): readonly Id[] =>
  Object.values(choices).map(({ id }) => id);

export const REALM_TOPICS_POLICIES = ['allow_empty_topic', 'disable_empty_topic'] as const;

export const EDIT_HISTORY_POLICIES = ['all', 'moves', 'none'] as const;

/** `default_language`: codes of the languages that clients of this API have texts for. */
export const LANGUAGES = [
  ...['ar', 'be', 'bg', 'bn', 'ca', 'cs', 'cy', 'da', 'de', 'el', 'en', 'en-gb', 'eo', 'es', 'et', 'eu', 'fa', 'fi'],
  ...['fr', 'gl', 'gu', 'he', 'hi', 'hr', 'hu', 'hy', 'id', 'is', 'it', 'ja', 'ka', 'kk', 'ko', 'lt', 'lv', 'mk', 'ml'],
  ...['mn', 'mr', 'ms', 'nb', 'nl', 'nn', 'pa', 'pl', 'pt', 'pt-br', 'pt-pt', 'ro', 'ru', 'si', 'sk', 'sl', 'sq', 'sr'],
  ...['sv', 'sw', 'ta', 'te', 'th', 'tr', 'uk', 'ur', 'uz', 'vi', 'zh-hans', 'zh-hant', 'zh-tw'],
];

export const CREATE_CHANNEL_POLICIES: OlderPolicies = {
  'role:members': 1,
  'role:fullmembers': 3,
  'role:moderators': 4,
  'role:administrators': 2,
  'role:owners': 2,
  'role:nobody': 2,
};

export const CREATE_WEB_PUBLIC_CHANNEL_POLICIES: OlderPolicies = {
  'role:moderators': 4,
  'role:administrators': 2,
  'role:owners': 7,
  'role:nobody': 6,
};

export const MENTION_MANY_POLICIES: OlderPolicies = {
  'role:everyone': 1,
  'role:members': 2,
  'role:fullmembers': 3,
  'role:moderators': 7,
  'role:administrators': 5,
  'role:owners': 5,
  'role:nobody': 6,
};
