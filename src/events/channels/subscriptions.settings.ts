import { checkedBy, flag, type ValueType } from '../../platform/kernel/value-type.js';
import { defaultsOf, type KnownOlder, type SettingRow, settingsTable, type ValuesOf } from '../shared/settings.js';

/** `#rgb` or `#rrggbb`, which clients can show; stored as sent. */
export const COLOR = /^#(?:[\da-f]{3}|[\da-f]{6})$/i;

/** Colors distinct from each other and from black text. */
const PALETTE = [
  '#7fb8e6',
  '#f0b46a',
  '#8fd19e',
  '#e79a9a',
  '#b9a3ea',
  '#e6d36f',
  '#77cfc6',
  '#e39fcf',
  '#a9c86b',
  '#c9a88b',
  '#93a9f2',
  '#f29d74',
  '#69c28a',
  '#d7a6e8',
  '#c6c27a',
  '#8ec6d9',
] as const;

const color = checkedBy<string>({
  name: 'isColor',
  test: (value) => typeof value === 'string' && COLOR.test(value),
  complaint: 'a valid hex color code',
});

/** null inherits the user's own setting; clients cannot choose null again. */
const inheritable: ValueType<boolean | null> = { ...flag, unchosen: null };

export interface SubscriptionSettingRow extends SettingRow, KnownOlder {
  /** The value for clients that do not understand null. */
  readonly inherits?: boolean;
}

/** A subscriber's own settings of a channel (`POST /users/me/subscriptions/properties`). */
export const SUBSCRIPTION_SETTINGS = settingsTable<SubscriptionSettingRow>()({
  color: { type: color, default: PALETTE[0] },
  pin_to_top: { type: flag, default: false },
  is_muted: { type: flag, default: false, older: { name: 'in_home_view', true: false, false: true } },
  desktop_notifications: { type: inheritable, default: null, inherits: false },
  email_notifications: { type: inheritable, default: null, inherits: false },
  push_notifications: { type: inheritable, default: null, inherits: false },
  audible_notifications: { type: inheritable, default: null, inherits: false },
  wildcard_mentions_notify: { type: inheritable, default: null, inherits: true },
});

export type SubscriptionSettings = ValuesOf<typeof SUBSCRIPTION_SETTINGS>;

export type SubscriptionSetting = keyof SubscriptionSettings;

const DEFAULTS: SubscriptionSettings = defaultsOf(SUBSCRIPTION_SETTINGS);

/** The settings until the subscriber chooses others. A channel's color is the same for all, so that people share it. */
export const defaultSubscriptionSettings = (channelId: number): SubscriptionSettings => ({
  ...DEFAULTS,
  color: PALETTE[channelId % PALETTE.length] ?? PALETTE[0],
});
