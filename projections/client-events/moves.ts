import { seersOf } from '../../src/directory/channel-sight.js';
import type { Recorded } from '../../src/kernel/event.js';
import type { MessagesMoved, TopicPlace } from '../../src/topics/domain/topics.events.js';
import type { ChannelPlace, ClientEventDocument, FeedChannel } from '../client-events.documents.js';
import { type Change, type EventHandlers, insert } from '../projection.js';
import { entry, told } from './entries.js';
import { originsOf, rememberMove } from './places.js';
import { channelOf } from './records.js';
import { written } from './written.js';

const PART = { part: 'messages' } as const;

/**
 * Told to whoever has heard of the messages, and to who is where they come to. Which messages really moved, and of which
 * a reader knows, is found as the events leave: so each of them is for more people than are told something.
 */
export const moveRules: EventHandlers<MessagesMoved> = {
  MessagesMoved: async (event, documents) => {
    const { anchorId, propagateMode, from, to } = event.data;
    const [left, reached] = [await channelOf(from.channelId, documents), await channelOf(to.channelId, documents)];
    const payload = {
      anchorId,
      moverId: event.metadata.actorId,
      propagateMode,
      from: placeIn(left, from),
      to: placeIn(reached, to),
    };
    const there = { subscribersOf: to.channelId };
    const audience = { ...there, everSubscribedTo: [from.channelId, ...(await originsOf(from, documents))] };
    const entries: ClientEventDocument[] = [entry(event, 'update_message/moved', audience, payload, PART)];
    if (from.channelId !== to.channelId) {
      entries.push(
        entry(event, 'update_message_flags/moved', audience, payload, PART),
        entry(event, 'delete_message/moved', { ...audience, except: there }, payload, PART),
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

/** A channel has an older message than before, or its first one, as far as the move itself says. */
function firstMessage(
  event: Recorded<MessagesMoved>,
  channel: FeedChannel,
): { readonly changes: readonly Change[]; readonly entries: readonly ClientEventDocument[] } {
  const { _id: stream_id, name, firstMessageId } = channel;
  const { anchorId: value } = event.data;
  if (firstMessageId !== null && firstMessageId < value) return { changes: [], entries: [] };
  const begun: FeedChannel = { ...channel, firstMessageId: value };
  const seers = { ...seersOf(channel), subscribersOf: stream_id };
  const update = told(event, 'stream/update', seers, { stream_id, name, property: 'first_message_id', value });
  return { changes: [insert('channels', begun)], entries: [{ ...update, ...PART }] };
}
