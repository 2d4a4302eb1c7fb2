import type { CommandContext } from '../../kernel/command-context.js';
import { refuse } from '../../kernel/domain-error.js';
import type { NamedChannel } from './subscribe-to-channels.js';

/** Subscribes the caller to some channels and takes them out of others. */
export class UpdateSubscriptions {
  constructor(
    readonly add: readonly NamedChannel[],
    /** Names of channels. */
    readonly remove: readonly string[],
    readonly callerId: number,
    readonly by: CommandContext,
  ) {}
}

export function requireSomeChange({ add, remove }: UpdateSubscriptions): void {
  if (add.length === 0 && remove.length === 0) refuse('NO_SUBSCRIPTION_CHANGES');
}
