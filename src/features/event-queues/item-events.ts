import { Inject, type Type } from '@nestjs/common';
import type { ReaderEventKind } from '../../../projections/client-events/client-event.js';
import { type ClientEventDocument, positionOf } from '../../../projections/client-events/client-events.documents.js';
import { READ_MODELS, type ReadModels } from '../../platform/read-models/read-models.js';
import { itemsById } from '../../platform/read-models/read-user-list.js';
import type { UserItem, UserList } from '../../platform/read-models/user-list.js';
import { type ClientEventWriter, type ServedQueue, type WriteBody, WritesClientEvents } from './client-event-writer.js';

interface ItemEvents<Item extends UserItem, Payload extends object, Kind extends string> {
  readonly list: UserList<Item>;
  readonly kinds: readonly ReaderEventKind<Payload, Kind>[];
  /** Ids of the items that a client event names, within the user's list. */
  readonly ids: (payload: Payload) => readonly (number | string)[];
  readonly idOf: (item: Item) => number | string;
  /** Makes the body of a client event from the items that still exist, at least one. */
  readonly body: (kind: Kind, items: readonly Item[]) => object;
}

/** Makes the writer of client events about items of the user's own: items as they are now, as of the event or later. */
export function itemEvents<Item extends UserItem, Payload extends object, Kind extends string>({
  list,
  kinds,
  ids,
  idOf,
  body,
}: ItemEvents<Item, Payload, Kind>): Type<ClientEventWriter> {
  const isOurs = (event: ClientEventDocument): event is ClientEventDocument<Payload, Kind> =>
    kinds.some((kind) => kind.is(event));

  @WritesClientEvents()
  class ItemEventWriter implements ClientEventWriter {
    readonly kinds = kinds;

    constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

    async prepare(events: readonly ClientEventDocument[], { reader }: ServedQueue): Promise<WriteBody> {
      const about = events.filter(isOurs);
      await this.readModels.waitFor([list], positionOf(about.at(-1)?._id ?? 0));
      const found = await itemsById(
        list,
        reader._id,
        about.flatMap(({ payload }) => ids(payload)),
        this.readModels,
      );
      const byId = new Map(found.map((item) => [idOf(item), item]));
      return (event) => {
        const items = isOurs(event) ? ids(event.payload).flatMap((id) => byId.get(id) ?? []) : [];
        // If all of them are deleted, a later event tells so.
        return isOurs(event) && items.length > 0 ? JSON.stringify(body(event.kind, items)) : null;
      };
    }
  }
  return ItemEventWriter;
}
