import { type TopicPlace, topicId } from '../../src/events/messages/topics.events.js';
import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import type { Position } from '../../src/platform/kernel/position.js';
import { foldCase } from '../../src/platform/kernel/text.js';
import { type Change, insert, type OwnDocuments } from '../../src/platform/read-models/projection.js';

/** A topic of a channel. It exists as long as it has a message. */
export interface TopicDocument extends StoredDocument {
  /** `<channelId>/<topicKey>` */
  readonly _id: string;
  readonly channelId: number;
  /** `name` folded: topics that differ only in case are one. */
  readonly topicKey: string;
  /** The name as the oldest message spells it. */
  readonly name: string;
  /** Position of the oldest message in the log. */
  readonly firstPosition: Position;
  readonly lastMessageId: number;
  /** Position of the newest message in the log. */
  readonly lastPosition: Position;
  /** Position of the last change. */
  readonly position: Position;
}

export const TOPICS = 'topics';

/** The range of some messages in a topic. */
export interface Stretch {
  readonly firstPosition: Position;
  readonly lastPosition: Position;
  readonly lastMessageId: number;
}

/** A message's place in its document. */
interface TopicPlaced {
  readonly _id: number;
  readonly sentPosition: Position;
  readonly channelId: number;
  readonly topic: string;
  readonly topicKey: string;
}

/** Adds a message that is newer than all others. */
export async function topicWritten(message: TopicPlaced, documents: OwnDocuments): Promise<readonly Change[]> {
  const { _id: lastMessageId, sentPosition: lastPosition, channelId, topic } = message;
  const _id = topicId(channelId, topic);
  const before = await documents.collection<TopicDocument>(TOPICS).findOne({ _id });
  if (before && before.lastPosition >= lastPosition) return [];
  const { name, firstPosition } = before ?? { name: topic, firstPosition: lastPosition };
  const stretch = { firstPosition, lastPosition, lastMessageId };
  return [insert(TOPICS, topicOf(channelId, name, stretch, lastPosition))];
}

/** Adds messages that come from another topic, or get another spelling of its name. */
export async function topicJoined(
  { channelId, topic: name }: TopicPlace,
  came: Stretch,
  position: Position,
  documents: OwnDocuments,
): Promise<readonly Change[]> {
  const before = await documents.collection<TopicDocument>(TOPICS).findOne({ _id: topicId(channelId, name) });
  if (!before) return [insert(TOPICS, topicOf(channelId, name, came, position))];
  const newest = before.lastPosition > came.lastPosition ? before : came;
  const stretch = {
    firstPosition: Math.min(before.firstPosition, came.firstPosition),
    lastPosition: newest.lastPosition,
    lastMessageId: newest.lastMessageId,
  };
  const nameNow = came.firstPosition <= before.firstPosition ? name : before.name;
  return [insert(TOPICS, topicOf(channelId, nameNow, stretch, position))];
}

/** @param left the rest of the topic; null: no rest */
export function topicLeft(
  channelId: number,
  topic: string,
  left: (Stretch & { readonly name: string }) | null,
  position: Position,
): Change {
  if (left) return insert(TOPICS, topicOf(channelId, left.name, left, position));
  return { collection: TOPICS, operation: { deleteOne: { filter: { _id: topicId(channelId, topic) } } } };
}

/** Removes a message. @param collection of the messages, still with the message */
export async function topicWithout(
  gone: TopicPlaced,
  position: Position,
  collection: string,
  documents: OwnDocuments,
): Promise<readonly Change[]> {
  const { _id, sentPosition, channelId, topic, topicKey } = gone;
  const before = await documents.collection<TopicDocument>(TOPICS).findOne({ _id: topicId(channelId, topic) });
  const inTheMiddle = before && before.firstPosition < sentPosition && sentPosition < before.lastPosition;
  if (!before || inTheMiddle) return [];
  const at = async (direction: 1 | -1): Promise<TopicPlaced | undefined> => {
    const two = { sort: { sentPosition: direction }, limit: 2 } as const;
    const found = await documents.collection<TopicPlaced>(collection).find({ channelId, topicKey }, two);
    return found.find((message) => message._id !== _id);
  };
  const first = await at(1);
  const last = await at(-1);
  const left = first && last ? { name: first.topic, ...stretchOf(first, last) } : null;
  return [topicLeft(channelId, topic, left, position)];
}

export const stretchOf = (
  first: Pick<TopicPlaced, 'sentPosition'>,
  last: Pick<TopicPlaced, '_id' | 'sentPosition'>,
): Stretch => ({ firstPosition: first.sentPosition, lastPosition: last.sentPosition, lastMessageId: last._id });

function topicOf(channelId: number, name: string, stretch: Stretch, position: Position): TopicDocument {
  const { firstPosition, lastPosition, lastMessageId } = stretch;
  const topicKey = foldCase(name);
  return {
    _id: topicId(channelId, name),
    channelId,
    topicKey,
    name,
    firstPosition,
    lastMessageId,
    lastPosition,
    position,
  };
}
