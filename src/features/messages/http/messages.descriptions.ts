import type { Descriptions } from '../../../platform/http/openapi/described-api.js';
import { messageChanges } from './message-changes.descriptions.js';

const NO_MARKDOWN = 'Whether `content` is HTML; false: the Markdown that its sender wrote';

const written: Descriptions = {
  'POST /messages': {
    summary: 'Send a message to a channel or to people.',
    text: `**Exactly once.** A send with the header \`Idempotency-Key\`, or with \`queue_id\` and \`local_id\`, makes one message, however often
it is repeated; the repeat is answered with the id of the first. So a client that got no answer repeats the same request, at any time. 503
says that the message is certainly not sent. 500 with \`OUTCOME_UNKNOWN\` says that it may be sent: repeat the send with the same key.

Without a key, each request makes a message of its own.

Text beyond \`max_message_length\` of \`POST /register\` is cut, and so is a topic beyond \`max_topic_length\`.`,
    parameters: {
      type: '`channel` (or `stream`): to a channel. `direct` (or `private`, deprecated): to people',
      to: 'For a channel: its name or id. For people: a list of their ids, or of their addresses. The sender is a participant in any case',
      content: 'The text, in Markdown',
      topic:
        'The topic; a message to a channel needs it. Empty and `(no topic)` are the topic without a name. A topic is the same in any case. `subject` is an older name of the parameter',
      queue_id: 'The event queue of the client that sends, which then finds `local_id` in the event of its own message',
      local_id: 'The name that the client gave the message, up to 255 characters; needs `queue_id`',
      read_by_sender:
        'Whether the sender has read the message; without it, true for client programs with a user interface (by their `User-Agent`)',
    },
  },
  'POST /messages/render': {
    summary: 'Render Markdown as a message of the caller would be, and send nothing.',
    parameters: { content: 'The text, in Markdown' },
  },
};

const read: Descriptions = {
  'GET /messages': {
    summary: 'Get the messages that match a narrow, around an anchor, or those with given ids.',
    text: `A request for a range gives \`anchor\`, \`num_before\` and \`num_after\`; a request for ids gives \`message_ids\` and none of
these. Messages are in the order of their ids. Messages that the caller may not read are left out.

An answer ends before it gets too large: \`found_oldest\` and \`found_newest\` are false then, and the next request goes on from its
first or last message.`,
    parameters: {
      num_before: 'At most so many messages before the anchor; 5,000 with `num_after` together',
      num_after: 'At most so many messages after the anchor; 5,000 with `num_before` together',
      apply_markdown: NO_MARKDOWN,
      use_first_unread_anchor: 'Deprecated: the same as `anchor=first_unread`',
      message_ids: 'The messages with these ids that match the narrow, up to 5,000, instead of a range',
    },
  },
  'GET /messages/{message_id}': {
    summary: 'Get one message that the caller may read.',
    parameters: { apply_markdown: NO_MARKDOWN },
  },
  'GET /messages/matches_narrow': {
    summary: 'Find which of some messages match a narrow, with the found words marked.',
    text: 'Clients ask it for new messages while a search is shown. Those that do not match, or that the caller may not read, are left out.',
    parameters: { msg_ids: 'The ids of the messages, up to 5,000' },
  },
  'GET /messages/{message_id}/history': {
    summary: 'Get each version of a message: as sent, and as each edit or move left it.',
    text: `The oldest is first. Refused if \`message_edit_history_visibility_policy\` of the organization is \`none\`; \`moves\` shows moves
alone. Of a very long history, the answer has the first version and the newest.`,
  },
  'GET /users/me/{stream_id}/topics': {
    summary: 'List the topics of a channel that have messages the caller may read.',
    text: 'The topic with the newest message is first.',
  },
};

export const descriptions: Descriptions = { ...written, ...read, ...messageChanges };
