import { BatchQueue } from '../../mongodb/batch-queue.js';
import type { DocumentId } from '../document-store.js';
import type { Fields } from './document-query.js';

/** Ids in one query; servers compare each of them with each document that they find. */
const MOST_AT_ONCE = 32;

/**
 * One read of documents by their ids at a time: whatever is asked for meanwhile goes together into the next, so that
 * many who ask for a document each are a few queries. Each sees what was stored when it asked.
 */
export class ReadsById {
  private readonly reads: BatchQueue<DocumentId, Fields | null>;

  /** @param find those of the ids that there are */
  constructor(find: (ids: readonly DocumentId[]) => Promise<readonly Fields[]>) {
    this.reads = new BatchQueue(async (ids) => {
      const wanted = [...new Set(ids)];
      const found = new Map((await find(wanted)).map((document) => [document._id, document]));
      return ids.map((id) => found.get(id) ?? null);
    }, MOST_AT_ONCE);
  }

  /** null where there is none. */
  read(id: DocumentId): Promise<Fields | null> {
    return this.reads.add(id);
  }
}
