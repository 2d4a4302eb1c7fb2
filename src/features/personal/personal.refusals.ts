import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';

/** Refusals of a user's alert words and mutes. */
export const personalRefusals = {
  TOO_MANY_ALERT_WORDS: badRequest('Too many alert words (limit: {limit})'),
  CANNOT_MUTE_SELF: badRequest('Cannot mute self'),
  USER_ALREADY_MUTED: badRequest('User already muted'),
  USER_NOT_MUTED: badRequest('User is not muted'),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof personalRefusals> {}
}
