import type { ClientConnection } from '../../../platform/kernel/client-connection.js';
import { Command } from '../../../platform/kernel/deciding.js';
import type { FlagChanges, FlagOperation } from './change-flags.js';

export interface NarrowFlagChanges extends Omit<FlagChanges, 'events'> {
  /** The messages in the range, by id. */
  readonly page: {
    readonly messages: readonly { readonly _id: number }[];
    readonly foundOldest: boolean;
    readonly foundNewest: boolean;
  };
}

/** Does the same as ChangeFlags, for the messages of a narrow around an anchor. */
export class ChangeFlagsInNarrow<Narrow, Range> extends Command<
  {
    userId: number;
    narrow: Narrow;
    range: Range;
    operation: FlagOperation;
    flag: string;
    client: ClientConnection;
  },
  NarrowFlagChanges
> {}
