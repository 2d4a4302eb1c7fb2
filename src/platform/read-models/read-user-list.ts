import { type Position, START } from '../kernel/position.js';
import { readAtOnePosition } from './read-at-one-position.js';
import type { ReadModels } from './read-models.js';
import { itemId, type OwnerDocument, type UserItem, type UserList } from './user-list.js';

/** A user's items at one position. */
interface OwnList<Items, Owner extends OwnerDocument = OwnerDocument> {
  readonly items: Items;
  /** null: there was never an event about the user's list. */
  readonly owner: Owner | null;
  /** The position that the items are as of. */
  readonly position: Position;
}

/**
 * All of a user's items at one position, which is `at` or later, in the list's order.
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function itemsOf<Item extends UserItem, Owner extends OwnerDocument = OwnerDocument>(
  list: UserList<Item>,
  userId: number,
  readModels: ReadModels,
  at: Position = START,
): Promise<OwnList<readonly Item[], Owner>> {
  const items = readModels.collection<Item>(list, list.items);
  const owners = readModels.collection<Owner>(list, list.owners);
  const { found, position } = await readAtOnePosition(readModels, list, at, async () => {
    const read = await items.find({ userId }, { sort: list.order });
    const owner = await owners.findOne({ _id: userId });
    return { found: { items: read, owner }, changedAt: owner?.position ?? START };
  });
  return { ...found, position };
}

/**
 * The existing items among the ids, each once, in no order.
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function itemsById<Item extends UserItem>(
  list: UserList<Item>,
  userId: number,
  ids: readonly (number | string)[],
  readModels: ReadModels,
): Promise<readonly Item[]> {
  if (ids.length === 0) return [];
  const _id = { $in: [...new Set(ids)].map((id) => itemId(userId, id)) };
  return readModels.collection<Item>(list, list.items).find({ _id });
}
