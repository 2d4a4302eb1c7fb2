import type { Refusal } from './refusal.js';

const bad = (message: string) => ({ status: 400, code: 'BAD_REQUEST', message }) as const;

export const typingRefusals = {
  CHANNEL_ID_MISSING: bad('Missing channel ID'),
  TYPING_TO_NOBODY: bad("Empty 'to' list"),
  TYPING_KEPT_FROM_CHANNELS: bad('User has disabled typing notifications for channel messages'),
  TYPING_KEPT_FROM_CONVERSATIONS: bad('User has disabled typing notifications for direct messages'),
} as const satisfies Record<string, Refusal>;
