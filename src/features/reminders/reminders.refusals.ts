import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';

export const reminderRefusals = {
  REMINDER_NOT_FOUND: { status: 404, code: 'BAD_REQUEST', message: 'Reminder does not exist' },
  REMINDER_NOTE_TOO_LONG: badRequest('Maximum reminder note length: {limit} characters'),
  TOO_MANY_REMINDERS: badRequest('Too many reminders (limit: {limit})'),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof reminderRefusals> {}
}
