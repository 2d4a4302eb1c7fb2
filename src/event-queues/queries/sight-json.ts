import { type ClientEventOf, positionOf } from '../../../projections/client-events.documents.js';
import { seersOf } from '../../directory/channel-sight.js';
import type { Directory } from '../../directory/directory.js';
import type { ChannelRecord, UserRecord } from '../../directory/directory.records.js';
import { may } from '../../directory/permissions.js';
import { channelForClients } from '../../directory/records-for-clients.js';

/**
 * The channels that a change of the reader's role has brought into sight, or taken out of it; null where there are none.
 * They are told as they are now, and only those that may still be seen: what has changed since follows.
 */
export function sightBody(
  event: ClientEventOf<'stream/gained' | 'stream/lost'>,
  reader: UserRecord,
  directory: Directory,
): string | null {
  const { from, to } = event.payload;
  const position = positionOf(event._id);
  const depends = (channel: ChannelRecord): boolean => {
    const { roles } = seersOf(channel);
    return roles.includes(from) !== roles.includes(to) && !directory.wasSubscribed(reader._id, channel._id, position);
  };
  const channels = directory.allChannels().filter((channel) => !channel.isArchived && depends(channel));
  if (event.kind === 'stream/lost') {
    const ids = channels.filter((channel) => seersOf(channel).roles.includes(from)).map(({ _id }) => _id);
    if (ids.length === 0) return null;
    return JSON.stringify({
      type: 'stream',
      op: 'delete',
      streams: ids.map((stream_id) => ({ stream_id })),
      stream_ids: ids,
    });
  }
  const seen = channels.filter((channel) => may(reader, { channel, to: 'see' }, directory));
  if (seen.length === 0) return null;
  const streams = seen.map((channel) => channelForClients(channel, directory));
  return JSON.stringify({ type: 'stream', op: 'create', streams });
}
