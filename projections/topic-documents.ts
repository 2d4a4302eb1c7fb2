import type { StoredDocument } from '../src/document-store/document-store.js';
import { fold } from '../src/kernel/fold.js';
import type { Position } from '../src/kernel/position.js';
import type { TopicPlace } from '../src/topics/domain/topics.events.js';
import { type Change, insert, type OwnDocuments } from './projection.js';

/** A topic of a channel: as long as a message is in it. */
export interface TopicDocument extends StoredDocument {
  /** `<channelId>/<topicKey>` */
  readonly _id: string;
  readonly channelId: number;
  /** `name` folded: topics that differ only in case are one. */
  readonly topicKey: string;
  /** As its oldest message has it. */
  readonly name: string;
  /** Where its oldest message is in the log. */
  readonly firstPosition: Position;
  /** Its newest message, and where that is in the log. */
  readonly lastMessageId: number;
  readonly lastPosition: Position;
  /** What last changed it. */
  readonly position: Position;
}

export const TOPICS = 'topics';

/** The first and the last of some messages that lie in one topic. */
export interface Stretch {
  readonly firstPosition: Position;
  readonly lastPosition: Position;
  readonly lastMessageId: number;
}

/** Where a message is, as its document says. */
interface TopicPlaced {
  readonly _id: number;
  readonly sentPosition: Position;
  readonly channelId: number;
  readonly topic: string;
  readonly topicKey: string;
}

export const topicId = (channelId: number, topic: string): string => `${channelId}/${fold(topic)}`;

/** A message has come that is newer than all others. */
export async function topicWritten(message: TopicPlaced, documents: OwnDocuments): Promise<readonly Change[]> {
  const { _id: lastMessageId, sentPosition: lastPosition, channelId, topic } = message;
  const _id = topicId(channelId, topic);
  const before = await documents.collection<TopicDocument>(TOPICS).findOne({ _id });
  if (before && before.lastPosition >= lastPosition) return [];
  const { name, firstPosition } = before ?? { name: topic, firstPosition: lastPosition };
  const stretch = { firstPosition, lastPosition, lastMessageId };
  return [insert(TOPICS, topicOf(channelId, name, stretch, lastPosition))];
}

/** Messages have come from another topic, or were given another spelling of its name. */
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

/** @param left what is left of it; null: nothing */
export function topicLeft(
  channelId: number,
  topic: string,
  left: (Stretch & { readonly name: string }) | null,
  position: Position,
): Change {
  if (left) return insert(TOPICS, topicOf(channelId, left.name, left, position));
  return { collection: TOPICS, operation: { deleteOne: { filter: { _id: topicId(channelId, topic) } } } };
}

/** One message goes. @param collection of the messages, which has it still */
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
): Stretch => ({
  firstPosition: first.sentPosition,
  lastPosition: last.sentPosition,
  lastMessageId: last._id,
});

function topicOf(channelId: number, name: string, stretch: Stretch, position: Position): TopicDocument {
  const { firstPosition, lastPosition, lastMessageId } = stretch;
  const topicKey = fold(name);
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
