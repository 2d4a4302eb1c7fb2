import type { ClientSession } from 'mongodb';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';
import { readAll } from '../../mongodb/read-all.js';
import type { BulkOperation, StoredDocument, WriteResult } from '../document-store.js';
import { updater, upsertedDocument } from '../document-update.js';
import {
  type NativeDocument,
  type NativeOperation,
  storedDocument,
  type TextUpdate,
  translate,
} from './document-operations.js';
import type { DocumentQuery, Native } from './document-query.js';
import type { CollectionLayout } from './layout.js';
import { SEARCH_FIELD } from './text-fields.js';
import { WriterSession } from './writer-session.js';

type Total = { -readonly [K in keyof WriteResult]: number };

/** Writes of one collection, in a transaction's session or without one. */
export class DocumentWriter {
  constructor(
    private readonly connection: MongoConnection,
    private readonly native: Native,
    private readonly layout: CollectionLayout,
    private readonly query: DocumentQuery,
    /** The transaction that it writes in, or what makes one of its own where an operation needs it. */
    private readonly session: ClientSession | WriterSession,
  ) {}

  /** In order; stops at the first that is refused, here or by the server. */
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
      // What came before the refused operation stays.
      await flush();
      throw error;
    }
  }

  /** The driver splits what is too much for one message. */
  private async send(operations: NativeOperation[], session = this.transaction()): Promise<WriteResult> {
    const options = session ? { session } : {};
    const result = await this.connection.call(
      () => this.native.bulkWrite(operations, { ordered: true, ...options }),
      this.connection.batchTimeout(operations.length),
    );
    return {
      matched: result.matchedCount,
      modified: result.modifiedCount,
      inserted: result.insertedCount + result.upsertedCount,
      deleted: result.deletedCount,
    };
  }

  /** Read, changed and written back; nobody else writes in between where the engine has transactions. */
  private updateText(update: TextUpdate): Promise<WriteResult> {
    const { session } = this;
    if (!(session instanceof WriterSession)) return this.rewrite(update, session);
    if (!this.connection.hasTransactions) return this.rewrite(update, undefined);
    return session.transaction((own) => this.rewrite(update, own));
  }

  private transaction(): ClientSession | undefined {
    return this.session instanceof WriterSession ? undefined : this.session;
  }

  private async rewrite(
    { filter, target, update, upsert, many }: TextUpdate,
    session: ClientSession | undefined,
  ): Promise<WriteResult> {
    const change = updater(update, filter);
    const found = target === null ? [] : await this.read(target, many, session);
    if (found.length === 0 && upsert) {
      const document = storedDocument(this.layout, upsertedDocument(filter, update));
      return this.send([{ insertOne: { document } }], session);
    }
    const replacements = found.flatMap((document) => {
      const changed = structuredClone(document);
      change(changed);
      if (changed._id !== document._id)
        throw new TypeError(`the _id ${JSON.stringify(document._id)} of a document stays`);
      if (JSON.stringify(changed) === JSON.stringify(document)) return [];
      const replacement = storedDocument(this.layout, changed);
      return [{ replaceOne: { filter: { _id: document._id }, replacement } }];
    });
    if (replacements.length > 0) await this.send(replacements, session);
    return { matched: found.length, modified: replacements.length, inserted: 0, deleted: 0 };
  }

  private read(target: Record<string, unknown>, many: boolean, session: ClientSession | undefined) {
    const options = {
      projection: { [SEARCH_FIELD]: 0 },
      ...(many ? {} : { limit: 1 }),
      ...(session ? { session } : {}),
    };
    return readAll(this.connection, this.native.find<NativeDocument>(target, options));
  }
}

function add(total: Total, result: WriteResult): void {
  total.matched += result.matched;
  total.modified += result.modified;
  total.inserted += result.inserted;
  total.deleted += result.deleted;
}
