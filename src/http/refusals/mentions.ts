import type { Refusal } from './refusal.js';

/** Whom the words of a message call. */
export const mentionRefusals = {
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: {
    status: 400,
    code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    message: 'You do not have permission to use channel wildcard mentions in this channel.',
  },
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: {
    status: 400,
    code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    message: 'You do not have permission to use topic wildcard mentions in this topic.',
  },
  MAY_NOT_MENTION_GROUP: {
    status: 400,
    code: 'BAD_REQUEST',
    message: "You are not allowed to mention user group '{name}'.",
  },
} as const satisfies Record<string, Refusal>;
