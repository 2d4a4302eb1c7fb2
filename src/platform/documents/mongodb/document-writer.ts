import type { ClientSession } from 'mongodb';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';
import { isEnded } from '../../mongodb/mongo-failure.js';
import { readAll } from '../../mongodb/read-all.js';
import type { BulkOperation, StoredDocument, WriteResult } from '../document-store.js';
import { writeResult } from './client-writes.js';
import {
  type NativeDocument,
  type NativeOperation,
  storedDocument,
  type TextUpdate,
  type TransactionSize,
  translate,
} from './document-operations.js';
import type { DocumentQuery, Native } from './document-query.js';
import type { CollectionLayout } from './layout.js';
import { SEARCH_FIELD } from './text-fields.js';
import { repeatedIf, WriterSession } from './writer-session.js';

type Total = { -readonly [K in keyof WriteResult]: number };

/** Writes of one collection, in a transaction's session or without one. */
export class DocumentWriter {
  constructor(
    private readonly connection: MongoConnection,
    private readonly native: Native,
    private readonly layout: CollectionLayout,
    private readonly query: DocumentQuery,
    /** The session of the transaction that it writes in; or begins a transaction for an operation that needs one. */
    private readonly session: ClientSession | WriterSession,
    /** What the transaction writes. */
    private readonly size: TransactionSize,
  ) {}

  /** Writes in order. Stops at the first operation that is refused, here or by the server. */
  async apply(operations: readonly BulkOperation<StoredDocument>[]): Promise<WriteResult> {
    const total: Total = { matched: 0, modified: 0, inserted: 0, deleted: 0 };
    let waiting: NativeOperation[] = [];
    const flush = async (): Promise<void> => {
      const batch = waiting;
      waiting = [];
      if (batch.length > 0) add(total, await this.send(batch));
    };
    for (const operation of operations) {
      const translated = await this.translated(operation, flush);
      if (translated === null) continue;
      if ('native' in translated) waiting.push(translated.native);
      else {
        await flush();
        add(total, await this.updateText(translated.textUpdate));
      }
    }
    await flush();
    return total;
  }

  private async translated(operation: BulkOperation<StoredDocument>, flush: () => Promise<void>) {
    try {
      return translate(this.layout, this.query, operation);
    } catch (error) {
      // The operations before the refused one are written nevertheless.
      await flush();
      throw error;
    }
  }

  /** The driver splits a batch that is too long for one message. */
  private async send(operations: NativeOperation[], session = this.transaction()): Promise<WriteResult> {
    const options = session ? { session } : {};
    if (session) this.size.add(operations);
    const write = () => this.native.bulkWrite(operations, { ordered: true, ...options });
    return writeResult(await this.connection.call(write, this.connection.batchTimeout(operations.length)));
  }

  /** Reads, changes and writes back in a transaction, so that no other write comes in between. */
  private updateText(update: TextUpdate): Promise<WriteResult> {
    const { session } = this;
    if (!(session instanceof WriterSession)) return this.rewrite(update, session);
    return repeatedIf(isEnded, () => session.transaction((own) => this.rewrite(update, own)));
  }

  private transaction(): ClientSession | undefined {
    return this.session instanceof WriterSession ? undefined : this.session;
  }

  private async rewrite({ target, set, many }: TextUpdate, session: ClientSession): Promise<WriteResult> {
    const found = target === null ? [] : await this.read(target, many, session);
    const replacements = found.flatMap((document) => {
      const changed = { ...document, ...set };
      if (JSON.stringify(changed) === JSON.stringify(document)) return [];
      const replacement = storedDocument(this.layout, changed);
      return [{ replaceOne: { filter: { _id: document._id }, replacement } }];
    });
    if (replacements.length > 0) await this.send(replacements, session);
    return { matched: found.length, modified: replacements.length, inserted: 0, deleted: 0 };
  }

  private read(target: Record<string, unknown>, many: boolean, session: ClientSession) {
    const options = { projection: { [SEARCH_FIELD]: 0 }, ...(many ? {} : { limit: 1 }), session };
    return readAll(this.connection, this.native.find<NativeDocument>(target, options));
  }
}

function add(total: Total, result: WriteResult): void {
  total.matched += result.matched;
  total.modified += result.modified;
  total.inserted += result.inserted;
  total.deleted += result.deleted;
}
