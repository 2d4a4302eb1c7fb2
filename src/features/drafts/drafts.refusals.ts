import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';

export const draftRefusals = {
  DRAFTS_NOT_SYNCHRONIZED: badRequest('User has disabled synchronizing drafts.'),
  DRAFT_NOT_FOUND: { status: 404, code: 'BAD_REQUEST', message: 'Draft does not exist' },
  DRAFT_NEEDS_ONE_CHANNEL: badRequest('Must specify exactly 1 channel ID for channel messages'),
  DRAFT_TIMESTAMP_NEGATIVE: badRequest('Timestamp must not be negative.'),
  TOPIC_HAS_NULL_BYTES: badRequest('Topic must not contain null bytes'),
  TOO_MANY_DRAFTS: badRequest('Too many drafts (limit: {limit})'),
  DRAFTS_TOO_LARGE: badRequest('Your drafts are too large together (limit: {limit} MiB)'),
  TOO_MUCH_IN_DRAFTS: badRequest('Too much is in these drafts: send fewer at once'),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof draftRefusals> {}
}
