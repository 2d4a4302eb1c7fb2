import type { Refusal } from './refusal.js';

const bad = (message: string) => ({ status: 400, code: 'BAD_REQUEST', message }) as const;

/** Personal flags of messages. */
export const readStateRefusals = {
  INVALID_FLAG: bad("Invalid flag: '{flag}'"),
  FLAG_NOT_EDITABLE: bad("Flag not editable: '{flag}'"),
  READ_RECEIPTS_DISABLED: bad('Read receipts are disabled in this organization.'),
  TOPIC_NOT_FOUND: bad("No such topic '{topic}'"),
} as const satisfies Record<string, Refusal>;
