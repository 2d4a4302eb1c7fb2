import type { Descriptions } from '../../../platform/http/openapi/described-api.js';

const ID = 'The id of the scheduled message, among those of the caller';
const TYPE = '`channel` (or `stream`), or `direct` (or `private`, deprecated)';
const TO = 'The id of the channel, or a list of the ids of up to 1,000 people';
const TOPIC = 'The topic, for a channel; empty and `(no topic)`: the topic without a name';
const CONTENT = 'The text, in Markdown, up to `max_message_length` of `POST /register`';
const TIME = 'When it is sent: seconds since 1970, in the future';

export const descriptions: Descriptions = {
  'GET /scheduled_messages': {
    summary: 'List the own messages that are to be sent later.',
    text: '`failed` is true for those that could not be sent at their time: edit or delete them.',
  },
  'POST /scheduled_messages': {
    summary: 'Have the server send a message at a later time.',
    text: `It is sent once, whatever happens to the server at that time. If it may not be sent then, or if the server is more than ten
minutes late, it fails, and the Notification Bot tells its writer. An account has up to 1,000 scheduled messages, of 4 MiB together. A
repeat of this request schedules it again.`,
    parameters: {
      type: TYPE,
      to: TO,
      topic: TOPIC,
      content: CONTENT,
      scheduled_delivery_timestamp: TIME,
      read_by_sender:
        'Whether the sender has read the message; without it, true for client programs with a user interface (by their `User-Agent`)',
    },
  },
  'PATCH /scheduled_messages/{scheduled_message_id}': {
    summary: 'Change an own message that is to be sent later.',
    text: 'What is not given stays. A failed message needs a new time. A message whose sending has begun is not changed.',
    parameters: {
      scheduled_message_id: ID,
      type: `${TYPE}; needs \`to\`, and for a channel \`topic\``,
      to: TO,
      topic: TOPIC,
      content: CONTENT,
      scheduled_delivery_timestamp: TIME,
    },
  },
  'DELETE /scheduled_messages/{scheduled_message_id}': {
    summary: 'Delete an own message before it is sent.',
    text: 'A message whose sending has begun is not deleted.',
    parameters: { scheduled_message_id: ID },
  },
};
