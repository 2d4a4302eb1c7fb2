import { seersOf } from '../../src/directory/channel-visibility.js';
import type { MessagesMoved, PropagateMode, TopicPlace } from '../../src/events/messages/topics.events.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import { type Change, type EventHandlers, insert } from '../../src/platform/read-models/projection.js';
import { firstMessageUpdate } from './channels.js';
import { clientEvent } from './client-event.js';
import type { ClientEventDocument } from './client-events.documents.js';
import { type ChannelPlace, originsOf, rememberMove } from './places.js';
import { channelOf, type FeedChannel } from './records.js';
import { written } from './written.js';

/** A move, as of the event. The moved messages are in the document of `messages` that has the move's position as its id. */
interface MovePayload {
  readonly anchorId: number;
  readonly moverId: number | null;
  readonly propagateMode: PropagateMode;
  /** The same request has edited the anchor's content to this revision. */
  readonly contentRevision?: number;
  readonly from: ChannelPlace;
  readonly to: ChannelPlace;
}

export const messagesMoved = clientEvent<MovePayload>()({ kind: 'update_message/moved', rank: 1024, part: 'messages' });

/** Changes of flags by a move: `read` for users without a subscription to the destination, `starred` for its subscribers. */
export const movedFlags = clientEvent<MovePayload>()({
  kind: 'update_message_flags/moved',
  rank: 1040,
  part: 'messages',
});

/**
 * `delete_message` for readers who lose access. A reader may get up to 1,024 such client events. The last has this rank,
 * and the others have the ids below.
 */
export const movedAway = clientEvent<MovePayload>()({ kind: 'delete_message/moved', rank: 3584, part: 'messages' });

/**
 * Tells a move to readers who know of the messages, and to subscribers of the destination. The messages that a reader
 * knows are found only when the client event is sent, so the audience may include readers who are told nothing.
 */
export const moveRules: EventHandlers<MessagesMoved> = {
  MessagesMoved: async (event, documents) => {
    const { anchorId, propagateMode, from, to, contentRevision } = event.data;
    const [left, reached] = [await channelOf(from.channelId, documents), await channelOf(to.channelId, documents)];
    const payload = {
      anchorId,
      moverId: event.metadata.actorId,
      propagateMode,
      ...(contentRevision !== undefined && { contentRevision }),
      from: placeIn(left, from),
      to: placeIn(reached, to),
    };
    const there = { subscribersOf: to.channelId };
    const audience = { ...there, everSubscribedTo: [from.channelId, ...(await originsOf(from, documents))] };
    const entries: ClientEventDocument[] = [messagesMoved.of(event, audience, payload)];
    if (from.channelId !== to.channelId) {
      entries.push(
        movedFlags.of(event, audience, payload),
        movedAway.of(event, { ...audience, except: there }, payload),
      );
    }
    const begun = firstMessage(event, reached);
    return [
      ...(await rememberMove(event, documents)),
      ...begun.changes,
      ...(await written(event, documents, [...entries, ...begun.entries])),
    ];
  },
};

const placeIn = (
  { inviteOnly, historyPublicToSubscribers }: FeedChannel,
  { channelId, topic }: TopicPlace,
): ChannelPlace => ({
  type: 'channel',
  channelId,
  topic,
  isPublic: !inviteOnly,
  isHistoryOpen: historyPublicToSubscribers,
});

/** Tells that a channel has an older first message, or its first message ever. */
function firstMessage(
  event: Recorded<MessagesMoved>,
  channel: FeedChannel,
): { readonly changes: readonly Change[]; readonly entries: readonly ClientEventDocument[] } {
  const { _id: stream_id, name, firstMessageId } = channel;
  const { anchorId: value } = event.data;
  if (firstMessageId !== null && firstMessageId < value) return { changes: [], entries: [] };
  const begun: FeedChannel = { ...channel, firstMessageId: value };
  const seers = { ...seersOf(channel), subscribersOf: stream_id };
  const first = { stream_id, name, property: 'first_message_id', value } as const;
  return { changes: [insert('channels', begun)], entries: [firstMessageUpdate.of(event, seers, first)] };
}
