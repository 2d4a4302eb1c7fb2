import {
  type DirectoryEvent,
  directoryChanges,
  directoryEventTypes,
  recordKey,
  recordsTouched,
} from '../../src/directory/directory.changes.js';
import type { DirectoryKind, DirectoryRecords } from '../../src/directory/directory.records.js';
import type { DocumentId } from '../../src/platform/documents/document-store.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import { type Change, insert, type OwnDocuments, type Projection } from '../../src/platform/read-models/projection.js';

/** The organization's records as documents, from which a process loads its directory at start (D8). */
export const directoryProjection: Projection = {
  name: 'directory',
  version: 6,
  holdsContent: true,
  collections: {
    organization: {},
    users: {},
    channels: {},
    subscriptions: {},
    userGroups: {},
    memberships: {},
  } satisfies Record<DirectoryKind, object>,
  on: Object.fromEntries(directoryEventTypes.map((type) => [type, change])) as Projection['on'],
  // Processes answer from their memory, which follows the log.
  awaited: false,
  prefetch: Object.fromEntries(directoryEventTypes.map((type) => [type, recordsTouched])) as Projection['prefetch'],
};

/** Applies the directory's own pure rule to the records that the event touches. */
async function change(event: Recorded<DirectoryEvent>, documents: OwnDocuments): Promise<readonly Change[]> {
  const touched = new Map<string, DirectoryRecords[DirectoryKind]>();
  for (const [kind, id] of recordsTouched(event)) {
    const record = await documents.collection<DirectoryRecords[DirectoryKind]>(kind).findOne({ _id: id });
    if (record) touched.set(recordKey(kind, id), record);
  }
  const get = <K extends DirectoryKind>(kind: K, id: DocumentId): DirectoryRecords[K] | undefined =>
    touched.get(recordKey(kind, id)) as DirectoryRecords[K] | undefined;
  return directoryChanges(event, get).map(({ kind, record }) => insert(kind, record));
}
