import { attachments } from '../../../../projections/attachments/attachments.projection.js';
import { messages } from '../../../../projections/messages/messages.projection.js';
import { personal } from '../../../../projections/personal/personal.projection.js';
import type { EffectDeclaration } from '../../../platform/consumers/queued-effect.js';
import { SECOND_MS } from '../../../platform/kernel/durations.js';
import type { QueuedTask } from '../../../platform/tasks/task.js';
import type { WebhookTrigger } from '../domain/called-bots.js';

/** A message that is older is not told to a bot any more, and no call is tried for longer. */
export const LONGEST_TRYING_MS = 3600 * SECOND_MS;
/** Tries after the first one, while the service cannot be reached. */
export const MOST_RETRIES = 3;

/** Calls one bot about one message. The message is read when the call is made: no copy of it stays here. */
export interface CallTask extends QueuedTask {
  readonly messageId: number;
  readonly botId: number;
  readonly trigger: WebhookTrigger;
  /** The channel that the message was sent to; null: it is a direct message. */
  readonly channelId: number | null;
  /** Why the call has failed for good. */
  readonly failure?: string;
}

/** Each bot has a lane, so a slow service delays calls of its own bot alone. */
export const laneOf = (botId: number): string => `bot/${botId}`;

/** Calls of outgoing webhook bots. */
export const CALLS: EffectDeclaration<CallTask> = {
  name: 'webhooks',
  logger: 'Webhooks',
  database: 'webhooks',
  queue: 'webhook-calls',
  reads: [messages, personal, attachments],
  lanes: {},
  together: 4,
  patience: {
    firstPause: 2 * SECOND_MS,
    longestPause: 60 * SECOND_MS,
    longestTrying: LONGEST_TRYING_MS,
    closing: 2 * SECOND_MS,
  },
  words: { task: (id) => `call ${id}`, tasks: 'calls of bots', receiver: "the bot's service" },
};
