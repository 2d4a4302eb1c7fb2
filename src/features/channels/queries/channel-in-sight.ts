import type { Directory } from '../../../directory/directory.js';
import type { ChannelRecord, UserRecord } from '../../../directory/directory.records.js';
import { may } from '../../../directory/permissions.js';
import { refuse } from '../../../platform/kernel/deciding.js';

/** A channel whose subscribers the reader may know. Refuses with INVALID_CHANNEL_ID. */
export function channelInSight(channelId: number, reader: UserRecord, directory: Directory): ChannelRecord {
  const channel = directory.channel(channelId);
  if (!channel || !may(reader, { channel, to: 'see' }, directory)) return refuse('INVALID_CHANNEL_ID');
  return channel;
}
