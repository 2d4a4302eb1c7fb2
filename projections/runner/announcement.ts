import type { JsonObject } from '../../src/platform/kernel/json.js';
import type { Position } from '../../src/platform/kernel/position.js';
import type { Stall } from './attempts.js';
import type { LiveProjection } from './live-projection.js';
import type { ProjectionRecord } from './projection-record.js';
import type { BuildProgress } from './rebuild-protocol.js';

/** On this topic the process that keeps a projection's documents announces their state, by projection. */
export const PROJECTIONS_TOPIC = 'projections';

export interface Announcement {
  readonly record: ProjectionRecord;
  /** Position of the record's live database. */
  readonly position: Position;
  readonly progress: BuildProgress | null;
  /** Absent in announcements of earlier versions. */
  readonly stall?: Stall | null;
}

export function announcementOf({ record, position, progress, stall }: LiveProjection): JsonObject {
  const announcement: Announcement = { record, position, progress, stall };
  return announcement as unknown as JsonObject;
}

/** null if the message does not name the projection. */
export function announcementIn(message: JsonObject, projection: string): Announcement | null {
  const found = message[projection];
  return typeof found === 'object' && found !== null ? (found as unknown as Announcement) : null;
}
