import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';

/** Sends a test notification to one of the caller's devices, or to all of them. */
export class SendTestNotification extends Command<void> {
  constructor(
    readonly userId: number,
    /** null: all devices. */
    readonly token: string | null,
    readonly by: CommandContext,
  ) {
    super();
  }
}

/** Sends an encrypted test notification to one of the caller's registered devices, or to all of them. */
export class SendEncryptedTestNotification extends Command<void> {
  constructor(
    readonly userId: number,
    /** null: all devices. */
    readonly pushAccountId: string | null,
    readonly by: CommandContext,
  ) {
    super();
  }
}
