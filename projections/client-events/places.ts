import type { Placed } from '../../src/events/messages/message.events.js';
import type { Recipient } from '../../src/events/messages/messages.events.js';
import { isMoved, type MessagesMoved, type TopicPlace } from '../../src/events/messages/topics.events.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import { foldCase } from '../../src/platform/kernel/text.js';
import { type Change, insert, type LookUp, type OwnDocuments } from '../../src/platform/read-models/projection.js';

/** The feed's own collection of all moves, by position. */
export const FEED_MOVES = 'moves';
/** The feed's own collection of the channels from which messages of a topic may have come. */
export const ORIGINS = 'origins';

export interface ChannelPlace {
  readonly type: 'channel';
  readonly channelId: number;
  readonly topic: string;
  readonly isPublic: boolean;
  /** Subscribers may read messages sent before they subscribed. */
  readonly isHistoryOpen: boolean;
}

interface FeedMoveDocument extends StoredDocument {
  readonly _id: number;
  readonly move: MessagesMoved['data'];
}

interface OriginsDocument extends StoredDocument {
  /** `<channelId>/<topicKey>` */
  readonly _id: string;
  /** Channels, ascending, with the topic's own if messages have come back to it. */
  readonly channelIds: readonly number[];
}

/** Stores a move for the events after it. */
export async function rememberMove(
  event: Recorded<MessagesMoved>,
  documents: OwnDocuments,
): Promise<readonly Change[]> {
  const { from, to } = event.data;
  const remembered: FeedMoveDocument = { _id: event.position, move: event.data };
  const changes = [insert(FEED_MOVES, remembered)];
  const isNew = from.channelId !== to.channelId;
  const came = [...(isNew ? [from.channelId] : []), ...(await originsOf(from, documents))];
  const known = await originsOf(to, documents);
  if (came.every((channelId) => known.includes(channelId))) return changes;
  const channelIds = [...new Set([...known, ...came])].sort((a, b) => a - b);
  const origins: OriginsDocument = { _id: keyOf(to), channelIds };
  return [...changes, insert(ORIGINS, origins)];
}

/** Lists other channels in which messages of a topic may have been. Their subscribers know of the messages. */
export async function originsOf(place: TopicPlace, documents: OwnDocuments): Promise<readonly number[]> {
  const found = await documents.collection<OriginsDocument>(ORIGINS).findOne({ _id: keyOf(place) });
  return found?.channelIds ?? [];
}

export const originsLookedUp = (place: TopicPlace): LookUp => [ORIGINS, keyOf(place)];

/** Finds a message's place at an event: the message may have been moved after the command looked up the place. */
export async function placeThen(
  { position, data: { messageId, place, placeAsOf } }: Recorded<{ type: string; data: Placed & { messageId: number } }>,
  documents: OwnDocuments,
): Promise<Recipient> {
  if (place.type === 'direct' || placeAsOf === undefined) return place;
  const between = await documents
    .collection<FeedMoveDocument>(FEED_MOVES)
    .find({ _id: { $gt: placeAsOf, $lt: position } }, { sort: { _id: 1 } });
  return between.reduce((at, { move }) => (isTaken(move, at, messageId) ? { type: 'channel', ...move.to } : at), place);
}

const isTaken = (move: MessagesMoved['data'], at: TopicPlace, messageId: number): boolean =>
  keyOf(move.from) === keyOf(at) && isMoved(move, messageId);

const keyOf = ({ channelId, topic }: TopicPlace): string => `${channelId}/${foldCase(topic)}`;
