import type { PermissionRules } from './rights.js';

/** What the server tells, as far as the page reads it, in the API's own names. */

export interface Person {
  readonly user_id: number;
  readonly full_name: string;
  /** As far as one may see it: a name of the account at least. */
  readonly email: string;
  readonly is_bot?: boolean;
  readonly is_active?: boolean;
  readonly delivery_email?: string | null;
  readonly avatar_url?: string | null;
}

/** Settings that are on or off. */
type Switch =
  | 'twenty_four_hour_time'
  | 'enter_sends'
  | 'enable_drafts_synchronization'
  | 'presence_enabled'
  | 'send_private_typing_notifications'
  | 'send_stream_typing_notifications'
  | 'receives_typing_notifications'
  | 'send_read_receipts'
  | 'enable_offline_push_notifications'
  | 'enable_online_push_notifications'
  | 'enable_stream_push_notifications'
  | 'enable_followed_topic_push_notifications'
  | 'wildcard_mentions_notify';

/** One's own settings, as far as the page reads or changes them. */
export interface Settings extends Readonly<Record<Switch, boolean>> {
  /** 1: as the device; 2: dark; 3: light. */
  readonly color_scheme: number;
}

export interface Channel {
  readonly stream_id: number;
  readonly name: string;
  readonly rendered_description?: string;
  readonly invite_only: boolean;
  readonly is_muted: boolean;
  readonly pin_to_top: boolean;
}

export interface Reaction {
  readonly user_id: number;
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: string;
}

export interface Message {
  readonly id: number;
  readonly sender_id: number;
  readonly sender_full_name: string;
  /** HTML, which the server has made and cleaned. */
  readonly content: string;
  /** In seconds. */
  readonly timestamp: number;
  readonly type: 'stream' | 'private';
  readonly subject: string;
  readonly stream_id?: number;
  readonly display_recipient: string | readonly { readonly id: number }[];
  readonly reactions: readonly Reaction[];
  readonly last_edit_timestamp?: number;
  readonly flags: readonly string[];
}

/** A message that the server sends later. */
export type Scheduled = {
  readonly scheduled_message_id: number;
  /** What its sender wrote. */
  readonly content: string;
  readonly rendered_content: string;
  /** In seconds. */
  readonly scheduled_delivery_timestamp: number;
  /** Whether it could not be sent at its time. */
  readonly failed: boolean;
} & (
  | { readonly type: 'stream'; readonly to: number; readonly topic: string }
  | { readonly type: 'private'; readonly to: readonly number[] }
);

export interface Reminder {
  readonly reminder_id: number;
  readonly rendered_content: string;
  /** In seconds. */
  readonly scheduled_delivery_timestamp: number;
}

/** What one has written and not sent. */
export interface StoredDraft {
  readonly id: number;
  /** Empty: it is addressed to nobody yet. */
  readonly type: '' | 'stream' | 'private';
  readonly to: readonly number[];
  readonly topic: string;
  readonly content: string;
  /** When it was edited last, in seconds. */
  readonly timestamp: number;
}

/** An emoji of the organization's own. */
export interface OwnEmoji {
  readonly name: string;
  /** The address of its picture. */
  readonly source_url: string;
  readonly deactivated: boolean;
}

interface Unread {
  readonly unread_message_ids: readonly number[];
}

/** When somebody was seen, in seconds by the server's clock. */
export interface Seen {
  readonly active_timestamp?: number;
  readonly idle_timestamp?: number;
}

/** What is told of presence, in each answer that tells of it. */
export interface Presences {
  /** By the id of the person. */
  readonly presences: Readonly<Record<string, Seen>>;
  readonly presence_last_update_id: number;
  readonly server_timestamp: number;
}

/** Of an event, only what has changed; empty: it has none. */
export interface Status {
  readonly status_text?: string;
  readonly emoji_name?: string;
  readonly emoji_code?: string;
  readonly reaction_type?: string;
}

/** The answer of `POST /register`. */
export interface Registered extends Presences {
  readonly queue_id: string;
  readonly last_event_id: number;
  readonly user_id: number;
  readonly max_message_id: number;
  readonly realm_users: readonly Person[];
  readonly realm_non_active_users: readonly Person[];
  readonly cross_realm_bots: readonly Person[];
  readonly subscriptions: readonly Channel[];
  readonly starred_messages: readonly number[];
  readonly scheduled_messages: readonly Scheduled[];
  readonly reminders: readonly Reminder[];
  readonly drafts: readonly StoredDraft[];
  readonly max_message_length: number;
  readonly user_settings: Settings;
  /** Settings of the organization by their names in `PATCH /realm`, and others of its facts. */
  readonly [fact: `realm_${string}`]: unknown;
  readonly server_supported_permission_settings: Readonly<Record<'realm' | 'stream' | 'group', PermissionRules>>;
  readonly server_presence_ping_interval_seconds: number;
  readonly server_presence_offline_threshold_seconds: number;
  /** By the id of the person; those who have none are not in it. */
  readonly user_status: Readonly<Record<string, Status>>;
  /** Where the names of all emoji are. */
  readonly server_emoji_data_url: string;
  /** The organization's own. */
  readonly realm_emoji: Readonly<Record<string, OwnEmoji>>;
  readonly recent_private_conversations: readonly {
    readonly user_ids: readonly number[];
    readonly max_message_id: number;
  }[];
  readonly unread_msgs: {
    readonly streams: readonly (Unread & { readonly stream_id: number; readonly topic: string })[];
    readonly pms: readonly (Unread & { readonly other_user_id: number })[];
    readonly huddles: readonly (Unread & { readonly user_ids_string: string })[];
    readonly mentions: readonly number[];
  };
}

