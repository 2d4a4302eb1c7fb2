import type { Descriptions } from '../../../platform/http/openapi/described-api.js';

export const descriptions: Descriptions = {
  'GET /reminders': { summary: 'List the own reminders that are still to come.' },
  'POST /reminders': {
    summary: 'Have the Notification Bot remind the caller of a message at a later time.',
    text: `The bot sends the caller a direct message that links to the message and quotes it. It sends it once, and later if the server
does not run at that time. An account has up to 250 reminders. A repeat of this request sets another.`,
    parameters: {
      message_id: 'The message, which the caller may read',
      scheduled_delivery_timestamp: 'When the reminder is sent: seconds since 1970, in the future',
      note: 'What the reminder says besides, up to `max_reminder_note_length` of `POST /register`',
    },
  },
  'DELETE /reminders/{reminder_id}': {
    summary: 'Delete an own reminder before it is sent.',
    parameters: { reminder_id: 'The id of the reminder, among those of the caller' },
  },
};
