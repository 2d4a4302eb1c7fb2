import type { CollectionSpec, DocumentId, Sort, StoredDocument } from '../documents/document-store.js';
import type { DomainEvent, Recorded } from '../kernel/event.js';
import { type Position, START } from '../kernel/position.js';
import { type Change, type EventHandlers, insert, type OwnDocuments, type Projection, removal } from './projection.js';

/** An item of a list that each user has. */
export interface UserItem extends StoredDocument {
  /** `<userId>/<id within the user's list>`, see `itemId`. */
  readonly _id: DocumentId;
  readonly userId: number;
  /** Position of the item's last change. */
  readonly position: Position;
}

/** The fields of an item that its list does not fill in. */
type FieldsOf<Item extends UserItem> = Omit<Item, keyof UserItem>;

/** Written last: if it is read after a user's items, its position is that of the items. */
export interface OwnerDocument extends StoredDocument {
  /** The user's id. */
  readonly _id: number;
  /** Position of the last event about the user's items. */
  readonly position: Position;
}

/** A projection of lists that users have. */
export interface UserList<Item extends UserItem = UserItem> extends Projection {
  /** Collection of the items. */
  readonly items: string;
  /** Order in which clients get a user's items. */
  readonly order: Sort;
  /** Collection of the documents of owners. */
  readonly owners: string;
  /** What the owner's clients are told: the feed's rules for the list. */
  readonly told: Projection['on'];
  /** Never set: the type of the items. */
  readonly itemType?: Item;
}

/** An event in or about a user's own stream. */
type OwnEvent = DomainEvent<string, { readonly userId: number }>;

/** The items of one user, for the event that is applied. */
export interface OwnItems<Item extends UserItem> {
  put(id: number | string, fields: FieldsOf<Item>): Change;
  remove(id: number | string): Change;
  /** Changes fields of an item. Changes nothing if it is gone. */
  edit(id: number | string, fields: Partial<FieldsOf<Item>>): Promise<readonly Change[]>;
  all(): Promise<readonly Item[]>;
}

/** @returns null if the event is not about the list */
type OnEvent<E extends DomainEvent, Item extends UserItem> = (
  event: Recorded<E>,
  own: OwnItems<Item>,
) => readonly Change[] | null | Promise<readonly Change[] | null>;

interface Definition<E extends OwnEvent, Item extends UserItem, Fields extends object>
  extends Pick<Projection, 'name' | 'version' | 'holdsContent'> {
  readonly items: string;
  readonly indexes: CollectionSpec['indexes'];
  readonly order: Sort;
  /** Collections besides the items and their owners. */
  readonly collections?: Projection['collections'];
  readonly on: { readonly [T in E['type']]?: OnEvent<Extract<E, { type: T }>, Item> };
  readonly told?: EventHandlers<E>;
  /** Set if the documents of owners have fields of their own. */
  readonly owner?: OwnersFields<E, Fields>;
}

interface OwnersFields<E extends DomainEvent, Fields extends object> {
  readonly collection: string;
  readonly indexes: CollectionSpec['indexes'];
  /** The fields before a user's first event. */
  readonly initial: Fields;
  changed(before: Fields, event: Recorded<E>): Fields;
}

const OWNERS = 'owners';

/**
 * Declares lists that users have (D12, D18). Handlers only say which items change: an event that was applied before
 * changes nothing, and every event about a list raises the position in its owner's document.
 */
export function userList<E extends OwnEvent, Item extends UserItem, Fields extends object = object>(
  definition: Definition<E, Item, Fields>,
): UserList<Item> {
  const { on, told = {}, owner, items, indexes, order, collections, ...rest } = definition;
  const owners = owner?.collection ?? OWNERS;
  const ownersFields: OwnersFields<DomainEvent, object> | undefined = owner;
  const handlers = Object.entries(on) as [string, OnEvent<DomainEvent, Item>][];
  const applied = async (handle: OnEvent<DomainEvent, Item>, event: Recorded, documents: OwnDocuments) => {
    const userId = ownerOf(event);
    const changes = await handle(event, ownItems({ items, userId, position: event.position, documents }));
    if (changes === null) return [];
    const found = await documents.collection<OwnerDocument>(owners).findOne({ _id: userId });
    const before = found ?? { _id: userId, ...ownersFields?.initial, position: START };
    if (before.position >= event.position) return [];
    const after: OwnerDocument = { ...before, ...ownersFields?.changed(before, event), position: event.position };
    return [...changes, insert(owners, after)];
  };
  return {
    ...rest,
    items,
    order,
    owners,
    told: Object.fromEntries(Object.entries(told)) as Projection['on'],
    collections: {
      [items]: { ...(indexes && { indexes }) },
      [owners]: { ...(owner?.indexes && { indexes: owner.indexes }) },
      ...collections,
    },
    on: forEach(handlers, (handle) => (event, documents) => applied(handle, event, documents)),
    prefetch: forEach(handlers, () => (event) => [[owners, ownerOf(event)]]),
  };
}

function ownerOf({ type, data }: Recorded): number {
  const userId = 'userId' in data ? data.userId : undefined;
  if (typeof userId !== 'number') throw new TypeError(`${type} names no user whose list it changes`);
  return userId;
}

const forEach = <Handler, Made>(handlers: readonly [string, Handler][], make: (handler: Handler) => Made) =>
  Object.fromEntries(handlers.map(([type, handler]) => [type, make(handler)]));

export const itemId = (userId: number, id: number | string): string => `${userId}/${id}`;

interface ItemsInEvent {
  readonly items: string;
  readonly userId: number;
  readonly position: Position;
  readonly documents: OwnDocuments;
}

function ownItems<Item extends UserItem>({ items, userId, position, documents }: ItemsInEvent): OwnItems<Item> {
  return {
    put: (id, fields) => {
      const item: UserItem = { _id: itemId(userId, id), userId, ...fields, position };
      return insert(items, item);
    },
    remove: (id) => removal(items, itemId(userId, id)),
    edit: async (id, fields) => {
      const item = await documents.collection<Item>(items).findOne({ _id: itemId(userId, id) });
      return item ? [insert(items, { ...item, ...fields, position })] : [];
    },
    all: () => documents.collection<Item>(items).find({ userId }),
  };
}
