import { type ClientEventOf, positionOf } from '../../../projections/client-events.documents.js';
import type { Directory } from '../../directory/directory.js';
import type { ChannelRecord, UserRecord } from '../../directory/directory.records.js';
import { channelFromFacts } from '../../directory/records-for-clients.js';
import type { Position } from '../../kernel/position.js';
import { sawChannel, wasArchived } from './audience.js';
import { type Capabilities, knowsArchived } from './peers-json.js';

type Sight = 'stream/gained' | 'stream/lost' | 'subscription/gained';

/** Ids below the event's own that are kept free for it. */
const MOST_BODIES = 1024;

/** Less than from one event to the next: what the last one did had been done. */
const BEFORE = 0.5;

/**
 * The channels that an event has brought into the reader's sight, or taken out of it; empty where there are none. Who sees
 * them, before and after, is as of the event; told are the channels as they are now: what has changed of them since follows.
 */
export function sightBodies(
  event: ClientEventOf<Sight>,
  reader: UserRecord,
  capabilities: Capabilities,
  firstMessageIds: ReadonlyMap<number, number> | undefined,
  directory: Directory,
): string[] {
  const position = positionOf(event._id);
  const sees = (channel: ChannelRecord, at: Position): boolean => sawChannel(reader._id, channel, at, directory);
  const just = position - BEFORE;
  const [unseen, seen] = event.kind === 'stream/lost' ? [position, just] : [just, position];
  const channels = directory
    .allChannels()
    .filter(
      (channel) =>
        (!wasArchived(channel, seen) || knowsArchived(capabilities)) && sees(channel, seen) && !sees(channel, unseen),
    );
  if (channels.length === 0) return [];
  const subscribers = ({ _id }: ChannelRecord): number[] => directory.subscriberIdsAfter(_id, position);
  switch (event.kind) {
    case 'stream/gained': {
      const streams = channels.map((channel) => {
        const traffic = { firstMessageId: firstMessageIds?.get(channel._id) ?? null };
        const then = { ...channel, isArchived: wasArchived(channel, position) };
        return channelFromFacts(then, subscribers(channel).length, directory, traffic);
      });
      return [JSON.stringify({ type: 'stream', op: 'create', streams })];
    }
    case 'stream/lost': {
      const ids = channels.map(({ _id }) => _id);
      const streams = ids.map((stream_id) => ({ stream_id }));
      return [JSON.stringify({ type: 'stream', op: 'delete', streams, stream_ids: ids })];
    }
    default:
      return channels
        .map((channel) => ({
          type: 'subscription',
          op: 'peer_add',
          stream_ids: [channel._id],
          user_ids: subscribers(channel),
        }))
        .filter(({ user_ids }) => user_ids.length > 0)
        .slice(0, MOST_BODIES)
        .map((body) => JSON.stringify(body));
  }
}
