import type { Recorded } from '../../src/platform/kernel/event.js';
import { type Change, insert, type OwnDocuments } from '../../src/platform/read-models/projection.js';
import type { ClientEventDocument } from './client-events.documents.js';
import { trim } from './client-events.retention.js';

/** Stores the client events of one domain event, and removes the client events that the feed forgets at this event. */
export async function written(
  event: Recorded,
  documents: OwnDocuments,
  entries: readonly ClientEventDocument[],
): Promise<readonly Change[]> {
  return [...entries.map((document) => insert('events', document)), ...(await trim(event, documents))];
}
