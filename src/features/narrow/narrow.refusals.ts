import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';

/** Refusals of narrows, and of ranges around an anchor. */
export const narrowRefusals = {
  TOO_MANY_MESSAGES: badRequest('Too many messages requested (maximum {limit}).'),
  MESSAGES_TOO_LARGE: badRequest('These messages are too large for one answer. Ask for fewer.'),
  ANCHOR_IN_THE_MIDDLE: badRequest('The anchor can only be excluded at an end of the range'),
  BAD_NARROW: { status: 400, code: 'BAD_NARROW', message: 'Invalid narrow operator: {desc}', keys: ['desc'] },
  IDEMPOTENCY_KEY_REUSED: {
    status: 400,
    code: 'EXPECTATION_MISMATCH',
    message: 'This Idempotency-Key was used for another request',
  },
} as const satisfies Refusals;

declare module '../../platform/kernel/domain-error.js' {
  interface RefusalCodes extends DataOf<typeof narrowRefusals> {}
}
