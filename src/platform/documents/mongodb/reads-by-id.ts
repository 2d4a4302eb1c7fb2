import { BatchQueue } from '../../mongodb/batch-queue.js';
import type { DocumentId } from '../document-store.js';
import type { Fields } from './document-query.js';

/** Ids in one query. Servers compare each id with each document found. */
const MOST_AT_ONCE = 32;

/**
 * Reads documents by id, one query at a time: reads asked for meanwhile share the next query. Each read sees the
 * documents stored when it was asked for.
 */
export class ReadsById {
  private readonly reads: BatchQueue<DocumentId, Fields | null>;

  /** @param find finds the documents that exist */
  constructor(find: (ids: readonly DocumentId[]) => Promise<readonly Fields[]>) {
    this.reads = new BatchQueue(async (ids) => {
      const wanted = [...new Set(ids)];
      const found = new Map((await find(wanted)).map((document) => [document._id, document]));
      return ids.map((id) => found.get(id) ?? null);
    }, MOST_AT_ONCE);
  }

  /** null if there is no such document. */
  read(id: DocumentId): Promise<Fields | null> {
    return this.reads.add(id);
  }
}
