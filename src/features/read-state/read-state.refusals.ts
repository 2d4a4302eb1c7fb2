import { badRequest, type DataOf, type Refusals } from '../../platform/http/refusal.js';

/** Refusals of changes and queries of message flags. */
export const readStateRefusals = {
  INVALID_FLAG: badRequest("Invalid flag: '{flag}'"),
  FLAG_NOT_EDITABLE: badRequest("Flag not editable: '{flag}'"),
  READ_RECEIPTS_DISABLED: badRequest('Read receipts are disabled in this organization.'),
  TOPIC_NOT_FOUND: badRequest("No such topic '{topic}'"),
} as const satisfies Refusals;

declare module '../../platform/kernel/deciding.js' {
  interface RefusalCodes extends DataOf<typeof readStateRefusals> {}
}
