/** The types of bots, as the API numbers them. */
export const BOT_TYPES = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const;
export type BotType = (typeof BOT_TYPES)[keyof typeof BOT_TYPES];

/** The forms in which outgoing webhook bots are called. */
export const WEBHOOK_INTERFACES = { native: 1, slack: 2 } as const;
export type WebhookInterface = (typeof WEBHOOK_INTERFACES)[keyof typeof WEBHOOK_INTERFACES];

/** The permissions that no role implies: `annals grant PERMISSION USER` gives them. */
export const SPECIAL_PERMISSIONS = ['can_change_user_emails', 'can_create_users'] as const;
export type SpecialPermission = (typeof SPECIAL_PERMISSIONS)[number];

/** The most characters of a display name and of an address. */
export const MAX_FULL_NAME = 100;
export const MAX_EMAIL = 254;

/**
 * The fewest characters of a new password unless the configuration says otherwise, and the most. Passwords that were
 * chosen under other limits stay valid.
 */
export const MIN_PASSWORD = 8;
export const MAX_PASSWORD = 100;
