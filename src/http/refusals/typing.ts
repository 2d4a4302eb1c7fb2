import type { Refusal } from './refusal.js';

const bad = (message: string) => ({ status: 400, code: 'BAD_REQUEST', message }) as const;

export const typingRefusals = {
  CHANNEL_ID_MISSING: bad('Missing channel ID'),
  TYPING_TO_NOBODY: bad("Empty 'to' list"),
} as const satisfies Record<string, Refusal>;
