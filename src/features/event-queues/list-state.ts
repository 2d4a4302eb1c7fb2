import type { Type } from '@nestjs/common';
import type { UserRecord } from '../../directory/directory.records.js';
import { Facts } from '../../directory/facts.js';
import { itemsOf } from '../../platform/read-models/read-user-list.js';
import type { UserItem, UserList } from '../../platform/read-models/user-list.js';
import { ReadsState, type RegisterContext, type StateParts, type StateReader } from './state-reader.js';

interface ListState<Item extends UserItem> {
  readonly list: UserList<Item>;
  /** Name of the part of the register response. Clients fetch it under this name. */
  readonly part: string;
  /** Makes the fields of the part. */
  readonly state: (items: readonly Item[]) => object;
  /** Whether the user has the list at all. Documents that lag may still have items otherwise. Absent: everybody has it. */
  readonly isKept?: (user: UserRecord | undefined) => boolean;
}

/** Makes the reader of a part of the register response that is a list of the user's own. */
export function listState<Item extends UserItem>({ list, part, state, isKept }: ListState<Item>): Type<StateReader> {
  @ReadsState()
  class ListStateReader implements StateReader {
    constructor(private readonly facts: Facts) {}

    parts({ reader }: RegisterContext): StateParts {
      const has = isKept?.(this.facts.directory.user(reader._id)) ?? true;
      return {
        own: {
          part,
          names: [part],
          read: async (_names, at) => {
            if (!has) return { state: state([]), position: at };
            const { items, position } = await itemsOf(list, reader._id, this.facts.readModels, at);
            return { state: state(items), position };
          },
        },
      };
    }
  }
  return ListStateReader;
}
