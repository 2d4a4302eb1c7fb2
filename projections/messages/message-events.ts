import type {
  Emoji,
  MessageDeleted,
  MessageEdited,
  MessageEvent,
  ReactionAdded,
  ReactionRemoved,
} from '../../src/events/messages/message.events.js';
import type { Mentions, Recipient } from '../../src/events/messages/messages.events.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import type { Position } from '../../src/platform/kernel/position.js';
import {
  type Change,
  type EventHandlers,
  insert,
  type OwnDocuments,
} from '../../src/platform/read-models/projection.js';
import { type ContentFields, contentFields, withContent, withReactions } from './content-fields.js';
import { blockWithout } from './message-blocks.js';
import { languageAt } from './message-language.js';
import type { MessageMoves } from './move-history.js';
import { topicWithout } from './topic-documents.js';

/** Content that an edit has replaced. */
export interface PastContent {
  readonly editorId: number | null;
  /** Milliseconds since 1970. */
  readonly editedAt: number;
  /** Position of the edit in the log. */
  readonly position: Position;
  /** null once the message's key has been destroyed. */
  readonly text: string | null;
  readonly rendered: string | null;
  /** The mentioned users and groups; absent without any. */
  readonly mentions?: Mentions;
}

export interface Reaction extends Emoji {
  readonly userId: number;
}

/** Changes of a message since it was sent. Each field is absent without such changes. */
export interface MessageChanges {
  /** Content of the earlier revisions: place n holds revision n. */
  readonly pastWords?: readonly PastContent[];
  /** Position in the log of the current content; absent if the content was never edited. */
  readonly wordsPosition?: Position;
  /** In the order in which they were added. */
  readonly reactions?: readonly Reaction[];
}

/** The fields of a message's document that these rules know. The others stay as they are. */
interface CurrentMessage extends StoredDocument, MessageChanges, MessageMoves, ContentFields {
  readonly _id: number;
  readonly sentPosition: Position;
  readonly position: Position;
  readonly senderId: number;
  readonly channelId?: number;
  readonly topic?: string;
  readonly topicKey?: string;
  readonly participants?: readonly number[];
}

/** The place of a deleted message, for the client events of its deletion. */
export type DeletedMessageDocument = Omit<
  CurrentMessage,
  'topicKey' | 'journey' | 'sentTo' | keyof ContentFields | keyof MessageChanges
>;

export const messageEventHandlers = (collection: string, deleted: string): EventHandlers<MessageEvent> => {
  const changed =
    <E extends MessageEvent>(
      change: (
        message: CurrentMessage,
        event: Recorded<E>,
        documents: OwnDocuments,
      ) => CurrentMessage | Promise<CurrentMessage>,
    ) =>
    async (event: Recorded<E>, documents: OwnDocuments): Promise<readonly Change[]> => {
      const message = await documents.collection<CurrentMessage>(collection).findOne({ _id: event.data.messageId });
      if (!message || message.position >= event.position) return [];
      const { reactions, ...changed } = await change(message, event, documents);
      const now: CurrentMessage = {
        ...withReactions(changed, reactions !== undefined),
        ...(reactions && { reactions }),
        position: event.position,
      };
      return [insert(collection, now)];
    };
  return {
    MessageEdited: changed<MessageEdited>(async (message, event, documents) => {
      const { data, metadata, position } = event;
      const { text, rendered, mentions, pastWords = [] } = message;
      const editedAt = metadata.at;
      const past = { editorId: metadata.actorId, editedAt, position, text, rendered, ...(mentions && { mentions }) };
      return {
        ...withContent(message, contentFields(data.content, sentTo(message), await languageAt(event, documents))),
        pastWords: [...pastWords, past],
        wordsPosition: position,
      };
    }),
    ReactionAdded: changed<ReactionAdded>((message, { data }) => {
      const { userId, emojiName, emojiCode, reactionType } = data;
      const added = { userId, emojiName, emojiCode, reactionType };
      return { ...message, reactions: [...(message.reactions ?? []), added] };
    }),
    ReactionRemoved: changed<ReactionRemoved>((message, { data }) => {
      const { reactions, ...rest } = message;
      const left = (reactions ?? []).filter((one) => !isSameReaction(one, data));
      return left.length > 0 ? { ...rest, reactions: left } : rest;
    }),
    MessageDeleted: async (event: Recorded<MessageDeleted>, documents) => {
      const { messageId } = event.data;
      const message = await documents.collection<CurrentMessage>(collection).findOne({ _id: messageId });
      if (!message) return [];
      return [
        ...(await topicAfter(message, event.position, collection, documents)),
        ...(await blockWithout(messageId, event.position, documents)),
        insert(deleted, placeOf(message, event.position)),
        { collection, operation: { deleteOne: { filter: { _id: messageId } } } },
      ];
    },
  };
};

/** The same user and emoji. The emoji's name may differ. */
const isSameReaction = (one: Omit<Reaction, 'emojiName'>, other: Omit<Reaction, 'emojiName'>): boolean =>
  one.userId === other.userId && one.emojiCode === other.emojiCode && one.reactionType === other.reactionType;

function sentTo(message: CurrentMessage): Recipient {
  const { channelId, topic = '', participants = [], sentTo: first } = message;
  if (channelId === undefined) return { type: 'direct', userIds: participants };
  return { type: 'channel', ...(first ?? { channelId, topic }) };
}

async function topicAfter(
  gone: CurrentMessage,
  position: Position,
  collection: string,
  documents: OwnDocuments,
): Promise<readonly Change[]> {
  const { _id, sentPosition, channelId, topic, topicKey } = gone;
  if (channelId === undefined || topic === undefined || topicKey === undefined) return [];
  return topicWithout({ _id, sentPosition, channelId, topic, topicKey }, position, collection, documents);
}

function placeOf(message: CurrentMessage, position: Position): DeletedMessageDocument {
  const { _id, sentPosition, senderId, channelId, topic, participants } = message;
  const { arrivedPosition, firstChannelId, between } = message;
  return {
    _id,
    sentPosition,
    position,
    senderId,
    ...(channelId === undefined ? {} : { channelId }),
    ...(topic === undefined ? {} : { topic }),
    ...(participants ? { participants } : {}),
    ...(arrivedPosition === undefined ? {} : { arrivedPosition }),
    ...(firstChannelId === undefined ? {} : { firstChannelId }),
    ...(between ? { between } : {}),
  };
}
