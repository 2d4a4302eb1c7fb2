import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { applyEvents } from '../../../projections/runner/apply-events.js';
import type { Collection, DocumentDatabase, StoredDocument } from '../../platform/documents/document-store.js';
import { SqliteDocumentStore } from '../../platform/documents/sqlite/sqlite-document-store.js';
import type { Engines } from '../../platform/engines/engines.js';
import type { Recorded } from '../../platform/kernel/event.js';
import { type Position, START } from '../../platform/kernel/position.js';
import type { EventCodec } from '../../platform/log/event-codec.js';
import type { Projection } from '../../platform/read-models/projection.js';
import { pagesUpTo } from '../cli/log-cursor.js';
import { openCodec } from '../roles/skipped-events.js';

type Source = Pick<Engines, 'eventStore' | 'contentKeys'>;

/** The documents that the log gives, each projection's at a position of its own. */
export class RebuiltDocuments {
  private readonly databases = new Map<string, DocumentDatabase>();
  private readonly positions = new Map<string, Position>();

  private constructor(
    private readonly folder: string,
    private readonly store: SqliteDocumentStore,
    private readonly source: Source,
    private readonly codec: EventCodec,
  ) {}

  /** Makes a temporary folder for them, which no other user can read: they hold what people wrote. `close` removes it. */
  static async open(projections: readonly Projection[], source: Source, temporary: string): Promise<RebuiltDocuments> {
    const folder = await mkdtemp(join(temporary, 'annals-verify-'));
    try {
      const rebuilt = new RebuiltDocuments(
        folder,
        await SqliteDocumentStore.open(folder),
        source,
        await openCodec(source),
      );
      for (const { name, collections } of projections) {
        const database = await rebuilt.store.database(name);
        rebuilt.databases.set(name, database);
        await database.ensure(collections);
      }
      return rebuilt;
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  collection({ name }: Projection, collection: string): Collection<StoredDocument> {
    return this.databaseOf(name).collection(collection);
  }

  /**
   * Applies the log up to a position for each projection. Reads it once for all.
   * @param applied called with the number of events that were read since the last call
   */
  async reach(
    targets: ReadonlyMap<Projection, Position>,
    applied: (events: number) => Promise<void> = async () => {},
  ): Promise<void> {
    const ahead = [...targets].filter(([projection, target]) => target > this.positionOf(projection));
    if (ahead.length === 0) return;
    const types = [...new Set(ahead.flatMap(([{ on }]) => Object.keys(on)))];
    const after = Math.min(...ahead.map(([projection]) => this.positionOf(projection)));
    const end = Math.max(...ahead.map(([, target]) => target));
    for await (const stored of pagesUpTo(this.source.eventStore, end, { after, filter: { types } })) {
      const events = await this.codec.decode(stored);
      for (const [projection, target] of ahead) await this.apply(projection, events, target);
      await applied(stored.length);
    }
    for (const [{ name }, target] of ahead) this.positions.set(name, target);
  }

  async close(): Promise<void> {
    try {
      await this.store.close();
    } finally {
      await rm(this.folder, { recursive: true, force: true });
    }
  }

  private async apply(projection: Projection, events: readonly Recorded[], target: Position): Promise<void> {
    const after = this.positionOf(projection);
    const own = events.filter(
      ({ type, position }) => position > after && position <= target && Object.hasOwn(projection.on, type),
    );
    if (own.length === 0) return;
    try {
      await this.databaseOf(projection.name).transaction((transaction) => applyEvents(projection, transaction, own));
    } catch (error) {
      throw new Error(`the documents of ${projection.name} cannot be rebuilt`, { cause: error });
    }
  }

  private positionOf({ name }: Projection): Position {
    return this.positions.get(name) ?? START;
  }

  private databaseOf(name: string): DocumentDatabase {
    const database = this.databases.get(name);
    if (!database) throw new Error(`${name} is not rebuilt`);
    return database;
  }
}
