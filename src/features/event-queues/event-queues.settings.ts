import { DAY_MS } from '../../platform/kernel/durations.js';
import { featureSettings, THAT_ANSWER_CLIENTS, wholeNumber } from '../../platform/settings/setting.js';

export interface QueueSettings {
  /** The longest wait of a poll, milliseconds. */
  readonly heartbeatAfter: number;
  /** A queue that has not been polled for longer is expired, milliseconds. */
  readonly idleLimit: number;
}

/** Nest token. */
export const QUEUE_SETTINGS = Symbol('QueueSettings');

export const eventQueueSettings = featureSettings(
  {
    queueIdleDays: wholeNumber({
      environment: 'ANNALS_QUEUE_IDLE_DAYS',
      about: 'days without a poll after which an event queue expires',
      range: [1, 30],
      allowed: 'a whole number from 1 to 30 (events are kept for 30 days)',
      default: 30,
      commands: ['start', 'api', 'rebuild'],
    }),
    heartbeatSeconds: wholeNumber({
      environment: 'ANNALS_HEARTBEAT_SECONDS',
      about: 'longest time that a poll for events waits, in seconds; then it is answered with a heartbeat',
      range: [1, 600],
      default: 50,
      commands: THAT_ANSWER_CLIENTS,
    }),
  },
  ({ heartbeatSeconds, queueIdleDays }) => [
    [
      QUEUE_SETTINGS,
      { heartbeatAfter: heartbeatSeconds * 1000, idleLimit: queueIdleDays * DAY_MS } satisfies QueueSettings,
    ],
  ],
);
