import type { StoredDocument } from '../../src/platform/documents/document-store.js';
import { HOUR_MS } from '../../src/platform/kernel/durations.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import { type Position, START } from '../../src/platform/kernel/position.js';
import { type Change, insert, type OwnDocuments } from '../../src/platform/read-models/projection.js';
import type { ClientEventDocument } from './client-events.documents.js';

/** Time for which the feed keeps an event: as long as a queue may be idle. */
const RETENTION_DAYS = 30;

const RETAINED_HOURS = RETENTION_DAYS * 24;

/** The feed's time and its beginning. */
export interface RetentionDocument extends StoredDocument {
  readonly _id: 'retention';
  /** The hour of the newest `at` of any event, in hours since 1970. */
  readonly hour: number;
  /** Position of the event that began the hour. */
  readonly position: Position;
  /**
   * Id of the last forgotten client event; 0 if none. The id of the first kept event would not do: a log may skip
   * positions, and a client between the two ids has missed nothing.
   */
  readonly forgottenThrough: number;
}

/** Positions at which hours began. It keeps only hours that the feed still needs. */
interface HoursDocument extends StoredDocument {
  readonly _id: 'hours';
  /** By hour. */
  readonly began: readonly (readonly [hour: number, position: Position])[];
  readonly position: Position;
}

/**
 * Forgets old client events when an event begins a new hour. Time is the newest `at` of any event, so that a rebuild
 * forgets the same. It moves by hours, so that a message costs one look-up. An event that began an hour forgets again
 * when it is applied again.
 */
export async function trim(event: Recorded, documents: OwnDocuments): Promise<readonly Change[]> {
  const hour = Math.floor(event.metadata.at / HOUR_MS);
  const before = await documents.collection<RetentionDocument>('retention').findOne({ _id: 'retention' });
  if (before && (hour < before.hour || (hour === before.hour && event.position !== before.position))) return [];

  const { position } = event;
  const known = await documents.collection<HoursDocument>('hours').findOne({ _id: 'hours' });
  const kept = (known?.began ?? []).filter(([one]) => one >= hour - RETAINED_HOURS);
  // The first hour begins with the log, so nothing is forgotten before it.
  const began = kept.at(-1)?.[0] === hour ? kept : [...kept, [hour, before ? position : START] as const];
  const [[, end] = [hour, START]] = began;
  const forgotten = await forgetting(end, documents);
  const forgottenThrough = Math.max(before?.forgottenThrough ?? 0, forgotten.through);
  const now: RetentionDocument = { _id: 'retention', hour, position, forgottenThrough };
  const hours: HoursDocument = { _id: 'hours', began, position };
  return [insert('hours', hours), insert('retention', now), ...forgotten.changes];
}

/** Forgets all client events before a position, by their ids. START forgets none. */
async function forgetting(end: Position, documents: OwnDocuments): Promise<{ through: number; changes: Change[] }> {
  if (end === START) return { through: 0, changes: [] };
  const events = documents.collection<ClientEventDocument>('events');
  const old = await events.find({ position: { $lt: end } }, { sort: { position: 1, _id: 1 }, projection: { _id: 1 } });
  if (old.length === 0) return { through: 0, changes: [] };
  const filter = { _id: { $in: old.map(({ _id }) => _id) } };
  return { through: old.at(-1)?._id ?? 0, changes: [{ collection: 'events', operation: { deleteMany: { filter } } }] };
}
