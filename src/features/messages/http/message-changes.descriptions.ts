import type { Descriptions } from '../../../platform/http/openapi/described-api.js';

const EMOJI_CODE = 'What the emoji is: code points in hexadecimal, joined by `-`, or the id of a custom emoji';
const REACTION_TYPE =
  '`unicode_emoji`: a Unicode character; `realm_emoji`: a custom emoji of the organization; `zulip_extra_emoji`: the emoji `:zulip:`';

/** Operations that change a message after it was sent. */
export const messageChanges: Descriptions = {
  'PATCH /messages/{message_id}': {
    summary: 'Edit the text of a message, or move it to another topic or channel.',
    text: `Only its sender edits the text of a message, within \`message_content_edit_limit_seconds\` of the organization. Who may move
messages, and for how long, is set by permission groups of the organization and of the channel. A move past the time limit is
refused with \`MOVE_MESSAGES_TIME_LIMIT_EXCEEDED\`, which says from which message on the move is allowed.

One request may change text and topic, but not text and channel. A change to what is already there changes nothing.`,
    parameters: {
      topic:
        'The new topic, for a message in a channel; `subject` is an older name. `✔ ` before the topic, with `propagate_mode=change_all`, marks it as resolved',
      propagate_mode:
        'Which messages of the topic move: this one (`change_one`), this one and all after it (`change_later`), or all (`change_all`). An edit of the text alone needs `change_one`',
      send_notification_to_old_thread: 'Whether a notice in the old topic tells of the move',
      send_notification_to_new_thread: 'Whether a notice in the new topic tells of the move',
      content: 'The new text, in Markdown; an empty text is stored as `(deleted)`',
      prev_content_sha256:
        'SHA-256, in hexadecimal, of the text that the client knows: the edit is refused with `EXPECTATION_MISMATCH` if the text has changed since',
      stream_id: 'The id of the channel that messages move to',
    },
  },
  'DELETE /messages/{message_id}': {
    summary: 'Delete a message for ever.',
    text: `The key of its words is destroyed, so that the log has no readable copy of them. Allowed to
\`can_delete_any_message_group\`, and for own messages and those of own bots to \`can_delete_own_message_group\` within
\`message_content_delete_limit_seconds\`; organization and channel have these groups.`,
  },
  'POST /streams/{stream_id}/delete_topic': {
    summary: 'Delete all messages of a topic that the caller can see.',
    text: `The newest are deleted first. \`complete\` is false if time ran out, after 8 seconds: repeat the request then. The caller must be
allowed to delete messages of others.`,
  },
  'POST /messages/{message_id}/reactions': {
    summary: 'React to a message with an emoji.',
    text: 'A reaction that the caller has made already is refused with `REACTION_ALREADY_EXISTS`, so that a repeat does no harm.',
    parameters: {
      emoji_name: 'The name of the emoji: `tada`',
      emoji_code: `${EMOJI_CODE}. Without it, found by the name`,
      reaction_type: `${REACTION_TYPE}. Without it, found by the name`,
    },
  },
  'DELETE /messages/{message_id}/reactions': {
    summary: 'Take back an own reaction to a message.',
    text: 'A reaction that is not there is refused with `REACTION_DOES_NOT_EXIST`. Give `emoji_name` or `emoji_code`.',
    parameters: { emoji_name: 'The name of the emoji', emoji_code: EMOJI_CODE, reaction_type: REACTION_TYPE },
  },
};
