import type { StoredDocument } from '../../src/document-store/document-store.js';
import type { Recorded } from '../../src/kernel/event.js';
import { fold } from '../../src/kernel/fold.js';
import type { Placed } from '../../src/messages/domain/message.events.js';
import type { Recipient } from '../../src/messages/domain/messages.events.js';
import { isMoved, type MessagesMoved, type TopicPlace } from '../../src/topics/domain/topics.events.js';
import { type Change, insert, type LookUp, type OwnDocuments } from '../projection.js';

/** The feed's own: every move, by its position. */
export const FEED_MOVES = 'moves';
/** The feed's own: where the messages of a topic may have come from. */
export const ORIGINS = 'origins';

interface FeedMoveDocument extends StoredDocument {
  readonly _id: number;
  readonly move: MessagesMoved['data'];
}

interface OriginsDocument extends StoredDocument {
  /** `<channelId>/<topicKey>` */
  readonly _id: string;
  /** Channels, ascending; its own is among them where messages have come back to it. */
  readonly channelIds: readonly number[];
}

/** What a move leaves for the events after it. */
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

/** Other channels in which messages of a topic may have been before; who got them there has heard of them. */
export async function originsOf(place: TopicPlace, documents: OwnDocuments): Promise<readonly number[]> {
  const found = await documents.collection<OriginsDocument>(ORIGINS).findOne({ _id: keyOf(place) });
  return found?.channelIds ?? [];
}

export const originsLookedUp = (place: TopicPlace): LookUp => [ORIGINS, keyOf(place)];

/** Where a message was when an event about it happened: a move may have come after the place was looked up. */
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

const keyOf = ({ channelId, topic }: TopicPlace): string => `${channelId}/${fold(topic)}`;
