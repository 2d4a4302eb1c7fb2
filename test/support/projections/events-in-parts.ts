import type { Generation } from '../../../projections/runner/generation.js';
import type { WriteSize } from '../../../projections/runner/write-size.js';
import {
  type DocumentDatabase,
  type DocumentStore,
  DocumentStoreUnavailable,
  type WholeWrite,
} from '../../../src/platform/documents/document-store.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { allWrites } from '../../../src/platform/documents/whole-write.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import type { ReadModels } from '../../../src/platform/read-models/read-models.js';
import type { InHistory } from '../events/history.js';
import { move } from '../events/moves.js';
import { withScratch } from '../scratch.js';

export const NAME = 'parted.v1.g1';
export const UNBOUNDED: WriteSize = { documents: Number.MAX_SAFE_INTEGER, bytes: Number.MAX_SAFE_INTEGER };
export const AWAY = new DocumentStoreUnavailable('away');

export const withStore = <T>(work: (store: DocumentStore) => Promise<T>): Promise<T> =>
  withScratch(async (directory) => {
    const store = await SqliteDocumentStore.open(directory);
    return work(store).finally(() => store.close());
  });

/** The documents of one generation. */
export const readModelsOf = ({ database, position }: Generation): ReadModels => ({
  collection: (_projection, name) => database.collection(name),
  position: () => position,
  waitFor: async () => {},
  onApplied: () => () => {},
});

export const batchOf = (events: readonly Recorded[]) => ({ events, undecodable: [] });

/** Number of the projection's own documents that a write names. */
export function documentsOf(write: WholeWrite): number {
  const own = allWrites(write).filter(({ collection }) => !['fence', 'eventInParts'].includes(collection));
  return own
    .flatMap(({ operations }) => operations)
    .reduce((sum, operation) => {
      const { filter } = Object.values(operation)[0] as { filter?: { _id?: { $in?: unknown[] } } };
      return sum + (filter?._id?.$in?.length ?? 1);
    }, 0);
}

/** Hears of each write before it is stored, and may refuse it before, or hide that it is stored. */
export type Hook = (write: WholeWrite) => { readonly before?: Error; readonly after?: Error } | undefined;

export function hooked(database: DocumentDatabase, hook: Hook): void {
  const write = database.write.bind(database);
  database.write = async (whole) => {
    const { before, after } = hook(whole) ?? {};
    if (before) throw before;
    const results = await write(whole);
    if (after) throw after;
    return results;
  };
}

export const sent = (channelId: number, topic: string): InHistory => [
  'messages',
  {
    type: 'MessageSent',
    data: {
      senderId: 1,
      recipient: { type: 'channel', channelId, topic },
      readBySender: true,
      localEcho: null,
      sendKey: null,
      content: { text: 'x', rendered: 'x', rendererVersion: 1 },
    },
  },
];
export const [from, to] = [
  { channelId: 1, topic: 'a' },
  { channelId: 2, topic: 'b' },
];
export const moved: InHistory = [
  'topics-1',
  { type: 'MessagesMoved', data: move(from, to, { anchorId: 1 }) },
  { actorId: 9 },
];
