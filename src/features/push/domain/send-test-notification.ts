import { Command } from '../../../platform/kernel/deciding.js';

/** Sends a test notification to one of the caller's devices, or to all of them. */
export class SendTestNotification extends Command<{
  userId: number;
  /** null: all devices. */
  token: string | null;
}> {}

/** Sends an encrypted test notification to one of the caller's registered devices, or to all of them. */
export class SendEncryptedTestNotification extends Command<{
  userId: number;
  /** null: all devices. */
  pushAccountId: string | null;
}> {}
