import {
  type ChannelMessageDocument,
  MESSAGES,
  type MessageDocument,
  messages,
} from '../../../../projections/messages/messages.projection.js';
import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import type { Facts } from '../../../directory/facts.js';
import { ALL, channelReach, mayRead } from '../../../directory/readable-messages.js';
import type { ReachedIds } from '../../../events/messages/topics.events.js';
import type { Position } from '../../../platform/kernel/position.js';
import type { MoveExtent } from '../domain/move-messages.js';
import type { Messages } from './reading/messages-for.js';

/**
 * Counts the messages of the anchor's topic that the mover may move.
 * @param since earliest time that a movable message was sent, in milliseconds since 1970; null: any time
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function topicExtent(
  anchor: ChannelMessageDocument,
  mover: UserRecord,
  since: number | null,
  facts: Facts,
): Promise<MoveExtent> {
  const collection = facts.readModels.collection<MessageDocument>(messages, MESSAGES);
  const seesAll = channelReach(mover, anchor.channelId, facts.directory) === ALL;
  return seesAll
    ? wholeExtent(anchor, since, collection)
    : seenExtent(anchor, mover, since, facts.directory, collection);
}

/** The extent of a topic that the mover sees whole: counts and a binary search, as the topic may be long. */
async function wholeExtent(
  anchor: ChannelMessageDocument,
  since: number | null,
  collection: Messages,
): Promise<MoveExtent> {
  const { channelId, topicKey, sentPosition } = anchor;
  const topic = { channelId, topicKey };
  const from = (position: Position): Promise<number> =>
    collection.countDocuments({ ...topic, sentPosition: { $gte: position } });
  const [total, following] = [await collection.countDocuments(topic), await from(sentPosition)];
  const all = { reach: null, total, following, hidden: 0 };
  if (since === null) return { ...all, allowed: total, firstAllowedId: null };
  const first = await firstSince(topic, since, collection);
  return { ...all, allowed: first ? await from(first.sentPosition) : 0, firstAllowedId: first?._id ?? null };
}

/** The oldest message of the topic that was sent at `since` or later. Times follow the order of the log. */
async function firstSince(
  topic: { readonly channelId: number; readonly topicKey: string },
  since: number,
  collection: Messages,
): Promise<MessageDocument | null> {
  const at = async (direction: 1 | -1, sentPosition: object): Promise<MessageDocument | undefined> =>
    (await collection.find({ ...topic, sentPosition }, { sort: { sentPosition: direction }, limit: 1 }))[0];
  let young = await at(-1, { $gte: 0 });
  if (!young || young.sentAt < since) return null;
  let old = await at(1, { $gte: 0 });
  if (!old || old.sentAt >= since) return old ?? null;
  for (;;) {
    const middle: Position = Math.floor((old.sentPosition + young.sentPosition) / 2);
    const below: MessageDocument | undefined = await at(-1, { $gt: old.sentPosition, $lte: middle });
    const above: MessageDocument | undefined = below
      ? undefined
      : await at(1, { $gt: middle, $lt: young.sentPosition });
    const between: MessageDocument | undefined = below ?? above;
    if (!between) return young;
    if (between.sentAt < since) old = between;
    else young = between;
  }
}

/** The extent of a topic of which messages may be hidden from the mover: reads each message. */
async function seenExtent(
  anchor: ChannelMessageDocument,
  mover: UserRecord,
  since: number | null,
  directory: Directory,
  collection: Messages,
): Promise<MoveExtent> {
  const { channelId, topicKey } = anchor;
  const inTopic = await collection.find({ channelId, topicKey }, { sort: { sentPosition: 1 } });
  const seen = inTopic.map((message) => mayRead(mover, message, directory));
  const visible = inTopic.filter((_, at) => seen[at]);
  const young = visible.filter(({ sentAt }) => since === null || sentAt >= since);
  return {
    reach: rangesSeen(inTopic, seen),
    total: visible.length,
    following: visible.filter(({ _id }) => _id >= anchor._id).length,
    hidden: inTopic.length - visible.length,
    allowed: young.length,
    firstAllowedId: since === null ? null : (young[0]?._id ?? null),
  };
}

/** Ranges of ids that the mover sees. The last range has no end: the mover sees messages sent from now on. */
function rangesSeen(inTopic: readonly MessageDocument[], seen: readonly boolean[]): ReachedIds[] {
  const ranges: ReachedIds[] = [];
  let start: number | null = null;
  inTopic.forEach(({ _id }, at) => {
    if (seen[at]) start ??= _id;
    const next = inTopic[at + 1];
    if (start === null || (next && seen[at + 1])) return;
    if (seen[at]) ranges.push([start, next ? _id : null]);
    start = null;
  });
  const last = inTopic.at(-1);
  if (last && ranges.at(-1)?.[1] !== null) ranges.push([last._id + 1, null]);
  return ranges;
}
