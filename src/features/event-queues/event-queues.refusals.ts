import type { DataOf, Refusals } from '../../platform/http/refusal.js';

/** Refusals of event queues. */
export const eventQueueRefusals = {
  BAD_EVENT_QUEUE_ID: {
    status: 400,
    code: 'BAD_EVENT_QUEUE_ID',
    message: 'Bad event queue ID: {queue_id}',
    keys: ['queue_id'],
  },
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof eventQueueRefusals> {}
}
