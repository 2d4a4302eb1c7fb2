import type { Position } from '../../../platform/kernel/position.js';
import type { PushTask } from '../../../platform/push/push-queue.js';
import type { PushTrigger } from '../domain/push-trigger.js';

/** The database of the pusher's checkpoint. */
export const PUSHER_DATABASE = 'pusher';

/** A device, by its content key: a token that was added again, or a device that was registered again, is another one. */
interface ToDevice extends PushTask {
  readonly userId: number;
  readonly form: 'token' | 'device';
  /** Id of the content key of the token or the registration. */
  readonly keyId: string;
}

/** A message for a device. The content is read when it is sent: no copy of it stays here. */
export interface MessageTask extends ToDevice {
  readonly kind: 'message';
  readonly messageId: number;
  readonly sentPosition: Position;
  readonly trigger: PushTrigger;
  readonly groupId: number | null;
  /** Whether the device may show the message now; absent: not yet. */
  readonly shown?: boolean;
  /** The message is to be removed from the device, or never to be shown. */
  readonly withdrawn?: boolean;
}

/** Removes messages from a device. */
export interface RemovalTask extends ToDevice {
  readonly kind: 'removal';
  readonly messageIds: readonly number[];
}

/** Asks the service to accept a device. */
export interface RegistrationTask extends PushTask {
  readonly kind: 'registration';
  readonly userId: number;
  readonly pushAccountId: string;
  readonly keyId: string;
}

/** Tells the service of a token that was added or removed here. */
export interface TokenTask extends PushTask {
  readonly kind: 'token-addition' | 'token-removal';
  readonly userId: number;
  readonly keyId: string;
}

/** Tells the service that an account has no tokens any more. */
export interface AccountTask extends PushTask {
  readonly kind: 'account-removal';
  readonly userId: number;
}

export type Task = MessageTask | RemovalTask | RegistrationTask | TokenTask | AccountTask;

export type NewTask<T extends Task> = T extends Task ? Omit<T, 'queuedAt' | 'dueAt' | 'tries'> : never;
