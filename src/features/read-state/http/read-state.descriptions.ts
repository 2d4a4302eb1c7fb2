import type { Descriptions } from '../../../platform/http/openapi/described-api.js';

const FLAG = '`read`, `starred` or `collapsed`; the server alone sets other flags';
const OP = '`add` sets the flag, `remove` clears it';
const REPEAT = 'A repeat changes nothing more.';

export const descriptions: Descriptions = {
  'POST /messages/flags': {
    summary: 'Set or clear an own flag of some messages.',
    text: `\`messages\` of the answer lists those that changed. Messages that the caller may not read are left out, and so are, of
those to be marked as unread, messages of channels that the caller is not subscribed to. ${REPEAT}`,
    parameters: { messages: 'The ids of the messages', op: OP, flag: FLAG },
  },
  'POST /messages/flags/narrow': {
    summary: 'Set or clear an own flag of the messages that match a narrow, around an anchor.',
    text: `Large ranges need several requests: the next one has \`last_processed_id\` as its anchor, without it, until
\`found_newest\` is true (or \`first_processed_id\` and \`found_oldest\`). ${REPEAT}`,
    parameters: {
      num_before: 'At most so many messages before the anchor; more than 25,000 are 25,000',
      num_after: 'At most so many messages after the anchor; more than 25,000 are 25,000',
      op: OP,
      flag: FLAG,
    },
  },
  'POST /mark_all_as_read': {
    summary: 'Mark all messages as read (deprecated: use `POST /messages/flags/narrow`).',
    text: 'One event marks any number of messages, so `complete` is always true.',
  },
  'POST /mark_stream_as_read': {
    summary: 'Mark all messages of a channel as read (deprecated: use `POST /messages/flags/narrow`).',
  },
  'POST /mark_topic_as_read': {
    summary: 'Mark all messages of a topic as read (deprecated: use `POST /messages/flags/narrow`).',
    text: 'A topic without messages is refused.',
  },
  'GET /messages/{message_id}/read_receipts': {
    summary: 'List who has read a message.',
    text: `The sender is not listed, nor is who has turned \`send_read_receipts\` off, nor who has muted the caller or is muted by
the caller. Refused if \`enable_read_receipts\` of the organization is off.`,
  },
};
