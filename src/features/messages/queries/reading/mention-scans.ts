import { mentionedAs } from '../../../../../projections/messages/content-fields.js';
import type { Directory } from '../../../../directory/directory.js';
import type { UserRecord } from '../../../../directory/directory.records.js';
import { ALL, type Reach } from '../../../../directory/readable-messages.js';

/** Above this number of channels, one scan over all channel mentions is cheaper than one for each channel. */
const MANY_CHANNELS = 64;

interface MentionScan {
  readonly field: 'callees';
  readonly value: string;
  readonly reach: Reach;
}

/** Scans for messages that may mention the reader: by name, through groups the reader was ever in, or by a wildcard. */
export function mentionScans(reader: UserRecord, directory: Directory): MentionScan[] {
  const named = [
    mentionedAs.user(reader._id),
    mentionedAs.participant(reader._id),
    ...directory.groups.everIn(reader).map(mentionedAs.group),
  ];
  const scans: MentionScan[] = named.map((value) => ({ field: 'callees', value, reach: ALL }));
  const subscriptions = directory.subscriptionsOf(reader._id);
  if (subscriptions.size > MANY_CHANNELS)
    return [...scans, { field: 'callees', value: mentionedAs.anyChannel, reach: ALL }];
  for (const [channelId, { intervals }] of subscriptions)
    scans.push({ field: 'callees', value: mentionedAs.channel(channelId), reach: intervals });
  return scans;
}
