import type { Description, Descriptions } from '../../../platform/http/openapi/described-api.js';

const OP = '`start`: repeated every few seconds while you type. `stop`: you type no longer';
const SETTINGS =
  'Refused while your setting `send_private_typing_notifications` or `send_stream_typing_notifications` is off. Nobody is told in a channel with more than 100 subscribers.';

const SET: Description = {
  summary: 'Tell the readers of a message that you write it, or have stopped.',
  text: `Told to those with the setting \`receives_typing_notifications\`, by the rules of sending the message. ${SETTINGS}`,
  parameters: {
    op: OP,
    type: '`direct`, the default, or `channel`, whose older name is `stream`',
    to: 'Of a direct message: the ids of the people, with or without your own',
    stream_id: 'The id of the channel, for `channel`',
    topic: 'The topic, for `channel`',
  },
};

const SET_FOR_EDIT: Description = {
  summary: 'Tell the readers of a message that you edit it, or have stopped.',
  text: `For the sender of the message, while it can be edited. ${SETTINGS}`,
  parameters: { op: OP },
};

export const descriptions: Descriptions = { 'POST /typing': SET, 'POST /messages/{message_id}/typing': SET_FOR_EDIT };
