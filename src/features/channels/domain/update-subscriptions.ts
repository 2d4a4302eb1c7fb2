import { Command, refuse } from '../../../platform/kernel/deciding.js';
import type { ChannelNamesByUser, NamedChannel } from './subscribe-to-channels.js';

export interface UpdateSubscriptionsResult {
  readonly subscribed: ChannelNamesByUser;
  readonly already_subscribed: ChannelNamesByUser;
  readonly removed: readonly string[];
  readonly not_removed: readonly string[];
}

/** Subscribes the caller to some channels and unsubscribes them from others. */
export class UpdateSubscriptions extends Command<
  {
    add: readonly NamedChannel[];
    /** Names of channels. */
    remove: readonly string[];
    callerId: number;
  },
  UpdateSubscriptionsResult
> {}

export function requireSomeChange({ add, remove }: UpdateSubscriptions): void {
  if (add.length === 0 && remove.length === 0) refuse('NO_SUBSCRIPTION_CHANGES');
}
