import type { Concerned } from '../../platform/kernel/concerned.js';
import type { DomainEvent, Recorded } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import type { RaisedPolicy } from '../personal/auto-topic-policy.settings.js';
import { concernedAddressees, concernedTogether } from '../shared/concerned.js';

/** Holds only `MessageSent`: a message's id is its revision in this stream + 1 (D3). */
export const MESSAGES_STREAM = 'messages';

export const messageIdAt = (revision: number): number => revision + 1;

export const revisionOf = (messageId: number): number => messageId - 1;

export type Recipient =
  | { readonly type: 'channel'; readonly channelId: number; readonly topic: string }
  | { readonly type: 'direct'; readonly userIds: readonly number[] };

/** The users and groups that a message mentions. Each list is absent if empty. */
export interface Mentions {
  readonly userIds?: readonly number[];
  /** Mentions all users who were members of one of the groups when the content was written. */
  readonly groupIds?: readonly number[];
  readonly wildcards?: readonly Wildcard[];
  /** The topic's participants at the time, if the wildcard `topic` mentions them. */
  readonly participantIds?: readonly number[];
}

/** `stream` mentions all recipients of the message, `topic` all participants of its topic. */
export type Wildcard = 'stream' | 'topic';

/** The text of a message, and its rendering by the rules at the time (D6). */
export interface MessageContent {
  readonly text: string;
  readonly rendered: string;
  readonly rendererVersion: number;
  /** Absent if the text mentions nobody. */
  readonly mentions?: Mentions;
  /** Ids of the linked uploads that the writer may see, ascending; absent if there are none. */
  readonly attachmentIds?: readonly number[];
}

/** A message is in a channel or in a direct conversation. */
export type MessageSent = DomainEvent<
  'MessageSent',
  {
    readonly senderId: number;
    readonly recipient: Recipient;
    readonly readBySender: boolean;
    /** The queue whose `message` event carries the client's `local_id`, as `POST /messages` asked. */
    readonly localEcho: { readonly queueId: string; readonly localId: string } | null;
    /** Identifies a repeat of this send (D3); null for a send without a key. */
    readonly sendKey: {
      /** Derived from the caller and the caller's key. */
      readonly id: string;
      readonly kind: 'idempotency-key' | 'local-id';
      /** HMAC of the request's parameters under the message's content key: useless once the key is destroyed. */
      readonly digest: string;
    } | null;
    /** The topic policy that the send sets for the sender, by the sender's settings; absent: none. */
    readonly senderPolicy?: RaisedPolicy;
    /** Users who begin to follow the topic because the message mentions them, ascending; absent: nobody. */
    readonly newFollowerIds?: readonly number[];
    /** Generic bots that get the message by a mention, without reading the channel, ascending; absent: none. */
    readonly calledBotIds?: readonly number[];
    /** null once the message's content key is destroyed. */
    readonly content: MessageContent | null;
  }
>;

/** A message concerns its conversation. Its sender is concerned only if somebody else, such as the server, has sent it. */
function concernedBySend({ data, revision, metadata }: Recorded<MessageSent>): Concerned {
  const { senderId, recipient, newFollowerIds = [], calledBotIds = [] } = data;
  const senderIds = senderId === metadata.actorId ? [] : [senderId];
  return concernedTogether(
    { messageIds: [messageIdAt(revision)], userIds: [...senderIds, ...newFollowerIds, ...calledBotIds] },
    concernedAddressees(recipient),
  );
}

export const messagesEvents = [
  defineEvent<MessageSent>({
    type: 'MessageSent',
    concerns: concernedBySend,
    sealed: { field: 'content', under: 'own key', shownTo: 'message' },
    unsealed: { localEcho: 'ids of the client', sendKey: 'an id and a digest' },
  }),
];
