import {
  type DirectoryEvent,
  directoryChanges,
  directoryEventTypes,
  recordsTouched,
} from '../src/directory/directory.changes.js';
import type { DirectoryKind, DirectoryRecords } from '../src/directory/directory.records.js';
import type { DocumentId } from '../src/document-store/document-store.js';
import type { Recorded } from '../src/kernel/event.js';
import { type Change, insert, type OwnDocuments, type Projection } from './projection.js';

/** The organisation's records as documents: what a process loads its directory from at start (D8). */
export const directoryProjection: Projection = {
  name: 'directory',
  version: 3,
  collections: {
    organization: {},
    users: {},
    channels: {},
    subscriptions: {},
    userGroups: {},
    memberships: {},
  } satisfies Record<DirectoryKind, object>,
  on: Object.fromEntries(directoryEventTypes.map((type) => [type, change])) as Projection['on'],
  looksUp: Object.fromEntries(directoryEventTypes.map((type) => [type, recordsTouched])) as Projection['looksUp'],
};

/** The same rule as the memory's: the records that the event is decided on are read first, then it is pure. */
async function change(event: Recorded<DirectoryEvent>, documents: OwnDocuments): Promise<readonly Change[]> {
  const touched = new Map<string, DirectoryRecords[DirectoryKind]>();
  for (const [kind, id] of recordsTouched(event)) {
    const record = await documents.collection<DirectoryRecords[DirectoryKind]>(kind).findOne({ _id: id });
    if (record) touched.set(key(kind, id), record);
  }
  const get = <K extends DirectoryKind>(kind: K, id: DocumentId): DirectoryRecords[K] | undefined =>
    touched.get(key(kind, id)) as DirectoryRecords[K] | undefined;
  return directoryChanges(event, get).map(({ kind, record }) => insert(kind, record));
}

const key = (kind: DirectoryKind, id: DocumentId): string => `${kind}/${id}`;
