import type { ChannelRecord } from '../src/directory/directory.records.js';
import type { StoredDocument } from '../src/document-store/document-store.js';
import type { Position } from '../src/kernel/position.js';
import type { Role } from '../src/kernel/role.js';
import type { UserCreated } from '../src/users/domain/users.events.js';

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

/**
 * Who gets a client event, as a rule that holds as of the event's position: whoever any of the first four lines names,
 * unless one of the last two does. It names no one by name whose number grows with the audience of a message.
 */
export interface Audience {
  readonly everyone?: true;
  readonly roles?: readonly Role[];
  /** A channel: whoever was subscribed before the event and was still after it. */
  readonly subscribersOf?: number;
  readonly userIds?: readonly number[];
  readonly exceptUserIds?: readonly number[];
  readonly exceptRoles?: readonly Role[];
}

/** The parts of the state that are read, when a queue is registered, each at a position of its own. */
export const STATE_PARTS = ['organization', 'messages'] as const;
export type StatePart = (typeof STATE_PARTS)[number];

/** A message as the event's rules need it. Words, names and flags are filled in as the event leaves. */
export interface MessagePayload {
  readonly messageId: number;
  readonly senderId: number;
  readonly recipient:
    | { readonly type: 'channel'; readonly channelId: number; readonly topic: string; readonly isPublic: boolean }
    | { readonly type: 'direct'; readonly userIds: readonly number[] };
  readonly localEcho: { readonly queueId: string; readonly localId: string } | null;
}

/** What the feed keeps of a channel. */
export interface FeedChannel extends ChannelRecord {
  /** null until it has a message. */
  readonly firstMessageId: number | null;
}

/** A channel's own facts as of the event; how many subscribe is told by the directory's intervals. */
export type ChannelPayload = Omit<FeedChannel, 'nameKey' | 'position'>;

interface Shapes {
  message: MessagePayload;
  'realm_user/add': Omit<UserCreated['data'], 'passwordHash'>;
  'realm_user/update': { readonly userId: number; readonly isActive: boolean };
  'stream/create': { readonly channel: ChannelPayload };
  'stream/update': {
    readonly channelId: number;
    readonly name: string;
    readonly property: 'first_message_id';
    readonly value: number;
  };
  'stream/delete': { readonly channelId: number };
  'subscription/add': { readonly channel: ChannelPayload };
  'subscription/remove': { readonly channelId: number; readonly name: string };
  'subscription/peer_add': { readonly channelId: number; readonly userIds: readonly number[] };
  'subscription/peer_remove': { readonly channelId: number; readonly userIds: readonly number[] };
}

export type ClientEventKind = keyof Shapes;

/** One event of the feed, before it is somebody's: `kind` is the published type, and the operation where it has one. */
export interface ClientEventOf<Kind extends ClientEventKind> extends StoredDocument {
  readonly _id: number;
  readonly kind: Kind;
  readonly part: StatePart;
  readonly audience: Audience;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly payload: Shapes[Kind];
}

export type ClientEventDocument = { readonly [Kind in ClientEventKind]: ClientEventOf<Kind> }[ClientEventKind];

/** What a queue names in `event_types`: the part of the kind before the operation. */
export const typeOf = (kind: ClientEventKind): string => kind.split('/', 1)[0] ?? kind;
