import { badRequest, type DataOf, lackingRight, type Refusals } from '../../platform/http/refusal.js';

/** Refusals of sends, reads, edits, moves, deletions and reactions. */
export const messageRefusals = {
  INVALID_MESSAGE: badRequest('Invalid message(s)'),
  MESSAGE_EMPTY: badRequest('Message must not be empty'),
  MESSAGE_HAS_NULL_BYTES: badRequest('Message must not contain null bytes'),
  TOPIC_MISSING: { ...badRequest('Missing topic'), namesUnknown: true },
  SENT_TOO_LATE: badRequest('Message could not be sent at the scheduled time.'),
  TOPIC_REQUIRED: badRequest("Topic can't be empty"),
  TOPIC_NOT_ALLOWED: badRequest('Only the general chat topic is allowed in this channel.'),
  TOPIC_INVALID: badRequest('Topic has characters that are not allowed'),
  RECIPIENT_MISSING: badRequest('Message must have recipients'),
  DIRECT_MESSAGES_DISABLED: badRequest('Direct messages are disabled in this organization.'),
  CONVERSATION_NOT_AUTHORIZED: badRequest('This conversation does not include any users who can authorize it.'),
  MAY_NOT_BEGIN_CONVERSATION: lackingRight('You do not have permission to initiate direct message conversations.'),
  ONE_CHANNEL_EXPECTED: badRequest('Expected exactly one channel'),
  RECIPIENT_DEACTIVATED: badRequest("'{email}' is no longer using this organization"),
  QUEUE_ID_MISSING: badRequest('local_id needs a queue_id'),
  LOCAL_ID_MISSING: badRequest('queue_id needs a local_id'),
  KEY_TOO_LONG: badRequest('Keys of a send have 1 to {limit} characters'),
  IDEMPOTENCY_KEY_REUSED: {
    status: 400,
    code: 'EXPECTATION_MISMATCH',
    message: 'This Idempotency-Key was used for another request',
  },

  // Reads
  TOO_MANY_MESSAGES: badRequest('Too many messages requested (maximum {limit}).'),
  MESSAGES_TOO_LARGE: badRequest('These messages are too large for one answer. Ask for fewer.'),
  ANCHOR_IN_THE_MIDDLE: badRequest('The anchor can only be excluded at an end of the range'),

  // Mentions
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: {
    status: 400,
    code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    message: 'You do not have permission to use channel wildcard mentions in this channel.',
    lacksRight: true,
  },
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: {
    status: 400,
    code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    message: 'You do not have permission to use topic wildcard mentions in this topic.',
    lacksRight: true,
  },
  MAY_NOT_MENTION_GROUP: lackingRight("You are not allowed to mention user group '{name}'."),

  // Edits, deletions, reactions
  NOTHING_TO_EDIT: badRequest('Nothing to change'),
  PROPAGATE_WITHOUT_TOPIC: badRequest('Invalid propagate_mode without topic edit'),
  EDITING_TURNED_OFF: badRequest('Your organization has turned off message editing'),
  MAY_NOT_EDIT_MESSAGE: lackingRight("You don't have permission to edit this message"),
  MESSAGE_EDIT_TOO_LATE: badRequest('The time limit for editing this message has past'),
  MESSAGE_EDITED_TOO_OFTEN: badRequest('This message has been edited too often'),
  MESSAGE_EDITED_MEANWHILE: {
    status: 400,
    code: 'EXPECTATION_MISMATCH',
    message: "'prev_content_sha256' value does not match the expected value.",
  },
  EDIT_HISTORY_TURNED_OFF: badRequest('Message edit history is disabled in this organization'),
  MAY_NOT_DELETE_MESSAGE: lackingRight("You don't have permission to delete this message"),
  MESSAGE_DELETE_TOO_LATE: badRequest('The time limit for deleting this message has passed'),
  EMOJI_MISSING: badRequest('At least one of the following arguments must be present: emoji_name, emoji_code'),
  EMOJI_UNKNOWN: badRequest("Emoji '{name}' does not exist"),
  EMOJI_CODE_INVALID: badRequest('Invalid emoji code'),
  EMOJI_NAME_INVALID: badRequest('Invalid emoji name'),
  EMOJI_DEACTIVATED: badRequest('This custom emoji has been deactivated.'),
  REACTION_ALREADY_EXISTS: { status: 400, code: 'REACTION_ALREADY_EXISTS', message: 'Reaction already exists.' },
  REACTION_DOES_NOT_EXIST: { status: 400, code: 'REACTION_DOES_NOT_EXIST', message: "Reaction doesn't exist." },

  // Moves
  DIRECT_HAS_NO_TOPIC: badRequest('A direct message has no topic.'),
  DIRECT_HAS_NO_CHANNEL: badRequest('A direct message cannot be moved to a channel.'),
  CONTENT_WITH_CHANNEL: badRequest('Cannot change message content while changing channel'),
  EMPTY_TOPIC_RESOLVED: badRequest("The topic '{name}' cannot be marked as resolved"),
  MAY_NOT_MOVE_MESSAGE: lackingRight("You don't have permission to move this message"),
  MAY_NOT_RESOLVE_TOPIC: lackingRight("You don't have permission to resolve topics"),
  MOVE_TOO_LATE: {
    status: 400,
    code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    message:
      'You only have permission to move the {total_messages_allowed_to_move}/{total_messages_in_topic} most recent messages in this topic.',
    keys: ['first_message_id_allowed_to_move', 'total_messages_allowed_to_move', 'total_messages_in_topic'],
  },
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof messageRefusals> {}
}
