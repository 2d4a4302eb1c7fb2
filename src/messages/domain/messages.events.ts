import type { DomainEvent } from '../../kernel/event.js';
import { defineEvent } from '../../kernel/event-definition.js';
import type { RaisedPolicy } from '../../personal/domain/topic-habits.settings.js';

/** Holds `MessageSent` and nothing else: a message's id is its revision here + 1 (D3). */
export const MESSAGES_STREAM = 'messages';

export const messageIdAt = (revision: number): number => revision + 1;

export const revisionOf = (messageId: number): number => messageId - 1;

export type Recipient =
  | { readonly type: 'channel'; readonly channelId: number; readonly topic: string }
  /** Everyone in the conversation, the sender included; ascending, no repeats. */
  | { readonly type: 'direct'; readonly userIds: readonly number[] };

/** Whom words concern; each list absent where it is empty. */
export interface Mentions {
  readonly userIds?: readonly number[];
  /** Everybody who was in one of them when the words were written. */
  readonly groupIds?: readonly number[];
  readonly wildcards?: readonly Wildcard[];
  /** Who took part in the topic then, where all of them are mentioned. */
  readonly participantIds?: readonly number[];
}

/** Everybody who gets the message, or everybody who takes part in its topic. */
export type Wildcard = 'stream' | 'topic';

/** What a person wrote and what the rules made of it when it was sent (D6). */
export interface MessageContent {
  readonly text: string;
  readonly rendered: string;
  readonly rendererVersion: number;
  /** Absent where the words concern nobody by name. */
  readonly mentions?: Mentions;
  /** Uploaded files that the words link to and that their writer may see, ascending; absent where there is none. */
  readonly attachmentIds?: readonly number[];
}

export type MessageSent = DomainEvent<
  'MessageSent',
  {
    readonly senderId: number;
    readonly recipient: Recipient;
    readonly readBySender: boolean;
    /** The queue whose `message` event carries the client's `local_id` (api.md, endpoint 1). */
    readonly localEcho: { readonly queueId: string; readonly localId: string } | null;
    /** What makes a repeat of this send recognisable (D3); null for a send without any key. */
    readonly sendKey: {
      /** Derived from the caller and the key it chose. */
      readonly id: string;
      readonly kind: 'idempotency-key' | 'local-id';
      /** HMAC of the request's parameters under the message's content key: tells nothing once that key is gone. */
      readonly digest: string;
    } | null;
    /** What the send makes of the topic to its sender, by their settings; absent: nothing. */
    readonly senderPolicy?: RaisedPolicy;
    /** Who follows the topic from now on because the words mention them, ascending; absent: nobody. */
    readonly newFollowerIds?: readonly number[];
    /** null once the message's key has been destroyed. */
    readonly content: MessageContent | null;
  }
>;

export type MessageEvent = MessageSent;

export const messageEvents = [defineEvent<MessageSent>({ type: 'MessageSent', version: 1, sealed: 'content' })];
