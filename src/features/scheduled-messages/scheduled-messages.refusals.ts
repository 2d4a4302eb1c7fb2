import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';

export const scheduledMessageRefusals = {
  SCHEDULE_NOT_FOUND: { status: 404, code: 'BAD_REQUEST', message: 'Scheduled message does not exist' },
  SCHEDULE_SENT: badRequest('Scheduled message was already sent'),
  SCHEDULE_TIME_PAST: badRequest('Scheduled delivery time must be in the future.'),
  SCHEDULE_UNCHANGED: badRequest('Nothing to change'),
  SCHEDULE_RECIPIENT_MISSING: badRequest('Recipient required when updating type of scheduled message.'),
  SCHEDULE_TOPIC_MISSING: badRequest('Topic required when updating scheduled message type to channel.'),
  SCHEDULES_TOO_LARGE: badRequest('Your scheduled messages are too large together (limit: {limit} MiB)'),
  TOO_MANY_SCHEDULES: badRequest('Too many scheduled messages (limit: {limit})'),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof scheduledMessageRefusals> {}
}
