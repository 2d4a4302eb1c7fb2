import type { DomainEvent } from '../../kernel/event.js';
import { defineEvent } from '../../kernel/event-definition.js';
import type { Position } from '../../kernel/position.js';
import type { RaisedPolicy } from '../../personal/domain/topic-habits.settings.js';
import type { MessageContent, Recipient } from './messages.events.js';

/** What has become of one message. It begins with the `MessageSent` of the stream `messages` (D2). */
export const messageStream = (messageId: number): string => `message-${messageId}`;

/** Words that took the place of others; they say so only under the seal. */
export interface EditedContent extends MessageContent {
  /** SHA-256 of the text that they replace, hexadecimal. */
  readonly previousSha256: string;
  /** The files that those linked to; absent where there was none. */
  readonly previousAttachmentIds?: readonly number[];
}

/** Where the message was, as far as was known when this was decided: a move may have come in between. */
export interface Placed {
  readonly place: Recipient;
  /** Moves up to here are in it; absent: none came in between. */
  readonly placeAsOf?: Position;
}

/** Sealed under the key of the message's own `MessageSent`: with that key, all its words are gone (D7). */
export type MessageEdited = DomainEvent<
  'MessageEdited',
  Placed & {
    readonly messageId: number;
    /** What was sent is revision 0; each edit makes the next one. */
    readonly previousContentRevision: number;
    readonly contentRevision: number;
    /** null once the message's key has been destroyed. */
    readonly content: EditedContent | null;
  }
>;

export type MessageDeleted = DomainEvent<
  'MessageDeleted',
  Placed & {
    readonly messageId: number;
    readonly senderId: number;
    /** Names the content key that goes with it. */
    readonly keyId: string;
    /**
     * The files that any of its words linked to, ascending; absent where there was none. In the open: whose files they
     * are has to be told when nobody can read the words any more.
     */
    readonly attachmentIds?: readonly number[];
  }
>;

export const REACTION_TYPES = ['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'] as const;

export type ReactionType = (typeof REACTION_TYPES)[number];

/** `emojiCode` and `reactionType` say which emoji it is; `emojiName` is what it was called then. */
export interface Emoji {
  readonly emojiName: string;
  readonly emojiCode: string;
  readonly reactionType: ReactionType;
}

interface ReactionData extends Emoji, Placed {
  readonly messageId: number;
  readonly userId: number;
}

export type ReactionAdded = DomainEvent<
  'ReactionAdded',
  ReactionData & {
    /** What it makes of the topic to who reacts, by their settings; absent: nothing. */
    readonly userPolicy?: RaisedPolicy;
  }
>;

export type ReactionRemoved = DomainEvent<'ReactionRemoved', ReactionData>;

export type MessageLifeEvent = MessageEdited | MessageDeleted | ReactionAdded | ReactionRemoved;

export const messageLifeEvents = [
  defineEvent<MessageEdited>({ type: 'MessageEdited', version: 1, sealed: 'content' }),
  defineEvent<MessageDeleted>({ type: 'MessageDeleted', version: 1 }),
  defineEvent<ReactionAdded>({ type: 'ReactionAdded', version: 1 }),
  defineEvent<ReactionRemoved>({ type: 'ReactionRemoved', version: 1 }),
];
