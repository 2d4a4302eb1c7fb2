import type { MessageEvent } from '../../src/events/messages/message.events.js';
import { type MessageSent, messageIdAt, type Recipient } from '../../src/events/messages/messages.events.js';
import { type MessagesMoved, topicId } from '../../src/events/messages/topics.events.js';
import type { RealmSettingChanged } from '../../src/events/organization/organization.events.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import { DEFAULT_LANGUAGE } from '../../src/platform/documents/languages.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import type { Position } from '../../src/platform/kernel/position.js';
import { foldCase } from '../../src/platform/kernel/text.js';
import { insert, type LookUp, projection } from '../../src/platform/read-models/projection.js';
import { type ContentFields, contentFields } from './content-fields.js';
import { BLOCKS, blockOf, blockWritten, PLACES, placeId } from './message-blocks.js';
import { type MessageChanges, messageEventHandlers } from './message-events.js';
import { isOfLanguage, LANGUAGES, languageAt, languageChanged, languageLookUp } from './message-language.js';
import { MOVED_IN, MOVES, messagesMoved } from './message-moves.js';
import { type MessageMoves, MOVE_HISTORIES } from './move-history.js';
import { TOPICS, topicWritten } from './topic-documents.js';

interface SentMessage extends StoredDocument, MessageChanges, MessageMoves, ContentFields {
  /** The message's id. */
  readonly _id: number;
  /** Position of its MessageSent in the log. Ids and these positions have the same order. */
  readonly sentPosition: Position;
  /** Position of its last change. */
  readonly position: Position;
  readonly senderId: number;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  /** Name of the sending client program. */
  readonly client: string;
  readonly readBySender: boolean;
}

export interface ChannelMessageDocument extends SentMessage {
  readonly type: 'channel';
  readonly channelId: number;
  readonly topic: string;
  /** `topic` folded: topics that differ only in case are one. */
  readonly topicKey: string;
  /** Bots that got the message by a mention, without reading the channel; absent: none. */
  readonly calledBotIds?: readonly number[];
}

interface DirectMessageDocument extends SentMessage {
  readonly type: 'direct';
  /** Names the conversation: `participants` joined by commas, as `dmKeyOf` in src/features/narrow/domain/narrow.ts does. */
  readonly dmKey: string;
  /** Ids of everyone in it, the sender included, ascending. */
  readonly participants: readonly number[];
}

/** The facts of a message that are the same for all readers (D9). */
export type MessageDocument = ChannelMessageDocument | DirectMessageDocument;

export const MESSAGES = 'messages';

/** The place that the message is in. */
export const recipientOf = (message: MessageDocument): Recipient =>
  message.type === 'channel'
    ? { type: 'channel', channelId: message.channelId, topic: message.topic }
    : { type: 'direct', userIds: message.participants };

/** Places of deleted messages, without content. */
export const DELETED_MESSAGES = 'deleted';

export const messages = projection<MessageSent | MessageEvent | MessagesMoved | RealmSettingChanged>({
  name: 'messages',
  version: 5,
  holdsContent: true,
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
        { keys: { unseen: 1, _id: 1 }, sparse: true, multikey: 'unseen' },
      ],
      text: ['rendered', 'topic'],
      textHtml: ['rendered'],
      textLanguage: 'language',
      // The log holds the names of topics unencrypted.
      textKeptElsewhere: ['topic'],
      textScope: ['channelId', 'firstChannelId', 'participants', 'dmKey', 'senderId', 'callees', 'has'],
    },
    [TOPICS]: { indexes: [{ keys: { channelId: 1, lastMessageId: -1 } }, { keys: { channelId: 1, topicKey: 1 } }] },
    [BLOCKS]: { indexes: [{ keys: { position: 1 } }] },
    [PLACES]: {
      indexes: [
        { keys: { number: 1 }, sparse: true },
        { keys: { channelId: 1, topicKey: 1, number: 1 }, sparse: true },
        { keys: { participants: 1, number: 1 }, sparse: true, multikey: 'participants' },
      ],
    },
    [LANGUAGES]: {},
    [MOVES]: {},
    [MOVE_HISTORIES]: {},
    [MOVED_IN]: { indexes: [{ keys: { channelId: 1 } }] },
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
    ...messageEventHandlers(MESSAGES, DELETED_MESSAGES),
    MessageSent: async (event, documents) => {
      const message = sentMessage(event, await languageAt(event, documents));
      return [
        insert(MESSAGES, message),
        ...(message.type === 'channel' ? await topicWritten(message, documents) : []),
        ...(await blockWritten(message, documents)),
      ];
    },
    MessagesMoved: messagesMoved(MESSAGES),
    RealmSettingChanged: languageChanged,
  },
  prefetch: {
    MessageSent: ({ data: { recipient }, revision }) => [
      ...topicLookUp(recipient),
      [PLACES, placeId(recipient)],
      [BLOCKS, blockOf(messageIdAt(revision))],
      languageLookUp,
    ],
    MessageEdited: (event) => [...messageOf(event), languageLookUp],
    MessageDeleted: ({ data: { messageId, place } }) => [
      [MESSAGES, messageId],
      ...topicLookUp(place),
      [BLOCKS, blockOf(messageId)],
    ],
    RealmSettingChanged: () => [languageLookUp],
    ReactionAdded: messageOf,
    ReactionRemoved: messageOf,
  },
  awaited: { RealmSettingChanged: isOfLanguage },
});

function messageOf({ data: { messageId } }: { readonly data: { readonly messageId: number } }): readonly LookUp[] {
  return [[MESSAGES, messageId]];
}

function topicLookUp(place: Recipient): readonly LookUp[] {
  return place.type === 'channel' ? [[TOPICS, topicId(place.channelId, place.topic)]] : [];
}

/** A message as its MessageSent makes it. @param language the organization's as of the event */
export function sentMessage(
  { data, revision, position, metadata }: Recorded<MessageSent>,
  language: string = DEFAULT_LANGUAGE,
): MessageDocument {
  const { senderId, recipient, readBySender, content, calledBotIds } = data;
  const sent = {
    _id: messageIdAt(revision),
    sentPosition: position,
    position,
    senderId,
    sentAt: metadata.at,
    client: metadata.client,
    readBySender,
    ...contentFields(content, recipient, language),
  };
  if (recipient.type === 'direct') {
    return { ...sent, type: 'direct', dmKey: recipient.userIds.join(','), participants: recipient.userIds };
  }
  const { channelId, topic } = recipient;
  const called = calledBotIds && { calledBotIds };
  return { ...sent, type: 'channel', channelId, topic, topicKey: foldCase(topic), ...called };
}
