import { calleeOf } from '../../../projections/words-of.js';
import type { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { ALL, type Reach } from './readable-messages.js';

/** Above so many, a look at each costs more than one at whatever calls a whole channel. */
const MANY_CHANNELS = 64;

interface CalleeLane {
  readonly field: 'callees';
  readonly value: string;
  readonly reach: Reach;
}

/** Where messages are that may call the reader: by name, through groups that they were ever in, as one of all. */
export function calleeLanes(reader: UserRecord, directory: Directory): CalleeLane[] {
  const named = [
    calleeOf.user(reader._id),
    calleeOf.participant(reader._id),
    ...directory.groups.everIn(reader).map(calleeOf.group),
  ];
  const lanes: CalleeLane[] = named.map((value) => ({ field: 'callees', value, reach: ALL }));
  const subscriptions = directory.subscriptionsOf(reader._id);
  if (subscriptions.size > MANY_CHANNELS)
    return [...lanes, { field: 'callees', value: calleeOf.anyChannel, reach: ALL }];
  for (const [channelId, { intervals }] of subscriptions)
    lanes.push({ field: 'callees', value: calleeOf.channel(channelId), reach: intervals });
  return lanes;
}
