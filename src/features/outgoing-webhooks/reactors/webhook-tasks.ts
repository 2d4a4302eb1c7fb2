import { attachments } from '../../../../projections/attachments/attachments.projection.js';
import { messages } from '../../../../projections/messages/messages.projection.js';
import { personal } from '../../../../projections/personal/personal.projection.js';
import type { QueuedTask } from '../../../platform/tasks/task.js';
import type { TaskQueueOptions } from '../../../platform/tasks/task-queue.js';
import type { WebhookTrigger } from '../domain/called-bots.js';

const SECOND_MS = 1000;

/** The database of the checkpoint. */
export const WEBHOOKS_DATABASE = 'webhooks';

/** The projections, besides the directory's, whose documents calls and replies are made of. */
export const CALLS_READ = [messages, personal, attachments];

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

export const CALLS: Pick<TaskQueueOptions<CallTask>, 'lanes' | 'together' | 'patience' | 'words'> = {
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
