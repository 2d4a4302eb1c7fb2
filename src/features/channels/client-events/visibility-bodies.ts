import type { channelsAppear, channelsDisappear } from '../../../../projections/client-events/channels.js';
import type { ClientEventOf } from '../../../../projections/client-events/client-event.js';
import { positionOf } from '../../../../projections/client-events/client-events.documents.js';
import type { subscribersAppear } from '../../../../projections/client-events/subscriptions.js';
import type { Directory } from '../../../directory/directory.js';
import type { ChannelRecord, UserRecord } from '../../../directory/directory.records.js';
import type { Position } from '../../../platform/kernel/position.js';
import type { NumberedBody } from '../../event-queues/client-event-writer.js';
import { channelFromFacts } from '../queries/channels-for-clients.js';
import { type Capabilities, knowsArchived, sawChannel, wasArchived } from './peer-bodies.js';

type VisibilityEvent = ClientEventOf<typeof channelsAppear | typeof channelsDisappear | typeof subscribersAppear>;

/** Ids reserved for the event, its own included. */
const MOST_BODIES = 1024;

/** Less than the distance of two events: `position - BEFORE` is after the previous event and before this event. */
const BEFORE = 0.5;

/**
 * Bodies about the channels that appear to the reader with an event, or disappear; empty without such channels. Visibility
 * is as of the event. The channels' fields are current: later events repeat the changes since.
 */
export function visibilityBodies(
  event: VisibilityEvent,
  reader: UserRecord,
  capabilities: Capabilities,
  firstMessageIds: ReadonlyMap<number, number> | undefined,
  directory: Directory,
): NumberedBody[] {
  const bodies = textsOf(event, reader, capabilities, firstMessageIds, directory);
  return bodies.map((body, index) => ({ id: event._id - bodies.length + 1 + index, body }));
}

function textsOf(
  event: VisibilityEvent,
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
