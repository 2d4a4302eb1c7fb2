import type { StoredDocument } from '../src/document-store/document-store.js';
import type { Recorded } from '../src/kernel/event.js';
import type { Position } from '../src/kernel/position.js';
import type {
  Emoji,
  MessageDeleted,
  MessageEdited,
  MessageLifeEvent,
  ReactionAdded,
  ReactionRemoved,
} from '../src/messages/domain/message.events.js';
import type { Mentions, Recipient } from '../src/messages/domain/messages.events.js';
import { blockWithout } from './message-blocks.js';
import type { MessageMoves } from './message-journeys.js';
import { type Change, type EventHandlers, insert, type OwnDocuments } from './projection.js';
import { topicWithout } from './topic-documents.js';
import { type WordsFields, withReactions, withWords, wordsFields } from './words-of.js';

/** Words that others have taken the place of. */
export interface PastWords {
  /** Who put others in their place. */
  readonly editorId: number | null;
  /** When; milliseconds since 1970. */
  readonly editedAt: number;
  /** Where in the log. */
  readonly position: Position;
  /** null once the message's key has been destroyed. */
  readonly text: string | null;
  readonly rendered: string | null;
  /** Whom they called; absent where that was nobody. */
  readonly mentions?: Mentions;
}

export interface Reaction extends Emoji {
  readonly userId: number;
}

/** What has become of a message since it was sent; absent where nothing has. */
export interface MessageLife {
  /** Words of its earlier revisions, the first ones first: those at place n are of revision n. */
  readonly pastWords?: readonly PastWords[];
  /** Where in the log its words come from; absent where they are those that were sent. */
  readonly wordsPosition?: Position;
  /** In the order of their coming. */
  readonly reactions?: readonly Reaction[];
}

/** What these rules know of a message's document; the rest of it stays as it is. */
interface LivingDocument extends StoredDocument, MessageLife, MessageMoves, WordsFields {
  readonly _id: number;
  readonly sentPosition: Position;
  readonly position: Position;
  readonly senderId: number;
  readonly channelId?: number;
  readonly topic?: string;
  readonly topicKey?: string;
  readonly participants?: readonly number[];
}

/** Where a message was that is gone: what its deletion is told by. */
export type DeletedMessageDocument = Omit<
  LivingDocument,
  'topicKey' | 'journey' | 'sentTo' | keyof WordsFields | keyof MessageLife
>;

export const messageLifeHandlers = (collection: string, deleted: string): EventHandlers<MessageLifeEvent> => {
  const changed =
    <E extends MessageLifeEvent>(change: (message: LivingDocument, event: Recorded<E>) => LivingDocument) =>
    async (event: Recorded<E>, documents: OwnDocuments): Promise<readonly Change[]> => {
      const message = await documents.collection<LivingDocument>(collection).findOne({ _id: event.data.messageId });
      if (!message || message.position >= event.position) return [];
      const { reactions, ...changed } = change(message, event);
      const now: LivingDocument = {
        ...withReactions(changed, reactions !== undefined),
        ...(reactions && { reactions }),
        position: event.position,
      };
      return [insert(collection, now)];
    };
  return {
    MessageEdited: changed<MessageEdited>((message, { data, metadata, position }) => {
      const { text, rendered, mentions, pastWords = [] } = message;
      const editedAt = metadata.at;
      const past = { editorId: metadata.actorId, editedAt, position, text, rendered, ...(mentions && { mentions }) };
      return {
        ...withWords(message, wordsFields(data.content, sentTo(message))),
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
      const message = await documents.collection<LivingDocument>(collection).findOne({ _id: messageId });
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

/** Who and which emoji: what it was called may differ. */
export const isSameReaction = (one: Omit<Reaction, 'emojiName'>, other: Omit<Reaction, 'emojiName'>): boolean =>
  one.userId === other.userId && one.emojiCode === other.emojiCode && one.reactionType === other.reactionType;

function sentTo(message: LivingDocument): Recipient {
  const { channelId, topic = '', participants = [], sentTo: first } = message;
  if (channelId === undefined) return { type: 'direct', userIds: participants };
  return { type: 'channel', ...(first ?? { channelId, topic }) };
}

async function topicAfter(
  gone: LivingDocument,
  position: Position,
  collection: string,
  documents: OwnDocuments,
): Promise<readonly Change[]> {
  const { _id, sentPosition, channelId, topic, topicKey } = gone;
  if (channelId === undefined || topic === undefined || topicKey === undefined) return [];
  return topicWithout({ _id, sentPosition, channelId, topic, topicKey }, position, collection, documents);
}

function placeOf(message: LivingDocument, position: Position): DeletedMessageDocument {
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
