import type { ChannelRecord, UserGroupRecord, UserRecord } from '../src/directory/directory.records.js';
import type { StoredDocument } from '../src/document-store/document-store.js';
import type { GroupSettingValue } from '../src/kernel/group-setting.js';
import type { JsonObject } from '../src/kernel/json.js';
import type { Position } from '../src/kernel/position.js';
import type { Role } from '../src/kernel/role.js';
import type { TopicPolicy } from '../src/personal/domain/personal.settings.js';
import type { OwnFlag } from '../src/read-state/domain/read-state.events.js';
import type { PropagateMode } from '../src/topics/domain/topics.events.js';
import type { Reaction } from './message-life.js';

/** Room for the client events of one domain event. */
const RANKS = 4096;

/**
 * Client events are numbered by where their cause is in the log, and by their rank under it: computed, never counted
 * (D10). Below 2^53, since positions are below 2^41.
 */
export const clientEventId = (position: Position, rank: number): number => position * RANKS + rank;

/** No client event of anything up to `position` has a higher id, and every later one has. */
export const lastIdAt = (position: Position): number => position * RANKS + RANKS - 1;

export const positionOf = (clientEventId: number): Position => Math.floor(clientEventId / RANKS);

/** People, as a rule that holds as of the event's position: whoever any of the lines names. */
export interface AudienceRule {
  readonly everyone?: true;
  readonly roles?: readonly Role[];
  /** A channel: whoever was subscribed before the event and was still after it. */
  readonly subscribersOf?: number;
  /** Channels: whoever had been subscribed to one of them before the event, and perhaps is no longer. */
  readonly everSubscribedTo?: readonly number[];
  /** Groups: whoever is in one of them, through any number of groups, and is no guest. */
  readonly groups?: readonly GroupSettingValue[];
  readonly userIds?: readonly number[];
}

/** Who gets a client event. It names no one by name whose number grows with the audience of a message. */
export interface Audience extends AudienceRule {
  /** Of those, only whom this names too. */
  readonly among?: AudienceRule;
  readonly except?: AudienceRule;
}

/** The parts of the state that are read, when a queue is registered, each at a position of its own. */
export const STATE_PARTS = ['organization', 'messages', 'personal', 'drafts'] as const;
export type StatePart = (typeof STATE_PARTS)[number];

/** A message as the event's rules need it. Words, names and flags are filled in as the event leaves. */
export interface MessagePayload {
  readonly messageId: number;
  readonly senderId: number;
  readonly readBySender: boolean;
  readonly recipient:
    | { readonly type: 'channel'; readonly channelId: number; readonly topic: string; readonly isPublic: boolean }
    | { readonly type: 'direct'; readonly userIds: readonly number[] };
  readonly localEcho: { readonly queueId: string; readonly localId: string } | null;
}

export interface ChannelPlace {
  readonly type: 'channel';
  readonly channelId: number;
  readonly topic: string;
  readonly isPublic: boolean;
  /** Whoever subscribes reads what was sent before. */
  readonly isHistoryOpen: boolean;
}

/** Where a message is that something happens to. */
export type MessagePlace = ChannelPlace | { readonly type: 'direct'; readonly userIds: readonly number[] };

/** A move, as of when it happened. The messages that it took are listed beside their documents, by its position. */
export interface MovePayload {
  readonly anchorId: number;
  readonly moverId: number | null;
  readonly propagateMode: PropagateMode;
  readonly from: ChannelPlace;
  readonly to: ChannelPlace;
}

interface MessageLifePayload {
  readonly messageId: number;
  readonly place: MessagePlace;
}

/** What the feed keeps of a channel. */
export interface FeedChannel extends ChannelRecord {
  /** null until it has a message. */
  readonly firstMessageId: number | null;
}

/** A channel's own facts as of the event; how many subscribe is told by the directory's intervals. */
export type ChannelPayload = Omit<FeedChannel, 'nameKey' | 'position' | 'sightIntervals'>;

/** A group's own facts as of the event; who was in it is told by the directory's intervals. */
export interface UserGroupPayload extends Omit<UserGroupRecord, 'nameKey' | 'position' | 'subgroupIntervals'> {
  /** Direct ones, ascending. */
  readonly subgroupIds: readonly number[];
}

/** An event that is the same for everybody: its published fields, but for `type`, `op` and `id`. */
export interface Told {
  readonly body: JsonObject;
  /** What clients are told instead that do not know of something; null: nothing. */
  readonly without?: {
    readonly capability: string;
    readonly instead: { readonly kind: ToldKind; readonly body: JsonObject } | null;
  };
  /** The capability of clients that are told otherwise: they are not told this. */
  readonly unless?: string;
}

/** Kinds whose events are told as they stand. */
export type ToldKind =
  | 'alert_words'
  | 'attachment/remove'
  | 'custom_profile_fields'
  | 'default_streams'
  | 'drafts/remove'
  | 'muted_users'
  | 'realm/update'
  | 'realm/update_dict'
  | 'realm_bot/delete'
  | 'realm_bot/update'
  | 'realm_linkifiers'
  | 'realm_playgrounds'
  | 'realm_user/update'
  | 'stream/delete'
  | 'stream/update'
  | 'subscription/remove'
  | 'subscription/update'
  | 'update_display_settings'
  | 'update_global_notifications'
  | 'update_message_flags/add'
  | 'user_group/add_members'
  | 'user_group/add_subgroups'
  | 'user_group/remove'
  | 'user_group/remove_members'
  | 'user_group/remove_subgroups'
  | 'user_group/update'
  | 'user_settings/update';

