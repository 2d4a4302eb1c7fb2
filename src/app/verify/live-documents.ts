import { isAmidEvent } from '../../../projections/runner/parted-event.js';
import type { ProjectionRecord } from '../../../projections/runner/projection-record.js';
import { Registry } from '../../../projections/runner/registry.js';
import type {
  Collection,
  DocumentDatabase,
  DocumentStore,
  StoredDocument,
} from '../../platform/documents/document-store.js';
import type { Position } from '../../platform/kernel/position.js';
import type { Projection } from '../../platform/read-models/projection.js';
import { NotRight } from './verified-log.js';

/** The documents of a projection that clients are answered from. A server may be changing them. */
export class LiveDocuments {
  private constructor(
    readonly projection: Projection,
    private readonly store: DocumentStore,
    private readonly database: DocumentDatabase,
  ) {}

  /**
   * @param record the projection's, if it has one
   * @returns why there are none, if there are none
   * @throws NotRight if some of them are missing as a whole
   */
  static async open(
    store: DocumentStore,
    projection: Projection,
    record: ProjectionRecord | undefined,
  ): Promise<LiveDocuments | string> {
    const live = record?.live;
    if (!live || live.version !== projection.version)
      return record?.building ? 'is being built' : 'has no documents of this version';
    // Opening a missing database would create it.
    if (!(await store.databases()).includes(live.name)) return 'has lost its documents';
    const database = await store.database(live.name);
    try {
      for (const name of Object.keys(projection.collections))
        if (!(await database.has(name)))
          throw new NotRight(`the documents of ${projection.name} have no collection ${name}`);
      if ((await database.checkpoint()) === null)
        throw new NotRight(`the documents of ${projection.name} have no checkpoint`);
    } catch (error) {
      await database.close();
      throw error;
    }
    return new LiveDocuments(projection, store, database);
  }

  collection(name: string): Collection<StoredDocument> {
    return this.database.collection(name);
  }

  /** All events up to this position have been applied. @throws Error if the documents are gone */
  async position(): Promise<Position> {
    const position = await this.database.checkpoint();
    if (position === null) throw this.replaced();
    return position;
  }

  isAmidEvent(): Promise<boolean> {
    return isAmidEvent(this.database);
  }

  /** @throws Error if clients are answered from other documents by now */
  async mustBeLive(): Promise<void> {
    const record = (await Registry.stored(this.store)).get(this.projection.name);
    if (record?.live?.name !== this.database.name) throw this.replaced();
  }

  close(): Promise<void> {
    return this.database.close();
  }

  private replaced(): Error {
    return new Error(`${this.projection.name} was rebuilt meanwhile: run the command again`);
  }
}
