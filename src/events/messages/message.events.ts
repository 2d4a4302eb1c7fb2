import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import type { Position } from '../../platform/kernel/position.js';
import type { RaisedPolicy } from '../personal/auto-topic-policy.settings.js';
import { concernedAddressees, concernedTogether } from '../shared/concerned.js';
import type { MessageContent, Recipient } from './messages.events.js';

/** Events of one message after the `MessageSent` in the stream `messages` (D2). */
export const messageStream = (messageId: number): string => `message-${messageId}`;

/** The content after an edit. Facts about the previous content are sealed with it. */
export interface EditedContent extends MessageContent {
  /** SHA-256 of the previous text, hexadecimal. */
  readonly previousSha256: string;
  /** Ids of the uploads that the previous content linked to; absent if there were none. */
  readonly previousAttachmentIds?: readonly number[];
}

/** The message's place as known when the event was decided. A move may have come in between. */
export interface Placed {
  readonly place: Recipient;
  /** `place` reflects the moves up to this position; absent: no move came in between. */
  readonly placeAsOf?: Position;
}

/**
 * A message has another text. Sealed under the key of the message's `MessageSent`: destroying that key erases all content
 * of the message (D7).
 */
export type MessageEdited = DomainEvent<
  'MessageEdited',
  Placed & {
    readonly messageId: number;
    /** The content as sent is revision 0; each edit makes the next revision. */
    readonly previousContentRevision: number;
    readonly contentRevision: number;
    /** The same request moves the message next. Absent: it does not. */
    readonly moves?: true;
    /** null once the message's content key is destroyed. */
    readonly content: EditedContent | null;
  }
>;

/** A message is deleted, and its words in all revisions. */
export type MessageDeleted = DomainEvent<
  'MessageDeleted',
  Placed & {
    readonly messageId: number;
    readonly senderId: number;
    /** The content key, which is destroyed too. */
    readonly keyId: string;
    /**
     * Ids of the uploads that any revision linked to, ascending; absent if there were none. Not sealed: the uploads'
     * owners must learn of the deletion after the content is erased.
     */
    readonly attachmentIds?: readonly number[];
  }
>;

export const REACTION_TYPES = ['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'] as const;

export type ReactionType = (typeof REACTION_TYPES)[number];

/** `emojiCode` and `reactionType` identify the emoji; `emojiName` is its name at the time. */
export interface Emoji {
  readonly emojiName: string;
  readonly emojiCode: string;
  readonly reactionType: ReactionType;
}

interface ReactionData extends Emoji, Placed {
  readonly messageId: number;
  readonly userId: number;
}

/** A user has reacted to a message with an emoji. */
export type ReactionAdded = DomainEvent<
  'ReactionAdded',
  ReactionData & {
    /** The topic policy that the reaction sets for its user, by the user's settings; absent: none. */
    readonly userPolicy?: RaisedPolicy;
  }
>;

/** A user has taken back a reaction. */
export type ReactionRemoved = DomainEvent<'ReactionRemoved', ReactionData>;

export type MessageEvent = MessageEdited | MessageDeleted | ReactionAdded | ReactionRemoved;

export const messageEvents = [
  defineEvent<MessageEdited>({
    type: 'MessageEdited',
    concerns: ({ data: { messageId, place } }) =>
      concernedTogether({ messageIds: [messageId] }, concernedAddressees(place)),
    sealed: { field: 'content', under: 'existing key', shownTo: 'message' },
  }),
  defineEvent<MessageDeleted>({
    type: 'MessageDeleted',
    concerns: ({ data: { messageId, senderId, place } }) =>
      concernedTogether({ messageIds: [messageId], userIds: [senderId] }, concernedAddressees(place)),
    keys: { keyId: 'ends' },
  }),
  defineEvent<ReactionAdded>({
    type: 'ReactionAdded',
    concerns: ({ data: { messageId, userId, place } }) =>
      concernedTogether({ messageIds: [messageId], userIds: [userId] }, concernedAddressees(place)),
  }),
  defineEvent<ReactionRemoved>({
    type: 'ReactionRemoved',
    concerns: ({ data: { messageId, userId, place } }) =>
      concernedTogether({ messageIds: [messageId], userIds: [userId] }, concernedAddressees(place)),
  }),
];
