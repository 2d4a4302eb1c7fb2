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

/** Where the hours began that the feed may still need to know of. */
interface HoursDocument extends StoredDocument {
  readonly _id: 'hours';
  /** By hour. */
  readonly began: readonly (readonly [hour: number, position: Position])[];
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

  const { position } = event;
  const known = await documents.collection<HoursDocument>('hours').findOne({ _id: 'hours' });
  const kept = (known?.began ?? []).filter(([one]) => one >= hour - RETAINED_HOURS);
  // The first hour begins with the log: nothing before it has been forgotten.
  const began = kept.at(-1)?.[0] === hour ? kept : [...kept, [hour, before ? position : START] as const];
  const [[, end] = [hour, START]] = began;
  const forgotten = await forgetting(end, documents);
  const forgottenThrough = Math.max(before?.forgottenThrough ?? 0, forgotten.through);
  const now: RetentionDocument = { _id: 'retention', hour, position, forgottenThrough };
  const hours: HoursDocument = { _id: 'hours', began, position };
  return [insert('hours', hours), insert('retention', now), ...forgotten.changes];
}

/** Everything before a position; there is nothing before the first hour. */
async function forgetting(end: Position, documents: OwnDocuments): Promise<{ through: number; changes: Change[] }> {
  if (end === START) return { through: 0, changes: [] };
  const filter = { position: { $lt: end } };
  const events = documents.collection<ClientEventDocument>('events');
  const [last] = await events.find(filter, { sort: { position: -1, _id: -1 }, limit: 1 });
  return { through: last?._id ?? 0, changes: [{ collection: 'events', operation: { deleteMany: { filter } } }] };
}
