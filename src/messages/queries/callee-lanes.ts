import { calleeOf } from '../../../projections/words-of.js';
import type { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { ALL, type Reach } from './readable-messages.js';

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
  for (const [channelId, { intervals }] of directory.subscriptionsOf(reader._id))
    lanes.push({ field: 'callees', value: calleeOf.channel(channelId), reach: intervals });
  return lanes;
}
