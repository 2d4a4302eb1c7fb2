import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import type { Position } from '../../src/platform/kernel/position.js';
import { type Change, insert, type OwnDocuments } from '../../src/platform/read-models/projection.js';

/**
 * Neighbours in the log whose times are in one hour. It ends where the next begins. The log is not in order of time:
 * clocks of processes differ, and may be set. So an hour may have several such parts, and each is found.
 */
export interface HourDocument extends StoredDocument {
  /** Position of the first event. */
  readonly _id: Position;
  /** Hours since 1970. */
  readonly hour: number;
}

interface LatestHour extends StoredDocument {
  readonly hour: number;
  readonly since: Position;
}

export const HOURS = 'hours';
export const LATEST_HOURS = 'latestHours';
export const LATEST_HOUR = 'latest';

/** @param at milliseconds since 1970 */
export const hourOf = (at: number): number => Math.floor(at / 3_600_000);

export async function hourBegun(event: Recorded, documents: OwnDocuments): Promise<readonly Change[]> {
  const { position, metadata } = event;
  const latest = await documents.collection<LatestHour>(LATEST_HOURS).findOne({ _id: LATEST_HOUR });
  const hour = hourOf(metadata.at);
  if (latest && (latest.hour === hour || position <= latest.since)) return [];
  const begun: HourDocument = { _id: position, hour };
  const now: LatestHour = { _id: LATEST_HOUR, hour, since: position };
  return [insert(HOURS, begun), insert(LATEST_HOURS, now)];
}
