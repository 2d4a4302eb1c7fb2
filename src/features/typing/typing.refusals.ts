import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';

export const typingRefusals = {
  CHANNEL_ID_MISSING: badRequest('Missing channel ID'),
  TYPING_TO_NOBODY: badRequest("Empty 'to' list"),
  TYPING_KEPT_FROM_CHANNELS: badRequest('User has disabled typing notifications for channel messages'),
  TYPING_KEPT_FROM_CONVERSATIONS: badRequest('User has disabled typing notifications for direct messages'),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof typingRefusals> {}
}
