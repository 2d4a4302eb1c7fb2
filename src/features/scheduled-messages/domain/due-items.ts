import { Map as PersistentMap } from 'immutable';

/** After this time a process that has begun to send an item counts as gone, and another one takes over. */
export const TAKEN_OVER_AFTER_MS = 10_000;

type Stage =
  | { readonly status: 'waiting' }
  /** `begunAt`: milliseconds since 1970. */
  | { readonly status: 'sending'; readonly begunAt: number }
  | { readonly status: 'failed' };

/** An item that the server sends at its time. It has no words: a remembered state keeps no secret of a deleted item. */
export type DueItem<Fields = object> = Fields & Stage & { readonly keyId: string };

/** The items of one kind that a user has. */
export interface DueItems<Fields = object> {
  readonly byId: PersistentMap<number, DueItem<Fields>>;
  /** The user's items of all kinds have their ids in common. 0: there has been none. */
  readonly lastId: number;
}

export const noItems = <Fields>(): DueItems<Fields> => ({ byId: PersistentMap(), lastId: 0 });

export const withItem = <Fields>(items: DueItems<Fields>, id: number, item: DueItem<Fields>): DueItems<Fields> => ({
  byId: items.byId.set(id, item),
  lastId: Math.max(items.lastId, id),
});

/** Changes nothing if the item is gone. */
export function atStage<Fields>(items: DueItems<Fields>, id: number, stage: Stage): DueItems<Fields> {
  const item = items.byId.get(id);
  return item ? withItem(items, id, { ...item, ...stage }) : items;
}

export const withoutItem = <Fields>(items: DueItems<Fields>, id: number): DueItems<Fields> => ({
  ...items,
  byId: items.byId.delete(id),
});

/** Whether a process may begin to send the item: no other one has, or the other one counts as gone. */
export const mayBegin = (item: DueItem | undefined, now: number): boolean =>
  item?.status === 'waiting' || (item?.status === 'sending' && now >= item.begunAt + TAKEN_OVER_AFTER_MS);
