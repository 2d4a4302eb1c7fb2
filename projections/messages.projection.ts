import type { StoredDocument } from '../src/document-store/document-store.js';
import type { Recorded } from '../src/kernel/event.js';
import { fold } from '../src/kernel/fold.js';
import type { Position } from '../src/kernel/position.js';
import type { MessageLifeEvent } from '../src/messages/domain/message.events.js';
import { type MessageSent, messageIdAt, type Recipient } from '../src/messages/domain/messages.events.js';
import type { MessagesMoved } from '../src/topics/domain/topics.events.js';
import { BLOCKS, blockOf, blockWritten, PLACES, placeId } from './message-blocks.js';
import { JOURNEYS, type MessageMoves } from './message-journeys.js';
import { type MessageLife, messageLifeHandlers } from './message-life.js';
import { ARRIVALS, MOVES, messagesMoved } from './message-moves.js';
import { insert, type LookUp, projection } from './projection.js';
import { TOPICS, topicId, topicWritten } from './topic-documents.js';
import { type WordsFields, wordsFields } from './words-of.js';

interface SentMessage extends StoredDocument, MessageLife, MessageMoves, WordsFields {
  /** The message's id. */
  readonly _id: number;
  /** Where its MessageSent is in the log; ids and these are in the same order. */
  readonly sentPosition: Position;
  /** What last changed it. */
  readonly position: Position;
  readonly senderId: number;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  /** Name of the client program that sent it. */
  readonly client: string;
  readonly readBySender: boolean;
}

export interface ChannelMessageDocument extends SentMessage {
  readonly type: 'channel';
  readonly channelId: number;
  readonly topic: string;
  /** `topic` folded: topics that differ only in case are one. */
  readonly topicKey: string;
}

export interface DirectMessageDocument extends SentMessage {
  readonly type: 'direct';
  /** Names the conversation: `participants` joined by commas, as in src/messages/domain/dm-key. */
  readonly dmKey: string;
  /** Ids of everyone in it, the sender included, ascending. */
  readonly participants: readonly number[];
}

/** What is true of a message for everybody (D9). */
export type MessageDocument = ChannelMessageDocument | DirectMessageDocument;

export const MESSAGES = 'messages';

/** Messages that are gone: their places, and nothing that anybody wrote. */
export const DELETED_MESSAGES = 'deleted';

export const messages = projection<MessageSent | MessageLifeEvent | MessagesMoved>({
  name: 'messages',
  version: 4,
  holdsWords: true,
  collections: {
    [MESSAGES]: {
      indexes: [
        { keys: { sentPosition: 1 } },
        { keys: { channelId: 1, sentPosition: 1 }, sparse: true },
        { keys: { channelId: 1, topicKey: 1, sentPosition: 1 }, sparse: true },
        { keys: { senderId: 1, sentPosition: 1 } },
        { keys: { dmKey: 1, sentPosition: 1 }, sparse: true },
        { keys: { participants: 1, sentPosition: 1 }, sparse: true, multikey: 'participants' },
        { keys: { callees: 1, sentPosition: 1 }, sparse: true, multikey: 'callees' },
        { keys: { firstChannelId: 1, sentPosition: 1 }, sparse: true },
        { keys: { has: 1, sentPosition: 1 }, sparse: true, multikey: 'has' },
      ],
      text: ['text', 'topic'],
      // The log has the names of topics in the open.
      textKeptElsewhere: ['topic'],
      textScope: ['channelId', 'firstChannelId', 'participants', 'dmKey', 'senderId', 'callees', 'has'],
    },
    [TOPICS]: {
      indexes: [{ keys: { channelId: 1, lastMessageId: -1 } }, { keys: { channelId: 1, topicKey: 1 } }],
    },
    [BLOCKS]: { indexes: [{ keys: { position: 1 } }] },
    [PLACES]: {
      indexes: [
        { keys: { number: 1 }, sparse: true },
        { keys: { channelId: 1, topicKey: 1, number: 1 }, sparse: true },
        { keys: { participants: 1, number: 1 }, sparse: true, multikey: 'participants' },
      ],
    },
    [MOVES]: {},
    [JOURNEYS]: {},
    [ARRIVALS]: { indexes: [{ keys: { channelId: 1 } }] },
    [DELETED_MESSAGES]: {
      indexes: [
        { keys: { sentPosition: 1 } },
        { keys: { channelId: 1, sentPosition: 1 }, sparse: true },
        { keys: { participants: 1, sentPosition: 1 }, sparse: true, multikey: 'participants' },
        { keys: { firstChannelId: 1, sentPosition: 1 }, sparse: true },
      ],
    },
  },
  on: {
    ...messageLifeHandlers(MESSAGES, DELETED_MESSAGES),
    MessageSent: async (event, documents) => {
      const message = sentMessage(event);
      return [
        insert(MESSAGES, message),
        ...(message.type === 'channel' ? await topicWritten(message, documents) : []),
        ...(await blockWritten(message, documents)),
      ];
    },
    MessagesMoved: messagesMoved(MESSAGES),
  },
  looksUp: {
    MessageSent: ({ data: { recipient }, revision }) => [
      ...topicOf(recipient),
      [PLACES, placeId(recipient)],
      [BLOCKS, blockOf(messageIdAt(revision))],
    ],
    MessageEdited: messageOf,
    MessageDeleted: ({ data: { messageId, place } }) => [
      [MESSAGES, messageId],
      ...topicOf(place),
      [BLOCKS, blockOf(messageId)],
    ],
    ReactionAdded: messageOf,
    ReactionRemoved: messageOf,
  },
});

function messageOf({ data: { messageId } }: { readonly data: { readonly messageId: number } }): readonly LookUp[] {
  return [[MESSAGES, messageId]];
}

function topicOf(place: Recipient): readonly LookUp[] {
  return place.type === 'channel' ? [[TOPICS, topicId(place.channelId, place.topic)]] : [];
}

/** A message as its MessageSent makes it. */
export function sentMessage({ data, revision, position, metadata }: Recorded<MessageSent>): MessageDocument {
  const { senderId, recipient, readBySender, content } = data;
  const sent = {
    _id: messageIdAt(revision),
    sentPosition: position,
    position,
    senderId,
    sentAt: metadata.at,
    client: metadata.client,
    readBySender,
    ...wordsFields(content, recipient),
  };
  if (recipient.type === 'direct') {
    return { ...sent, type: 'direct', dmKey: recipient.userIds.join(','), participants: recipient.userIds };
  }
  const { channelId, topic } = recipient;
  return { ...sent, type: 'channel', channelId, topic, topicKey: fold(topic) };
}
