import type { Refusal } from './refusal.js';

const bad = (message: string) => ({ status: 400, code: 'BAD_REQUEST', message }) as const;

/** Messages that go to another topic or channel. */
export const moveRefusals = {
  DIRECT_HAS_NO_TOPIC: bad('A direct message has no topic.'),
  DIRECT_HAS_NO_CHANNEL: bad('A direct message cannot be moved to a channel.'),
  CONTENT_WITH_CHANNEL: bad('Cannot change message content while changing channel'),
  EMPTY_TOPIC_RESOLVED: bad("The topic '{name}' cannot be marked as resolved"),
  MAY_NOT_MOVE_MESSAGE: bad("You don't have permission to move this message"),
  MAY_NOT_RESOLVE_TOPIC: bad("You don't have permission to resolve topics"),
  MOVE_TOO_LATE: {
    status: 400,
    code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    message:
      'You only have permission to move the {total_messages_allowed_to_move}/{total_messages_in_topic} most recent messages in this topic.',
    keys: ['first_message_id_allowed_to_move', 'total_messages_allowed_to_move', 'total_messages_in_topic'],
  },
} as const satisfies Record<string, Refusal>;
