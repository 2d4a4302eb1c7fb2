import {
  type ClientEventDocument,
  type ClientEventOf,
  positionOf,
} from '../../../projections/client-events.documents.js';
import type { EventQueueDocument } from '../../../projections/event-queues.projection.js';
import type { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { sawChannel, wasArchived } from './audience.js';

export type Capabilities = EventQueueDocument['clientCapabilities'];

/** Clients without this capability know of no archived channel, nor of what goes on in one. */
export const knowsArchived = (capabilities: Capabilities): boolean => capabilities.archived_channels ?? false;

export function isOfUnknownChannel(event: ClientEventDocument, capabilities: Capabilities): boolean {
  switch (event.kind) {
    case 'stream/create':
    case 'subscription/add':
      return event.payload.channel.isArchived && !knowsArchived(capabilities);
    case 'subscription/peers':
    case 'subscription/peer_add':
    case 'subscription/peer_remove':
      return event.payload.isArchived && !knowsArchived(capabilities);
    default:
      return false;
  }
}

/**
 * The channels that the reader sees an account leave, as it ends, or come back to, with it; null where there are none.
 * Who sees them is as of the event.
 */
export function peersBody(
  event: ClientEventOf<'subscription/back' | 'subscription/gone'>,
  reader: UserRecord,
  capabilities: Capabilities,
  directory: Directory,
): string | null {
  const { userId } = event.payload;
  const position = positionOf(event._id);
  const isSeen = (channelId: number): boolean => {
    const channel = directory.channel(channelId);
    if (!channel || (wasArchived(channel, position) && !knowsArchived(capabilities))) return false;
    return sawChannel(reader._id, channel, position, directory);
  };
  const channelIds = [...directory.subscriptionsOf(userId).keys()]
    .filter((channelId) => directory.wasSubscribed(userId, channelId, position) && isSeen(channelId))
    .sort((a, b) => a - b);
  if (channelIds.length === 0) return null;
  const op = event.kind === 'subscription/back' ? 'peer_add' : 'peer_remove';
  return JSON.stringify({ type: 'subscription', op, stream_ids: channelIds, user_ids: [userId] });
}

/** Everybody who was subscribed once the event had happened; empty where nobody was. */
export function subscribersBody(event: ClientEventOf<'subscription/peers'>, directory: Directory): string {
  const { channelId } = event.payload;
  const subscriberIds = directory.subscriberIdsAfter(channelId, positionOf(event._id));
  if (subscriberIds.length === 0) return '';
  return JSON.stringify({ type: 'subscription', op: 'peer_add', stream_ids: [channelId], user_ids: subscriberIds });
}
