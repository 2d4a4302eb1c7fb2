import type { Refusal } from './refusal.js';

const bad = (message: string) => ({ status: 400, code: 'BAD_REQUEST', message }) as const;

export const draftRefusals = {
  DRAFTS_NOT_SYNCHRONIZED: bad('User has disabled synchronizing drafts.'),
  DRAFT_NOT_FOUND: { status: 404, code: 'BAD_REQUEST', message: 'Draft does not exist' },
  DRAFT_NEEDS_ONE_CHANNEL: bad('Must specify exactly 1 channel ID for channel messages'),
  DRAFT_TIMESTAMP_NEGATIVE: bad('Timestamp must not be negative.'),
  TOPIC_HAS_NULL_BYTES: bad('Topic must not contain null bytes'),
  TOO_MANY_DRAFTS: bad('Too many drafts (limit: {limit})'),
  TOO_MUCH_IN_DRAFTS: bad('Too much is in these drafts: send fewer at once'),
} as const satisfies Record<string, Refusal>;
