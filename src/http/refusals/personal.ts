import type { Refusal } from './refusal.js';

const bad = (message: string) => ({ status: 400, code: 'BAD_REQUEST', message }) as const;

/** What concerns one user alone. */
export const personalRefusals = {
  TOO_MANY_ALERT_WORDS: bad('Too many alert words (limit: {limit})'),
  CANNOT_MUTE_SELF: bad('Cannot mute self'),
  USER_ALREADY_MUTED: bad('User already muted'),
  USER_NOT_MUTED: bad('User is not muted'),
} as const satisfies Record<string, Refusal>;
