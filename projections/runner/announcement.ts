import type { JsonObject } from '../../src/kernel/json.js';
import type { Position } from '../../src/kernel/position.js';
import type { LiveProjection } from './live-projection.js';
import type { ProjectionRecord } from './projection-record.js';
import type { BuildProgress } from './rebuild-protocol.js';

/** Whoever keeps a projection's documents tells the other processes how far they are: by projection, on this topic. */
export const PROJECTIONS_TOPIC = 'projections';

export interface Announcement {
  readonly record: ProjectionRecord;
  /** Of the documents named in the record. */
  readonly position: Position;
  readonly progress: BuildProgress | null;
}

export function announcementOf({ record, position, progress }: LiveProjection): JsonObject {
  const announcement: Announcement = { record, position, progress };
  return announcement as unknown as JsonObject;
}

/** null where the message has nothing about the projection. */
export function announcementIn(message: JsonObject, projection: string): Announcement | null {
  const found = message[projection];
  return typeof found === 'object' && found !== null ? (found as unknown as Announcement) : null;
}
