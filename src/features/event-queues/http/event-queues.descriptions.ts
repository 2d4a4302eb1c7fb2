import type { Descriptions } from '../../../platform/http/openapi/described-api.js';

export const descriptions: Descriptions = {
  'POST /register': {
    summary: 'Register an event queue, and get the state that its events change.',
    text: `State and events have no gap and no repetition between them: a client that applies the events of \`GET /events\` to this
state has the state of today. A bot that needs new messages alone sends \`event_types=["message"]\` and \`fetch_event_types=[]\`.

A queue survives restarts of the server. It ends if its client does not poll it for 30 days, or less if the operator has set so.`,
    parameters: {
      apply_markdown: 'Whether messages in events have HTML as `content`; false: the Markdown that their senders wrote',
      include_subscribers: 'Whether channels have the list of their subscribers; `partial` gives all of them, too',
      slim_presence:
        'Whether presences are by the ids of users, in the newer and shorter form; false: by their addresses',
      presence_history_limit_days: 'Presences of users who were active in so many days; without it, 14',
      event_types:
        'The types of events that the queue delivers, such as `message` and `reaction`; without it, all. Names that nobody knows are ignored',
      fetch_event_types:
        'The parts of the state in the answer; without it, those of `event_types`. `[]`: none, and the answer is quick',
      all_public_streams:
        'Whether the queue has the messages of all public channels, subscribed or not. Not for guests',
      client_capabilities:
        'What the client understands, each true or false: `archived_channels`, `bulk_message_deletion`, `empty_topic_name`, `include_deactivated_groups`, `linkifier_url_template`, `notification_settings_null`, `simplified_presence_events`, `stream_typing_notifications`, `user_settings_object`. Without one, the client gets what older clients know',
      narrow:
        'The messages that the queue delivers, as in `GET /messages`. Terms that depend on lists or on text are refused: `search`, `has`, `channels`, `in`, `is:followed`, `is:muted`',
    },
  },
  'GET /events': {
    summary: 'Wait for events of an own queue.',
    text: `Answers at once if there are events after \`last_event_id\`. If there are none, it waits for the next (a long poll), and after
50 seconds, or as the operator has set, it answers with a \`heartbeat\`: poll again. Give a request more time than that before the client
gives up.

Each poll has the highest \`id\` that the client has seen. The queue is not changed by being read: a client that got no answer polls again
with the same id and loses nothing. Ids increase; they are not consecutive. A second poll of a queue answers the first one.

\`BAD_EVENT_QUEUE_ID\` says that the queue has ended, or that its events are no longer kept: register again.`,
    parameters: {
      last_event_id:
        'The highest event id that the client has seen: `last_event_id` of `POST /register` first, then of the last event. Without it, from the beginning of the queue',
      dont_block: 'Whether the answer comes at once, with no events if there are none',
    },
  },
  'DELETE /events': {
    summary: 'End an own event queue.',
    text: 'A poll that waits is answered. Queues end by themselves if they are not polled.',
  },
};
