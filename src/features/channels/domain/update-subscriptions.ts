import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import { refuse } from '../../../platform/kernel/domain-error.js';
import type { ChannelNamesByUser, NamedChannel } from './subscribe-to-channels.js';

export interface UpdateSubscriptionsResult {
  readonly subscribed: ChannelNamesByUser;
  readonly already_subscribed: ChannelNamesByUser;
  readonly removed: readonly string[];
  readonly not_removed: readonly string[];
}

/** Subscribes the caller to some channels and unsubscribes them from others. */
export class UpdateSubscriptions extends Command<UpdateSubscriptionsResult> {
  constructor(
    readonly add: readonly NamedChannel[],
    /** Names of channels. */
    readonly remove: readonly string[],
    readonly callerId: number,
    readonly by: CommandContext,
  ) {
    super();
  }
}

export function requireSomeChange({ add, remove }: UpdateSubscriptions): void {
  if (add.length === 0 && remove.length === 0) refuse('NO_SUBSCRIPTION_CHANGES');
}
