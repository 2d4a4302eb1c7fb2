import type {
  BulkOperation,
  Collection,
  CollectionSpec,
  DocumentId,
  StoredDocument,
} from '../documents/document-store.js';
import type { DomainEvent, Recorded } from '../kernel/event.js';

/** The projection's own documents, with the changes of all earlier events. */
export interface OwnDocuments {
  collection<D extends StoredDocument>(name: string): Pick<Collection<D>, 'findOne' | 'find' | 'countDocuments'>;
}

/** A write to one of the projection's own collections. */
export interface Change {
  readonly collection: string;
  readonly operation: BulkOperation<StoredDocument>;
  /**
   * If an event changes more than one transaction may write, neighbours of the same group are stored together all the
   * same, as far as they fit.
   */
  readonly group?: number;
}

/** The id of a document in one of the projection's own collections. */
export type LookUp = readonly [collection: string, id: DocumentId];

export type EventPrefetch<E extends DomainEvent> = {
  readonly [T in E['type']]?: (event: Recorded<Extract<E, { type: T }>>) => readonly LookUp[];
};

export type EventHandlers<E extends DomainEvent> = {
  readonly [T in E['type']]?: (
    event: Recorded<Extract<E, { type: T }>>,
    documents: OwnDocuments,
  ) => readonly Change[] | Promise<readonly Change[]>;
};

/**
 * One read model (D12). `on` is pure: the same event and own documents give the same changes. Applying an event twice
 * must leave the same documents. No other projection uses the collections.
 */
export interface Projection {
  readonly name: string;
  /** Raised when `on` or the documents' shape changes: a new database is built beside the live one, and replaces it. */
  readonly version: number;
  /** Set if the documents hold what people wrote: deletions must erase it from the database's files too (D7). */
  readonly holdsContent?: true;
  readonly collections: Readonly<Record<string, CollectionSpec>>;
  readonly on: Readonly<
    Record<string, (event: Recorded, documents: OwnDocuments) => readonly Change[] | Promise<readonly Change[]>>
  >;
  /**
   * The collection whose look-ups by id mostly find nothing; its ids are made by a hash. A process that alone writes the
   * documents remembers the ids, so that such a look-up needs no query.
   */
  readonly mostlyMissed?: string;
  /**
   * The documents that `on` will find by id, as far as the event alone tells. The runner reads them for many events at
   * once, and other documents when `on` asks for them.
   */
  readonly prefetch?: Readonly<Record<string, (event: Recorded) => readonly LookUp[]>>;
  /**
   * Exceptions to the rule that a command's answer waits for the projections that handle its events (D11). `false`: no
   * caller reads the documents. By type of event: tells from the event's data whether its documents change.
   */
  readonly awaited?: false | Readonly<Record<string, (data: Readonly<Record<string, unknown>>) => boolean>>;
}

export function projection<E extends DomainEvent>(
  definition: Omit<Projection, 'on' | 'prefetch' | 'awaited'> & {
    readonly on: EventHandlers<E>;
    readonly prefetch?: EventPrefetch<E>;
    readonly awaited?: false | { readonly [T in E['type']]?: (data: Extract<E, { type: T }>['data']) => boolean };
  },
): Projection {
  return definition as unknown as Projection;
}

export const insert = (collection: string, document: StoredDocument): Change => ({
  collection,
  operation: { replaceOne: { filter: { _id: document._id }, replacement: document, upsert: true } },
});

export const removal = (collection: string, _id: DocumentId): Change => ({
  collection,
  operation: { deleteOne: { filter: { _id } } },
});
