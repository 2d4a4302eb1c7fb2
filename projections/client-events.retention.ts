import type { StoredDocument } from '../src/document-store/document-store.js';
import type { Recorded } from '../src/kernel/event.js';
import { type Position, START } from '../src/kernel/position.js';
import type { ClientEventDocument } from './client-events.documents.js';
import { type Change, insert, type OwnDocuments } from './projection.js';

/** How long the feed keeps an event: as long as a queue may be idle. */
export const RETENTION_DAYS = 30;

const HOUR_MS = 3_600_000;
const RETAINED_HOURS = RETENTION_DAYS * 24;

/** How far the feed's time and its beginning have come. */
export interface RetentionDocument extends StoredDocument {
  readonly _id: 'retention';
  /** The newest hour that any event has shown, in hours since 1970. */
  readonly hour: number;
  /** The event that began it. */
  readonly position: Position;
  /**
   * The last client event that is gone; 0 while all are there. Not where the rest begins: a log may skip positions, and
   * who has come as far as between the two has missed nothing.
   */
  readonly forgottenThrough: number;
}

/** Where each hour of the feed's time began. */
interface HourDocument extends StoredDocument {
  readonly _id: number;
  readonly position: Position;
}

/**
 * What the feed forgets when an event begins a new hour. Time is the newest `at` of any event, so a rebuild forgets the
 * same; it moves by hours, so that a message costs one look-up. The event that began the hour forgets again when it is
 * applied again: what its repeat has put back goes with it.
 */
export async function trim(event: Recorded, documents: OwnDocuments): Promise<readonly Change[]> {
  const hour = Math.floor(event.metadata.at / HOUR_MS);
  const before = await documents.collection<RetentionDocument>('retention').findOne({ _id: 'retention' });
  if (before && (hour < before.hour || (hour === before.hour && event.position !== before.position))) return [];

  const oldest = hour - RETAINED_HOURS;
  const hours = documents.collection<HourDocument>('hours');
  const [kept] = await hours.find({ _id: { $gte: oldest, $lt: hour } }, { sort: { _id: 1 }, limit: 1 });
  // The first hour begins with the log: nothing before it has been forgotten.
  const own: HourDocument = { _id: hour, position: before ? event.position : START };
  const began = (await hours.findOne({ _id: hour })) ?? own;
  const forgets = { position: { $lt: kept?.position ?? began.position } };
  const [last] = await documents
    .collection<ClientEventDocument>('events')
    .find(forgets, { sort: { position: -1, _id: -1 }, limit: 1 });
  const forgottenThrough = Math.max(before?.forgottenThrough ?? 0, last?._id ?? 0);
  const now: RetentionDocument = { _id: 'retention', hour, position: event.position, forgottenThrough };
  return [
    insert('hours', began),
    insert('retention', now),
    { collection: 'events', operation: { deleteMany: { filter: forgets } } },
    { collection: 'hours', operation: { deleteMany: { filter: { _id: { $lt: oldest } } } } },
  ];
}
