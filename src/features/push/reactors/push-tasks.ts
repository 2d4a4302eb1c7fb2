import { messages } from '../../../../projections/messages/messages.projection.js';
import { personal } from '../../../../projections/personal/personal.projection.js';
import { pushDevices } from '../../../../projections/push-devices/push-devices.projection.js';
import { readState } from '../../../../projections/read-state/read-state.projection.js';
import type { EffectDeclaration } from '../../../platform/consumers/queued-effect.js';
import { HOUR_MS, SECOND_MS } from '../../../platform/kernel/durations.js';
import type { Position } from '../../../platform/kernel/position.js';
import type { QueuedTask } from '../../../platform/tasks/task.js';
import type { PushTrigger } from '../domain/push-trigger.js';

/** Notifications, and what the service of them is told. */
export const PUSHES: EffectDeclaration<Task> = {
  name: 'push',
  logger: 'Push',
  database: 'pusher',
  queue: 'pushes',
  indexes: [{ keys: { userId: 1, messageId: 1 } }, { keys: { messageId: 1 } }],
  reads: [messages, readState, personal, pushDevices],
  /** One lane for each service. */
  lanes: { apns: 16, fcm: 16 },
  patience: {
    firstPause: 2 * SECOND_MS,
    longestPause: HOUR_MS / 4,
    longestTrying: 24 * HOUR_MS,
    closing: 2 * SECOND_MS,
  },
  words: { task: (id) => id, tasks: 'notifications', receiver: 'the service' },
};

/** A device, by its content key: a token that was added again, or a device that was registered again, is another one. */
interface ToDevice extends QueuedTask {
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
export interface RegistrationTask extends QueuedTask {
  readonly kind: 'registration';
  readonly userId: number;
  readonly pushAccountId: string;
  readonly keyId: string;
}

/** Tells the service of a token that was added or removed here. */
export interface TokenTask extends QueuedTask {
  readonly kind: 'token-addition' | 'token-removal';
  readonly userId: number;
  readonly keyId: string;
}

/** Tells the service that an account has no tokens any more. */
export interface AccountTask extends QueuedTask {
  readonly kind: 'account-removal';
  readonly userId: number;
}

export type Task = MessageTask | RemovalTask | RegistrationTask | TokenTask | AccountTask;
