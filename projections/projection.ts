import type {
  BulkOperation,
  Collection,
  CollectionSpec,
  DocumentId,
  StoredDocument,
} from '../src/document-store/document-store.js';
import type { DomainEvent, Recorded } from '../src/kernel/event.js';

/** The projection's own documents as of the event: what earlier events changed is there. */
export interface OwnDocuments {
  collection<D extends StoredDocument>(name: string): Pick<Collection<D>, 'findOne' | 'find' | 'countDocuments'>;
}

/** A write to one of the projection's own collections. */
export interface Change {
  readonly collection: string;
  readonly operation: BulkOperation<StoredDocument>;
}

/** A document by its id: of one of the projection's own collections. */
export type LookUp = readonly [collection: string, id: DocumentId];

export type EventLookUps<E extends DomainEvent> = {
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
 * must leave the same documents. The collections belong to it alone.
 */
export interface Projection {
  readonly name: string;
  /** Raised when the function or the shape changes: builds beside the live one and switches. */
  readonly version: number;
  /** Its documents hold what people wrote: where that is deleted, it goes from their files too (D7). */
  readonly holdsWords?: true;
  readonly collections: Readonly<Record<string, CollectionSpec>>;
  readonly on: Readonly<
    Record<string, (event: Recorded, documents: OwnDocuments) => readonly Change[] | Promise<readonly Change[]>>
  >;
  /**
   * What `on` will find by id, as far as an event tells by itself: read for many events at once. Whatever else it asks
   * for is read when it does.
   */
  readonly looksUp?: Readonly<Record<string, (event: Recorded) => readonly LookUp[]>>;
}

export function projection<E extends DomainEvent>(
  definition: Omit<Projection, 'on' | 'looksUp'> & {
    readonly on: EventHandlers<E>;
    readonly looksUp?: EventLookUps<E>;
  },
): Projection {
  return definition as unknown as Projection;
}

export const insert = (collection: string, document: StoredDocument): Change => ({
  collection,
  operation: { replaceOne: { filter: { _id: document._id }, replacement: document, upsert: true } },
});