interface MessageDetails {
  readonly type: 'stream' | 'private';
  readonly stream_id?: number;
  readonly topic?: string;
  readonly user_ids?: readonly number[];
  readonly mentioned?: boolean;
}

interface Numbered {
  readonly id: number;
}

export interface MessageEvent extends Numbered {
  readonly type: 'message';
  readonly message: Omit<Message, 'flags'>;
  readonly flags: readonly string[];
  /** Told to the queue that sent the message alone. */
  readonly local_message_id?: string;
}

export interface UpdateMessageEvent extends Numbered {
  readonly type: 'update_message';
  readonly message_id: number;
  readonly message_ids: readonly number[];
  readonly flags: readonly string[];
  readonly edit_timestamp: number;
  readonly rendered_content?: string;
  readonly stream_id?: number;
  readonly new_stream_id?: number;
  readonly orig_subject?: string;
  readonly subject?: string;
}

export interface FlagsEvent extends Numbered {
  readonly type: 'update_message_flags';
  readonly op: 'add' | 'remove';
  readonly flag: string;
  readonly messages: readonly number[];
  readonly all: boolean;
  readonly message_details?: Readonly<Record<string, MessageDetails>>;
}

interface DeleteMessageEvent extends Numbered {
  readonly type: 'delete_message';
  readonly message_ids: readonly number[];
}

export interface ReactionEvent extends Numbered, Reaction {
  readonly type: 'reaction';
  readonly op: 'add' | 'remove';
  readonly message_id: number;
}

type SubscriptionEvent = Numbered & { readonly type: 'subscription' } & (
    | { readonly op: 'add'; readonly subscriptions: readonly Channel[] }
    | { readonly op: 'remove'; readonly subscriptions: readonly { readonly stream_id: number }[] }
    | { readonly op: 'update'; readonly stream_id: number; readonly property: string; readonly value: unknown }
    | { readonly op: 'peer_add' | 'peer_remove' }
  );

type ChannelEvent = Numbered & { readonly type: 'stream' } & (
    | { readonly op: 'update'; readonly stream_id: number; readonly property: string; readonly value: unknown }
    | { readonly op: 'delete'; readonly stream_ids: readonly number[] }
    | { readonly op: 'create' }
  );

interface PersonEvent extends Numbered {
  readonly type: 'realm_user';
  readonly op: 'add' | 'update';
  readonly person: Partial<Person> & { readonly user_id: number; readonly new_email?: string };
}

export interface TypingEvent extends Numbered {
  readonly type: 'typing';
  readonly op: 'start' | 'stop';
  readonly sender: { readonly user_id: number };
  /** Of a direct conversation, with the sender. */
  readonly recipients?: readonly { readonly user_id: number }[];
  readonly stream_id?: number;
  readonly topic?: string;
}

type ScheduledEvent = Numbered & { readonly type: 'scheduled_messages' } & (
    | { readonly op: 'add'; readonly scheduled_messages: readonly Scheduled[] }
    | { readonly op: 'update'; readonly scheduled_message: Scheduled }
    | { readonly op: 'remove'; readonly scheduled_message_id: number }
  );

type ReminderEvent = Numbered & { readonly type: 'reminders' } & (
    | { readonly op: 'add'; readonly reminders: readonly Reminder[] }
    | { readonly op: 'remove'; readonly reminder_id: number }
  );

type DraftEvent = Numbered & { readonly type: 'drafts' } & (
    | { readonly op: 'add'; readonly drafts: readonly StoredDraft[] }
    | { readonly op: 'update'; readonly draft: StoredDraft }
    | { readonly op: 'remove'; readonly draft_id: number }
  );

interface OwnEmojiEvent extends Numbered {
  readonly type: 'realm_emoji';
  readonly op: 'update';
  readonly realm_emoji: Readonly<Record<string, OwnEmoji>>;
}

interface SettingsEvent extends Numbered {
  readonly type: 'user_settings';
  readonly op: 'update';
  readonly property: string;
  readonly value: unknown;
}

type RealmEvent = Numbered & { readonly type: 'realm' } & (
    | { readonly op: 'update'; readonly property: string; readonly value: unknown }
    | { readonly op: 'update_dict'; readonly property: string; readonly data: Readonly<Record<string, unknown>> }
  );

interface PresenceEvent extends Numbered {
  readonly type: 'presence';
  readonly presences: Readonly<Record<string, Seen>>;
}

interface StatusEvent extends Numbered, Status {
  readonly type: 'user_status';
  readonly user_id: number;
}

export type ClientEvent =
  | MessageEvent
  | UpdateMessageEvent
  | FlagsEvent
  | DeleteMessageEvent
  | ReactionEvent
  | SubscriptionEvent
  | ChannelEvent
  | PersonEvent
  | TypingEvent
  | ScheduledEvent
  | ReminderEvent
  | DraftEvent
  | SettingsEvent
  | RealmEvent
  | OwnEmojiEvent
  | PresenceEvent
  | StatusEvent
  | (Numbered & { readonly type: 'user_group' | 'heartbeat' });