/** Kinds whose events differ from reader to reader, or with what a client has asked for. */
interface Shapes {
  message: MessagePayload;
  /** What it is called, and which messages link to it, are filled in as the event leaves. */
  'attachment/add': AttachmentPayload;
  'attachment/update': AttachmentPayload;
  /** As they are by then. */
  'drafts/add': DraftsPayload;
  'drafts/update': DraftsPayload;
  /** Of the words; they are filled in by their revision as the event leaves. */
  update_message: MessageLifePayload & { readonly editorId: number | null; readonly contentRevision: number };
  delete_message: MessageLifePayload;
  'update_message/moved': MovePayload;
  /** Where they come to nothing is unread to who is not there; what has come back to who is may be starred. */
  'update_message_flags/moved': MovePayload;
  /** To who may read them no more. */
  'delete_message/moved': MovePayload;
  'reaction/add': MessageLifePayload & Reaction;
  'reaction/remove': MessageLifePayload & Reaction;
  /** All of them, for clients that are older than `user_topic`: read as the event leaves. */
  muted_topics: Readonly<Record<never, never>>;
  'realm_bot/add': { readonly bot: BotFacts };
  'realm_user/add': { readonly user: UserFacts };
  /** `realm_user/update`, of the picture that follows from the address. */
  'realm_user/avatar': { readonly userId: number; readonly email: string };
  'stream/create': { readonly channel: ChannelPayload } & ToldBefore;
  /** `stream/create` and `stream/delete`, of as many channels as the event brings into the reader's sight, or takes. */
  'stream/gained': Sight;
  'stream/lost': Sight;
  'subscription/add': { readonly channel: ChannelPayload } & ToldBefore;
  /** `subscription/peer_add` and `subscription/peer_remove`, of every channel that an account was in which begins again, or ends. */
  'subscription/back': { readonly userId: number };
  'subscription/gone': { readonly userId: number };
  /** `subscription/peer_add`, one event for each channel that `stream/gained` tells of. */
  'subscription/gained': Sight;
  /** `subscription/peer_add`, of everybody who is subscribed: to who comes to see that. */
  'subscription/peers': { readonly channelId: number; readonly isArchived: boolean } & ToldBefore;
  'subscription/peer_add': Peers;
  'subscription/peer_remove': Peers;
  /** Where messages become unread, clients are told where they are: filled in as the event leaves. */
  'update_message_flags/remove': { readonly flag: OwnFlag; readonly messageIds: readonly number[] };
  /** `toldBefore`: the capability of clients that know of the group already; null: it is new to all. */
  'user_group/add': { readonly group: UserGroupPayload; readonly toldBefore: string | null };
  user_topic: {
    readonly channelId: number;
    readonly topic: string;
    readonly policy: TopicPolicy;
    /** Milliseconds since 1970. */
    readonly setAt: number;
  };
}

interface AttachmentPayload {
  readonly attachmentId: number;
  /** By all files, after the event. */
  readonly spaceUsed: number;
}

interface DraftsPayload {
  readonly userId: number;
  readonly draftIds: readonly number[];
}

interface ToldBefore {
  /** The capability of clients that know of it already; absent: it is new to all. */
  readonly toldBefore?: string;
}

interface Peers {
  readonly channelIds: readonly number[];
  readonly userIds: readonly number[];
  /** Of channels that only some clients know of. */
  readonly isArchived: boolean;
}

/** Which channels come into sight, or go out of it, depends on who asks: they are found as the event leaves. */
type Sight = Readonly<Record<never, never>>;

/** What an account's creation fixes. */
export type UserFacts = Pick<UserRecord, '_id' | 'email' | 'fullName' | 'role' | 'bot'>;

/** What those who keep a bot are told of it. */
export type BotFacts = Pick<UserRecord, '_id' | 'email' | 'fullName' | 'bot' | 'isActive'>;

export type ClientEventKind = keyof Shapes | ToldKind;

/** One event of the feed, before it is somebody's: `kind` is the published type, and the operation where it has one. */
export interface ClientEventOf<Kind extends ClientEventKind> extends StoredDocument {
  readonly _id: number;
  /** Of its cause: what the feed is read by. */
  readonly position: Position;
  readonly kind: Kind;
  readonly part: StatePart;
  readonly audience: Audience;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly payload: Kind extends keyof Shapes ? Shapes[Kind] : Told;
}

export type ClientEventDocument = { readonly [Kind in ClientEventKind]: ClientEventOf<Kind> }[ClientEventKind];

export type ToldEvent = { readonly [Kind in ToldKind]: ClientEventOf<Kind> }[ToldKind];

/** What a queue names in `event_types`: the part of the kind before the operation. */
export const typeOf = (kind: ClientEventKind): string => kind.split('/', 1)[0] ?? kind;
