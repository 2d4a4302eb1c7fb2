/** How a subscriber has a channel (`POST /users/me/subscriptions/properties`). null inherits the user's own setting. */
export interface SubscriptionSettings {
  /** `#rrggbb` */
  readonly color: string;
  readonly pin_to_top: boolean;
  readonly is_muted: boolean;
  readonly desktop_notifications: boolean | null;
  readonly email_notifications: boolean | null;
  readonly push_notifications: boolean | null;
  readonly audible_notifications: boolean | null;
  readonly wildcard_mentions_notify: boolean | null;
}

export type SubscriptionSetting = keyof SubscriptionSettings;

/** What clients can show: `#rgb` or `#rrggbb`; kept as it was sent. */
export const COLOR = /^#(?:[\da-f]{3}|[\da-f]{6})$/i;

/** Distinct enough from each other, and from black text. */
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

/** Until somebody chooses otherwise. One colour for everyone, so that people mean the same channel by it. */
export const defaultSubscriptionSettings = (channelId: number): SubscriptionSettings => ({
  color: PALETTE[channelId % PALETTE.length] ?? PALETTE[0],
  pin_to_top: false,
  is_muted: false,
  desktop_notifications: null,
  email_notifications: null,
  push_notifications: null,
  audible_notifications: null,
  wildcard_mentions_notify: null,
});
